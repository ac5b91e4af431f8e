import * as p from "../../shared/parse.ts";
import type { CredentialCipher } from "../outbound/credentials.ts";
import { type Database, databaseClock } from "../database/database.ts";
import type { DomainAccounts } from "../domains/domain-routes.ts";
import { endWaits } from "../jobs/lease.ts";
import type { Loop } from "../jobs/loop.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { summariseAccounts } from "./stored-accounts.ts";
import { foretellUndo, undo } from "./answer-names.ts";
import { findVanished } from "./names.ts";
import { createReadAccount } from "./read-account.ts";
import type { ReadAccount } from "./reading.ts";
import { REGISTRAR_APIS } from "./registrars/readers.ts";
import { createAccountRoutes } from "./routes.ts";
import { startRuns, type TellOwners, ACCOUNT_READINGS } from "./run-account.ts";
import type { Gauge } from "../database/metrics.ts";

export interface AccountsOptions {
  /** What the file of `REGISTRAR_APIS` holds; null: registrars are asked at their own origins. */
  apis?: unknown;
  /** For tests: reads accounts in place of the readers. */
  read?: ReadAccount;
}

export function createAccounts(
  database: Database,
  options: AccountsOptions,
  given: {
    cipher: CredentialCipher;
    loop: Loop;
    outbound: Outbound;
    tell: TellOwners;
    clock: (() => Date) | undefined;
  },
) {
  const { cipher, loop, outbound, tell, clock } = given;
  const apis = parseApis(options.apis ?? {});
  const read = options.read ?? createReadAccount({ outbound, apis });
  const tools = { cipher, read, readNow: databaseClock(clock), now: clock ?? (() => new Date()) };
  const wake = startRuns(database, { ...tools, loop, tell });
  return {
    routes: createAccountRoutes(tools, wake),
    ofDomains: {
      summarise: () => summariseAccounts(database, cipher),
      findVanished,
    } satisfies DomainAccounts,
    undos: { undo, foretell: foretellUndo },
    sweeps: [() => endWaits(database, "registrar_accounts", tools.readNow)],
    gauges: GAUGES,
    counters: [ACCOUNT_READINGS],
  };
}

const GAUGES: readonly Gauge[] = [
  [
    "freehold_registrar_accounts",
    "Accounts, by how their last reading ended.",
    (sql) => sql`select registrar, state, coalesce(outcome, 'none') as outcome,
      count(*) as value from registrar_accounts group by registrar, state, outcome`,
  ],
  [
    "freehold_registrar_accounts_oldest_list_seconds",
    "Time since the last complete list, of the account that waits longest; 0 without accounts.",
    (sql) => sql`select min(coalesce(complete_at, created_at)) as since
      from registrar_accounts where state = 'on'`,
  ],
];

/** A reading keeps its lease of 5 minutes between two requests. */
const MAX_INTERVAL_MS = 4 * 60_000;

const parseFile = p.record(
  p.exactObject({
    origin: p.optional(parseOrigin),
    intervalMs: p.optional(p.integer(0, MAX_INTERVAL_MS)),
  }),
);

export function parseApis(value: unknown): p.Parsed<typeof parseFile> {
  const apis = parseFile(value);
  const known = REGISTRAR_APIS.map(({ registrar }) => registrar);
  for (const registrar of Object.keys(apis)) {
    if (known.includes(registrar)) continue;
    p.refuse("choice", `Expected one of ${known.join(", ")}, but got ${registrar.slice(0, 60)}`);
  }
  return apis;
}

/** Credentials are sent there: without TLS, only to this machine. */
function parseOrigin(value: unknown): string {
  const url = URL.parse(p.text(value));
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url?.hostname ?? "");
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
  if (url !== null && isSafe && `${url.origin}/` === url.href) return url.origin;
  return p.refuse(
    "url",
    "Expected an origin such as https://api.example; http:// only on the loopback",
  );
}
