import type { Api } from "../shared/api.ts";
import { DEFAULT_BRAND } from "../shared/brand.ts";
import { log, OperatorError } from "../shared/log.ts";
import type { Metric } from "../shared/metrics.ts";
import * as p from "../shared/parse.ts";
import { answerRequest } from "./http/answer-request.ts";
import type { AuthOptions } from "./auth/sign-in.ts";
import { type Database, type Timeouts, databaseClock, wrapDatabase } from "./database/database.ts";
import { openDatabase } from "./database/open-database.ts";
import { type ChecksOptions, createChecks } from "./checks/checks.ts";
import { parseOwnServers } from "./checks/lookup-servers.ts";
import {
  explainOpening,
  isUnavailable,
  logFailure,
  type WatchedDatabase,
  watchOutages,
} from "./database/database-error.ts";
import { keepBackups } from "./backup/backup.ts";
import { migrate, NEWEST_SCHEMA, readSchema } from "./database/migrate.ts";
import { addSample } from "./domains/sample.ts";
import { refoldDomains } from "./domains/write/refold-domains.ts";
import { releaseDomains } from "./domains/write/save-domain.ts";
import { indexSearch } from "./domains/list/search.ts";
import { readSight } from "./domains/list/sight.ts";
import { withDescription } from "./http/open-api.ts";
import { tryLater } from "./http/request-error.ts";
import { type Route, secretPaths } from "./http/route.ts";
import { createRouter } from "./http/router.ts";
import { createLoop, JOB_FAILURES, type Loop, OUTAGE_RETRY_MS } from "./jobs/loop.ts";
import { createGauges, measureDatabase, type Gauge } from "./database/metrics.ts";
import { type Diagnosis, type DoctorOptions, examine } from "./doctor/doctor.ts";
import { createAddressRule } from "./outbound/addresses.ts";
import { createCredentialCipher } from "./outbound/credentials.ts";
import { createOutbound } from "./outbound/outbound.ts";
import { createResolver, parseDnsServer } from "./outbound/resolver.ts";
import { tryMail } from "./reminders/mail.ts";
import { calendarRoutes } from "./reminders/calendars.ts";
import { pauseFollowers } from "./reminders/channels.ts";
import { publicLinkRoutes } from "./reminders/public-links.ts";
import { createReminders, type RemindersOptions } from "./reminders/reminders.ts";
import { createAccounts, parseApis, type AccountsOptions } from "./accounts/accounts.ts";
import { createAuth } from "./auth/auth.ts";
import { addUser } from "./auth/session/users.ts";
import { keepAddress } from "./auth/people/invitations.ts";
import { audit } from "./audit/audit.ts";
import { createUploads } from "./uploads/routes.ts";
import { createDomains } from "./domains/routes.ts";
import { createReferenceRates } from "./costs/reference-rates.ts";
import { costRoutes } from "./costs/routes.ts";
import { imports } from "./import/import-routes.ts";

/** How paths begin that end with a secret, which no log may show, with a backend or without one. */
export const SECRET_PATHS: readonly string[] = secretPaths([
  ...publicLinkRoutes,
  ...calendarRoutes,
]);

const MAINTENANCE_INTERVAL_MS = 60 * 60_000;

/** Each throws if the value of its variable cannot be used. To be called before `createBackend`. */
export const OPTION_CHECKS = {
  DNS_SERVERS: p.list(p.mapped(p.text, parseDnsServer)),
  CHECKS_SOURCES: parseOwnServers,
  REGISTRAR_APIS: parseApis,
};

export interface BackendOptions extends AuthOptions {
  /** `sqlite://<file>`, created if missing, or `postgres://…`, which instances may share. */
  databaseUrl: string;
  /** Encrypts credentials, 32 bytes in base64; by default a file beside an SQLite database. */
  credentialsKey?: string | null;
  /** Of Postgres; by default 5 s for a read, 20 s for a write and 5 minutes for a bulk job. */
  timeouts?: Timeouts;
  /** Bytes of the body of an upload. */
  maxUploadBytes: number;
  /** An existing folder for a backup each night; the newest `keep` are kept. Null: no backups. */
  backups?: { folder: string; keep: number } | null;
  /** `DNS_SERVERS`, by which every name is looked up: none for the system's. */
  dnsServers?: readonly string[];
  /** Live checks of domains; by default off until the owner turns them on. */
  checks?: ChecksOptions;
  /** How reminders reach people; without it nothing is sent by mail, and nothing to private networks. */
  reminders?: RemindersOptions;
  /** Accounts at registrars: `REGISTRAR_APIS`, and what reads them in place of the readers. */
  accounts?: AccountsOptions;
  /** In place of the address at which the European Central Bank publishes its rates. */
  ratesSource?: string;
  /** Holds the sample domains, and takes every request for the owner's: for the loopback only. */
  isDemo?: boolean;
  /** Where it is reached from this machine, for `owner reset`. */
  address?: string;
  /** The product's name in messages and calendars. */
  brand?: string;
  /** For tests of what time does. */
  clock?: () => Date;
  /** For tests that step through it. */
  loop?: Loop;
  /** For tests that keep connections from one backend to the next. */
  open?: typeof openDatabase;
}

const DEMO_OWNER = "demo@example.org";

/** What a room adds to the backend. What it does by itself is in the loop. */
interface Room {
  routes?: readonly Route[];
  /** Remove what has ended, a second after the start and every hour. */
  sweeps?: readonly ((database: Database) => Promise<unknown>)[];
  gauges?: readonly Gauge[];
  counters?: readonly Metric[];
}

/** The embedded backend; `setUpCode` is what to print while there is no owner, else null. */
export type Backend = Api & { setUpCode: string | null; routes: readonly Route[] };

/** Opens the database, migrates it, and answers `/api/` from then on. @throws {OperatorError} */
export async function createBackend(options: BackendOptions): Promise<Backend> {
  const { loop = createLoop(), open = openDatabase } = options;
  const { brand = DEFAULT_BRAND, clock, isDemo = false } = options;
  const { measured, counters } = measureDatabase(await open(options.databaseUrl, options.timeouts));
  const { database, reason } = guardSchema(watchOutages(measured), loop);
  try {
    await prepareRegister(database, options);
    const { rooms, guard, setUpCode } = await createRooms(database, { ...options, loop, brand });
    const routes = withDescription(rooms.flatMap((room) => room.routes ?? []));
    const router = createRouter(routes);
    const readNow = databaseClock(clock);
    const services = {
      database,
      guard,
      router,
      secretPaths: secretPaths(routes),
      brand,
      publicUrl: options.reminders?.publicUrl ?? null,
      clock: clock ?? (() => new Date()),
      readNow,
      readSight,
    };
    const sweeps = rooms.flatMap((room) => room.sweeps ?? []);
    loop.add({
      name: "Maintenance",
      pauseMs: MAINTENANCE_INTERVAL_MS,
      round: () => sweepAll(database, sweeps),
    });
    const ofRooms = rooms.flatMap((room) => room.gauges ?? []);
    const readGauges = createGauges(database, ofRooms, readNow);
    const done = [JOB_FAILURES, ...rooms.flatMap((room) => room.counters ?? []), ...counters];
    return {
      setUpCode,
      routes,
      routeOf: router.routeOf,
      metrics: async () => [...done, ...(await readGauges())],
      fetch: (request, peer) =>
        answerRequest(services, request, isDemo ? { ...peer, proxyUser: DEMO_OWNER } : peer),
      ready: async () => (await reason()) ?? true,
      async close() {
        await loop.stop();
        await database.close();
      },
    };
  } catch (error) {
    await loop.stop();
    await database.close();
    throw explainOpening(database.place, error);
  }
}

/** Brings the register to this version, and gives that of a demonstration its domains. */
async function prepareRegister(database: Database, { address, isDemo = false }: BackendOptions) {
  await migrate(database);
  await refoldDomains(database);
  // After the texts, which are indexed faster at once.
  await indexSearch(database);
  if (address !== undefined) await keepAddress(database, address);
  if (!isDemo) return;
  await database.write(async (sql) => {
    const owner = await addUser(sql, { email: DEMO_OWNER, role: "owner" }, { address: null });
    if (owner !== null) await addSample(sql, { ...owner, token: null });
  });
}

async function createRooms(
  database: Database,
  options: BackendOptions & { loop: Loop; brand: string },
) {
  const { backups = null, brand, clock, loop } = options;
  const { resolver, outbound } = openOutbound(options);
  const cipher = createCredentialCipher(options.databaseUrl, options.credentialsKey ?? null);
  const about = { brand, cipher, loop, outbound, resolver, clock };
  const live = createChecks(database, options.checks ?? {}, about);
  const reminding = createReminders(database, options.reminders ?? {}, about);
  const { mailLink, tell } = reminding;
  const accounts = createAccounts(database, options.accounts ?? {}, { ...about, tell });
  const effects = { release: releaseDomains, ended: pauseFollowers };
  const people = await createAuth(database, options, { cipher, outbound, mailLink, effects });
  const rooms: readonly Room[] = [
    people,
    audit,
    createUploads(options.maxUploadBytes),
    live,
    reminding,
    accounts,
    createDomains(live.ofDomains, reminding.ofDomains, accounts),
    { routes: [...costRoutes, createReferenceRates(database, about, options.ratesSource)] },
    imports,
    { sweeps: backups === null ? [] : [() => keepBackups(database, backups)] },
  ];
  return { rooms, guard: people.guard, setUpCode: people.setUpCode };
}

function openOutbound({
  dnsServers = [],
  reminders: { allow = [] } = {},
}: Pick<BackendOptions, "dnsServers" | "reminders">) {
  const resolver = createResolver(dnsServers.map(parseDnsServer));
  const mayConnect = createAddressRule(allow);
  return { resolver, outbound: createOutbound({ resolver, mayConnect, ports: "any" }) };
}

/** Resolves with how long to wait after an outage; the usual time after anything else. */
async function sweepAll(database: Database, sweeps: NonNullable<Room["sweeps"]>) {
  let wasOut = false;
  for (const sweep of sweeps) {
    // One that fails must not keep the others from theirs.
    await sweep(database).catch((error: unknown) => {
      // Its one line is all that an operator needs.
      if (error instanceof OperatorError) log.error(`Maintenance failed: ${error.message}`);
      else logFailure("Maintenance failed")(error);
      wasOut ||= isUnavailable(error);
    });
  }
  return wasOut && OUTAGE_RETRY_MS;
}

/** What the command `doctor` finds. Opens no port and changes nothing. */
export function examineInstallation(
  options: DoctorOptions & {
    dnsServers: readonly string[];
    reminders: { smtpUrl: string | null; mailFrom: string | null; allow: readonly string[] };
  },
): AsyncGenerator<Diagnosis> {
  const { outbound } = openOutbound(options);
  return examine(options, outbound, (database, signal) =>
    tryMail(database, options.reminders, outbound, signal),
  );
}

const OUTDATED =
  "A newer version is being installed: this server is read-only until it restarts. Try again soon.";

/** With the stop of the loop, the last write comes within 20 s. */
const WATCH_MS = 10_000;

/**
 * Stops the loop and then refuses writes once a newer version has changed the schema while this one runs,
 * until a restart with that version. Reads go on, as migrations add before they take away.
 */
function guardSchema(database: WatchedDatabase, loop: Loop) {
  let outdated: string | null = null;
  let refusesWrites = false;
  loop.add({
    name: "Watching the schema",
    pauseMs: WATCH_MS,
    async round() {
      const schema = (await database.read(readSchema).catch(() => null)) ?? 0;
      if (schema <= NEWEST_SCHEMA || outdated !== null) return false;
      outdated =
        `the database was changed by a newer version (schema ${schema}, this one knows ${NEWEST_SCHEMA}): ` +
        "this instance only reads until it is restarted with the newer version";
      log.error(`Writes are refused: ${outdated}.`);
      // Messages that are under way still note that they were sent. The stop waits for this round, too.
      void loop.stop().finally(() => (refusesWrites = true));
      return false;
    },
  });

  return {
    /** Why this instance should get no more requests; null while it should. */
    reason: async () => outdated ?? (await database.reason()),
    /** @throws {RequestError} 503 from `write` and `writeMany`, once they are refused. */
    database: wrapDatabase(database, async (start, kind) => {
      const isWrite = kind === "write" || kind === "write-many";
      if (refusesWrites && isWrite) throw tryLater(503, OUTDATED, 10);
      return start();
    }),
  };
}
