import type { Api } from "../shared/api.ts";
import { DEFAULT_BRAND } from "../shared/brand.ts";
import { log } from "../shared/log.ts";
import type { Metric } from "../shared/metrics.ts";
import { list, mapped, text } from "../shared/parse.ts";
import { answerRequest } from "./answer-request.ts";
import { auditRoutes, sweepAudit } from "./audit/audit.ts";
import { apiTokenRoutes, createApiTokens } from "./auth/tokens/api-tokens.ts";
import { createAttempts } from "./auth/tokens/attempts.ts";
import { createXsrfTokens } from "./auth/session/forgery.ts";
import { createOwner } from "./auth/people/owner.ts";
import { createPasswords, type PasswordCost } from "./auth/people/passwords.ts";
import { createFactorRoutes } from "./auth/factor-routes.ts";
import { sweepInvitations } from "./auth/people/invitations.ts";
import { createOidcRoutes, type IssuerFetch } from "./auth/oidc.ts";
import type { PersonEffects } from "./auth/people/people.ts";
import { createAuthRoutes } from "./auth/routes.ts";
import { randomToken } from "./auth/tokens/secrets.ts";
import { createSessions } from "./auth/session/sessions.ts";
import { sweepChallenges } from "./auth/factors/challenges.ts";
import type { Auth } from "./auth/sign-in.ts";
import type { SignInOptions } from "./auth/factors/sign-in-ways.ts";
import { createCredentialCipher } from "./outbound/credentials.ts";
import type { Database, Timeouts } from "./database/database.ts";
import { openDatabase } from "./database/open-database.ts";
import { type ChecksOptions, createChecks } from "./checks/checks.ts";
import { CHECK_RESULTS } from "./checks/check-result.ts";
import { parseOwnServers } from "./checks/lookup-servers.ts";
import { costRoutes } from "./costs/routes.ts";
import { explainOpening, isUnavailable, logFailure } from "./database/database-error.ts";
import { BackupError } from "./backup/archive.ts";
import { keepBackups } from "./backup/backup.ts";
import { watchOutages } from "./database/watch-outages.ts";
import { migrate } from "./database/migrate.ts";
import { guardSchema } from "./jobs/schema-guard.ts";
import { sweepBin } from "./domains/write/bin.ts";
import { refoldStatuses } from "./domains/registrar-status.ts";
import { createOperationRoutes } from "./domains/write/operation-routes.ts";
import { sweepCounts } from "./domains/list/list-domains.ts";
import { createDomainRoutes } from "./domains/routes.ts";
import { sampleRoutes } from "./domains/sample.ts";
import { releaseDomains } from "./domains/write/save-domain.ts";
import { indexSearch } from "./domains/list/search.ts";
import { withDescription } from "./http/open-api-routes.ts";
import { type Route, secretPaths } from "./http/route.ts";
import { createRouter } from "./http/router.ts";
import { importRoutes } from "./import/import-routes.ts";
import { sweepImports } from "./import/save-preview.ts";
import { databaseClock } from "./database/clock.ts";
import { createLoop, JOB_FAILURES, type Loop, OUTAGE_RETRY_MS } from "./jobs/loop.ts";
import { createGauges, measureDatabase } from "./metrics.ts";
import { createAddressRule } from "./outbound/addresses.ts";
import { createOutbound, type Outbound } from "./outbound/outbound.ts";
import { createResolver, parseDnsServer } from "./outbound/resolver.ts";
import { registrarRoutes } from "./domains/registrars.ts";
import { calendarRoutes } from "./reminders/calendars.ts";
import { pauseFollowers } from "./reminders/channels.ts";
import { publicLinkRoutes } from "./reminders/public-links.ts";
import { DELIVERY_ATTEMPTS } from "./reminders/outbox.ts";
import { createReminders, NO_REMINDERS, type RemindersOptions } from "./reminders/reminders.ts";
import { ACCOUNT_READINGS } from "./accounts/run-account.ts";
import { createAccounts, parseApis, type AccountsOptions } from "./accounts/accounts.ts";
import { ensureSetting } from "./database/setting-store.ts";
import { settingsRoutes } from "./domains/settings.ts";
import { createUploadRoute } from "./uploads/routes.ts";
import { sweepUploads } from "./uploads/uploads.ts";
import { viewRoutes } from "./domains/list/views.ts";

const UNCONFIGURED: ChecksOptions = { mode: null, allow: [], sources: null };

/**
 * How the paths begin that end with a secret, which no log may show. Server and proxy have to know them
 * before there is a backend, or without one.
 */
export const SECRET_PATHS: readonly string[] = secretPaths([
  ...publicLinkRoutes,
  ...calendarRoutes,
]);

/** What this process has done by itself. */
const COUNTERS = [JOB_FAILURES, CHECK_RESULTS, DELIVERY_ATTEMPTS, ACCOUNT_READINGS];

const MAINTENANCE_INTERVAL_MS = 60 * 60_000;

/** Each throws where the value of its variable cannot be used: to be asked before `createBackend`. */
export const OPTION_CHECKS = {
  DNS_SERVERS: list(mapped(text, parseDnsServer)),
  CHECKS_SOURCES: parseOwnServers,
  REGISTRAR_APIS: parseApis,
};

export interface BackendOptions {
  /**
   * `sqlite://<file>`, created with its folder where it is missing, or `postgres://…`, which any
   * number of instances may share.
   */
  databaseUrl: string;
  /** Of Postgres; by default 5 s for a read, 20 s for a write and 5 minutes for a bulk job. */
  timeouts?: Timeouts;
  /** What the owner needs to create the account; random where it is null. */
  setupCode: string | null;
  /** Encrypts credentials, 32 bytes in base64; by default a file beside an SQLite database. */
  credentialsKey?: string | null;
  /** Bytes of the body of an upload. */
  maxUploadBytes: number;
  /** An existing folder for a backup each night, of which the newest `keep` stay; null: none. */
  backups?: { folder: string; keep: number } | null;
  /** `DNS_SERVERS`, by which every name is looked up: none for the system's. */
  dnsServers?: readonly string[];
  /** Live checks of domains; by default off until the owner turns them on. */
  checks?: ChecksOptions;
  /** How reminders reach people; without it nothing is sent by mail, and nothing to private networks. */
  reminders?: RemindersOptions;
  /** Accounts at registrars: `REGISTRAR_APIS`, and what reads them in place of the readers. */
  accounts?: AccountsOptions;
  /** The product's name in messages and calendars. */
  brand?: string;
  /** A provider that people sign in through; none by default. */
  oidc?: SignInOptions["oidc"];
  authCreate?: SignInOptions["authCreate"];
  /** For tests of what time does. */
  clock?: () => Date;
  /** For tests that step through it. */
  loop?: Loop;
  /** For tests that keep connections from one backend to the next. */
  open?: typeof openDatabase;
  /** For tests that sign in often; by default what OWASP recommends. */
  passwordCost?: PasswordCost;
}

/** The embedded backend; `setUpCode` is what to print while there is no owner, else null. */
export type Backend = Api & { setUpCode: string | null; routes: readonly Route[] };

/**
 * Opens the database, migrates it, and answers `/api/` from then on.
 *
 * @throws {DatabaseError} With one line for the operator, when database or folder cannot be used.
 */
export async function createBackend(options: BackendOptions): Promise<Backend> {
  const { databaseUrl, loop = createLoop(), open = openDatabase } = options;
  const opened = await open(databaseUrl, options.timeouts);
  const { measured, counters } = measureDatabase(opened);
  const { database, reason } = guardSchema(watchOutages(measured), loop);
  try {
    await migrate(database);
    await indexSearch(database);
    await refoldStatuses(database);
    const auth = await createAuth(database, options);
    return serve(database, auth, { ...options, loop, reason, counters });
  } catch (error) {
    await loop.stop();
    await database.close();
    throw explainOpening(database.place, error);
  }
}

async function createAuth(
  database: Database,
  {
    databaseUrl,
    credentialsKey = null,
    setupCode,
    passwordCost,
    oidc = null,
    authCreate = null,
  }: BackendOptions,
): Promise<Auth> {
  const secret = await database.write((sql) => ensureSetting(sql, "xsrf secret", randomToken));
  const attempts = createAttempts(database);
  return {
    sessions: createSessions(database),
    owner: await createOwner(database, setupCode),
    passwords: createPasswords(passwordCost),
    attempts,
    tokens: createApiTokens(database, attempts),
    xsrf: createXsrfTokens(secret),
    cipher: createCredentialCipher(databaseUrl, credentialsKey),
    signIn: { oidc, authCreate },
  };
}

const ISSUER_TIMEOUT_MS = 10_000;
const MAX_ISSUER_BYTES = 1024 * 1024;

/**
 * Requests to the provider that people sign in through. Its own host may be anywhere, as the operator
 * wrote it; to other hosts that it names, such as that of its keys, the rule of webhooks applies.
 */
function createIssuerFetch({ oidc }: SignInOptions, outbound: Outbound): IssuerFetch {
  const host = oidc === null ? null : new URL(oidc.issuer).host;
  return async (url, { method, headers, body }) => {
    const answer = await outbound.request(url, {
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body !== undefined && { body }),
      trusted: url.host === host,
      timeoutMs: ISSUER_TIMEOUT_MS,
      maxBytes: MAX_ISSUER_BYTES,
      signal: new AbortController().signal,
    });
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  };
}

function serve(
  database: Database,
  auth: Auth,
  {
    maxUploadBytes,
    backups = null,
    dnsServers = [],
    checks = UNCONFIGURED,
    reminders = NO_REMINDERS,
    accounts: reading = {},
    brand = DEFAULT_BRAND,
    clock,
    loop,
    reason,
    counters,
  }: BackendOptions & {
    loop: Loop;
    reason: () => Promise<string | null>;
    counters: readonly Metric[];
  },
): Backend {
  const resolver = createResolver(dnsServers.map(parseDnsServer));
  const live = createChecks(database, checks, { loop, resolver, clock });
  const { cipher } = auth;
  const readNow = databaseClock(clock);
  const mayConnect = createAddressRule(reminders.allow);
  const outbound = createOutbound({ resolver, mayConnect, ports: "any" });
  const reminding = createReminders(database, reminders, { brand, cipher, loop, outbound, clock });
  const accounts = createAccounts(database, reading, {
    cipher,
    loop,
    outbound,
    clock,
    tell: reminding.tell,
  });
  const routes = withDescription([
    ...createAuthRoutes(auth, reminding.mailLink, personEffects),
    ...createFactorRoutes(cipher, auth.signIn),
    ...createOidcRoutes(auth, createIssuerFetch(auth.signIn, outbound)),
    ...apiTokenRoutes,
    ...auditRoutes,
    createUploadRoute(maxUploadBytes),
    ...live.routes,
    ...reminding.routes,
    ...publicLinkRoutes,
    ...calendarRoutes,
    ...accounts.routes,
    ...createDomainRoutes(live.ofDomains, reminding.ofDomains, accounts.ofDomains),
    ...createOperationRoutes(accounts.undo),
    ...sampleRoutes,
    ...settingsRoutes,
    ...registrarRoutes,
    ...viewRoutes,
    ...costRoutes,
    ...importRoutes,
  ]);
  const router = createRouter(routes);
  const services = {
    database,
    auth,
    router,
    secretPaths: secretPaths(routes),
    brand,
    publicUrl: reminders.publicUrl,
    clock: clock ?? (() => new Date()),
    readNow,
  };
  const jobs = [
    auth.sessions.sweep,
    auth.attempts.sweep,
    auth.tokens.sweep,
    () => sweepAudit(database),
    () => sweepInvitations(database),
    () => sweepImports(database),
    () => sweepUploads(database),
    () => sweepBin(database),
    () => sweepCounts(database),
    () => sweepChallenges(database),
    reminding.sweep,
    ...(backups === null ? [] : [() => keepBackups(database, backups)]),
  ];
  loop.add({
    name: "Maintenance",
    pauseMs: MAINTENANCE_INTERVAL_MS,
    async round() {
      // One that fails must not keep the others from theirs.
      let wasOut = false;
      for (const job of jobs) {
        await job().catch((error: unknown) => {
          // Its one line is all that an operator needs.
          if (error instanceof BackupError) log.error(`Maintenance failed: ${error.message}`);
          else logFailure("Maintenance failed")(error);
          wasOut ||= isUnavailable(error);
        });
      }
      return wasOut && OUTAGE_RETRY_MS;
    },
  });

  const areChecksOn = live.ofDomains.isOn;
  const readGauges = createGauges(database, { readNow, areChecksOn });

  return {
    setUpCode: auth.owner.setUpCode,
    routes,
    routeOf: router.routeOf,
    metrics: async () => [...COUNTERS, ...counters, ...(await readGauges())],
    fetch: (request, peer) => answerRequest(services, request, peer),
    ready: async () => (await reason()) ?? true,
    async close() {
      await loop.stop();
      await database.close();
    },
  };
}

/** The domains of a person who is deleted become nobody's; the channels that follow them pause. */
const personEffects: PersonEffects = { release: releaseDomains, ended: pauseFollowers };
