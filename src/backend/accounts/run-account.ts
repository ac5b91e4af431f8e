import type { SQL } from "bun";
import { refusalInWords } from "../../shared/account-words.ts";
import type { Outcome } from "../../shared/accounts.ts";
import { DAY_MS, HOUR_MS } from "../../shared/day.ts";
import { log } from "../../shared/log.ts";
import { createCounter } from "../../shared/metrics.ts";
import type { CredentialCipher } from "../outbound/credentials.ts";
import { type Database, hasRows, type ReadNow } from "../database/database.ts";
import { isUnavailable } from "../database/database-error.ts";
import { chunks } from "../database/bulk-rows.ts";
import { yieldIfBusy } from "../database/event-loop.ts";
import { finishLeased, leaseDue } from "../jobs/lease.ts";
import type { Loop } from "../jobs/loop.ts";
import {
  createMask,
  MAX_REFUSALS,
  mayAskAt,
  openFields,
  refusalsOf,
  type AccountRow,
  type AccountNotice,
} from "./stored-accounts.ts";
import { mergeAccount } from "./merge-account.ts";
import { toldOf, type KnownName } from "./name-states.ts";
import type { KnownDetails, ListedName, ReadAccount, Reading } from "./reading.ts";

/** Accounts that one instance reads at a time. */
const LANES = 3;
const POLL_MS = 15_000;

/** Longer than one request may take; between requests the lease is kept. */
const LEASE_MS = 5 * 60_000;
const KEEP_MS = 30_000;

const MINUTE_MS = 60_000;

/**
 * What follows a reading by its outcome. Outcomes of one kind in a row are counted together; the second of
 * `refused` in a day pauses the account, and owners are told: asking again changes nothing by itself.
 * `retryMs`: when it is read again after each failure in a row; after the last one, on the next day.
 */
const PLANS = {
  ok: { kind: "ok", retryMs: [] },
  credentials: { kind: "refused", retryMs: [HOUR_MS] },
  access: { kind: "refused", retryMs: [HOUR_MS] },
  address: { kind: "refused", retryMs: [HOUR_MS] },
  clock: { kind: "clock", retryMs: [HOUR_MS] },
  limited: { kind: "limited", retryMs: [] },
  broken: { kind: "faulty", retryMs: [10 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS] },
  unstable: { kind: "faulty", retryMs: [10 * MINUTE_MS] },
} as const satisfies Record<Outcome, { kind: string; retryMs: readonly number[] }>;

/** After this long without a complete list, owners are told. */
const STALE_MS = 3 * DAY_MS;

/** The account is read between these hours of local time, at a time of its own. */
const [FIRST_HOUR, LAST_HOUR] = [1, 6];
/** The next day's reading comes at least this long after one. */
const MIN_PAUSE_MS = 6 * HOUR_MS;

/** The first time of an account's own after a while: once a day, in the night. */
function nextDaily(id: string, now: Date): Date {
  const part = Number(Bun.hash(id) % 1_000_000n) / 1_000_000;
  const after = now.getTime() + MIN_PAUSE_MS;
  const minutes = Math.floor((LAST_HOUR - FIRST_HOUR) * 60 * part);
  for (let days = 0; ; days += 1) {
    const at = new Date(now);
    at.setDate(at.getDate() + days);
    at.setHours(FIRST_HOUR, minutes, 0, 0);
    if (at.getTime() > after) return at;
  }
}

/** Tells owners on every channel, inside the transaction that remembers it. */
export type TellOwners = (sql: SQL, notice: AccountNotice & { key: string }) => Promise<void>;

/** What it takes to read accounts; `now` is this machine's clock. */
export interface ReadingTools {
  cipher: CredentialCipher;
  read: ReadAccount;
  readNow: ReadNow;
  now: () => Date;
}

type RunOptions = ReadingTools & { loop: Loop; tell: TellOwners };

/** Reads accounts that are due, each by one instance at a time. Call what it returns to read them soon. */
export function startRuns(database: Database, options: RunOptions): () => void {
  const { loop, readNow } = options;
  let busy = 0;
  const wakes = Array.from({ length: LANES }, (_, lane) =>
    loop.add({
      name: "Reading accounts",
      pauseMs: POLL_MS,
      async round(signal) {
        // One lane looks; once it reads, the next one does.
        if (lane > busy) return false;
        await tellNotices(database, options);
        // Looking takes no lock, and usually nothing is due.
        const isDue = await database.read(async (sql) => {
          const now = (await readNow(sql)).toISOString();
          return hasRows(sql`select id from registrar_accounts
            where state = 'on' and due_at <= ${now} limit 1`);
        });
        if (!isDue) return false;
        const account = await database.write(async (sql) => lease(sql, await readNow(sql)));
        if (account === null) return false;
        busy += 1;
        wake();
        await runAccount(database, account, signal, options).finally(() => (busy -= 1));
        return true;
      },
    }),
  );
  const wake = () => wakes.forEach((each) => each());
  return wake;
}

async function lease(sql: SQL, now: Date): Promise<AccountRow | null> {
  const request = { key: ["id"], where: sql`state = 'on'`, now, leaseMs: LEASE_MS, limit: 1 };
  const [row] = await leaseDue<AccountRow>(sql, { table: "registrar_accounts", ...request });
  if (row === undefined) return null;
  const run = Bun.randomUUIDv7();
  await sql`update registrar_accounts set run = ${run} where id = ${row.id}`;
  return { ...row, run };
}

export const ACCOUNT_READINGS = createCounter(
  "freehold_account_readings_total",
  "Readings of accounts at registrars.",
);

async function runAccount(
  database: Database,
  account: AccountRow,
  stopping: AbortSignal,
  options: RunOptions,
): Promise<void> {
  const { cipher, readNow } = options;
  const { id, run } = account;
  const finish = <T>(write: () => Promise<T>) =>
    finishLeased(write, performance.now() + LEASE_MS, stopping);
  /** Ends a reading that brought no list, unless its lease has passed to another. */
  const end = (columnsAt: (now: Date, row: AccountRow) => Partial<AccountRow>) =>
    finish(() =>
      database.write(async (sql) => {
        const [row] = await sql<AccountRow[]>`
          select * from registrar_accounts where id = ${id} and run = ${run}`;
        if (row === undefined) return;
        const columns = { ...columnsAt(await readNow(sql), row), leased_until: null, run: null };
        await sql`update registrar_accounts set ${sql(columns)} where id = ${id} and run = ${run}`;
      }),
    );
  const opened = openFields(cipher, account);
  // Nothing is asked with credentials that do not open; with its key back, it goes on by itself.
  if ("fault" in opened) {
    return end((now) => ({ due_at: new Date(now.getTime() + HOUR_MS).toISOString() }));
  }
  const reading = await readOnce(database, account, { ...opened, stopping, ...options });
  if (reading === null) return end(() => ({}));
  ACCOUNT_READINGS.add({ registrar: account.registrar, outcome: reading.outcome });
  if (reading.outcome !== "ok") return end((now, row) => afterFailure(row, reading, now));
  const at = await finish(() => database.read((sql) => readNow(sql)));
  const names: string[] = [];
  for (const batch of chunks(reading.names)) {
    names.push(JSON.stringify(batch));
    await yieldIfBusy();
  }
  const input = {
    id,
    run: run ?? "",
    at: at.toISOString(),
    dueAt: nextDaily(id, at).toISOString(),
    reading: { ...reading, names },
  };
  try {
    await finish(() => database.writeMany(mergeAccount, input));
  } catch (error) {
    log.error("Merging an account failed", error);
    await end((now, row) => afterFailure(row, FAILED_HERE, now));
  }
}

const FAILED_HERE = {
  outcome: "broken",
  detail: "Something went wrong on the server. See its log.",
  retryAfterMs: null,
} as const;

/** Null: it was stopped, or has lost its lease to another, or by a change of the account. */
async function readOnce(
  database: Database,
  { id, run, registrar }: AccountRow,
  options: RunOptions & { fields: Record<string, string>; stopping: AbortSignal },
): Promise<Reading | null> {
  const { read, now, readNow, fields, stopping } = options;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  let keptAt = performance.now();
  const keepLease = async () => {
    if (performance.now() - keptAt < KEEP_MS) return;
    keptAt = performance.now();
    const isKept = await database.write(async (sql) => {
      const until = new Date((await readNow(sql)).getTime() + LEASE_MS).toISOString();
      return hasRows(sql`update registrar_accounts set leased_until = ${until}
        where id = ${id} and run = ${run} returning id`);
    });
    if (!isKept) lost.abort();
    signal.throwIfAborted();
  };
  try {
    const known = () => readKnown(database, id);
    return await read(registrar, fields, { signal, now, keepLease, readKnown: known });
  } catch (error) {
    // If the database fails, the account is read again once it is back.
    if (signal.aborted || isUnavailable(error)) return null;
    // A message may repeat what was sent.
    log.error("Reading an account failed", createMask(Object.values(fields))(String(error)));
    return { ...FAILED_HERE, names: [], skipped: [], left: [] };
  }
}

async function readKnown(database: Database, id: string): Promise<KnownDetails> {
  const known = new Map<string, Pick<ListedName, "expires" | "detailAt">>();
  for (let after: string | undefined = ""; after !== undefined;) {
    const rows: Pick<KnownName, "name" | "told" | "detail_at">[] = await database.read(
      (sql) => sql`select name, told, detail_at from account_names
        where account_id = ${id} and place = 'listed' and name > ${after} order by name limit 1000`,
    );
    for (const row of rows) {
      known.set(row.name, { expires: toldOf(row).expires, detailAt: row.detail_at });
    }
    after = rows.at(-1)?.name;
  }
  return known;
}

/** When an account is read again, and what owners are told, after a reading without a list. */
function afterFailure(
  row: AccountRow,
  { outcome, detail, retryAfterMs }: Pick<Reading, "outcome" | "detail" | "retryAfterMs">,
  now: Date,
): Partial<AccountRow> & { priority: number } {
  const at = now.toISOString();
  const { kind } = PLANS[outcome];
  const pauses = kind === "refused";
  const isRefused = pauses || kind === "clock";
  const isAgain = row.outcome !== null && PLANS[row.outcome].kind === kind;
  const failures = isAgain ? row.failures + 1 : 1;
  const refusals = isRefused ? [...refusalsOf(row, now), at] : refusalsOf(row, now);
  const isOnceMore = outcome === "unstable" && row.outcome !== outcome;
  const wait = waitAfter(outcome, isOnceMore ? 1 : failures, retryAfterMs);
  const due =
    wait === null
      ? nextDaily(row.id, new Date(Math.max(now.getTime(), mayAskAt(refusals) - MIN_PAUSE_MS)))
      : new Date(now.getTime() + wait);
  const isPaused = pauses && (failures > 1 || refusals.length >= MAX_REFUSALS);
  const listAt = Date.parse(row.complete_at ?? row.created_at);
  const isStale = !pauses && now.getTime() - listAt >= STALE_MS;
  // Once, though a person may try again in vain.
  const isTold = isPaused ? !isAgain || row.failures < MAX_REFUSALS : isStale && !row.told_at;
  const title = isPaused
    ? `The registrar refuses the account “${row.label}”: enter new credentials`
    : `The account “${row.label}” has had no complete list for three days`;
  const text = refusalInWords(outcome, detail);
  return {
    outcome,
    detail,
    failures: isPaused ? Math.max(failures, MAX_REFUSALS) : failures,
    refusals: JSON.stringify(refusals),
    state: isPaused ? "refused" : row.state,
    due_at: due.toISOString(),
    priority: 0,
    told_at: isTold ? at : row.told_at,
    ...(isTold && { notice: JSON.stringify({ title, text }) }),
  };
}

/** Milliseconds until the next try; null: on the next day. */
function waitAfter(outcome: Outcome, failures: number, retryAfterMs: number | null): number | null {
  if (outcome !== "limited") return PLANS[outcome].retryMs[failures - 1] ?? null;
  const backoff = Math.min(MINUTE_MS * 2 ** (failures - 1), HOUR_MS);
  // A second limit in a row shows that the wait that the registrar names is too short.
  return Math.max(retryAfterMs ?? backoff, failures > 1 ? backoff : 0);
}

async function tellNotices(database: Database, { tell }: RunOptions): Promise<void> {
  const rows = await database.read(
    (sql) => sql<{ id: string; notice: string }[]>`
      select id, notice from registrar_accounts where notice is not null`,
  );
  if (rows.length === 0) return;
  await database.write(async (sql) => {
    for (const { id, notice } of rows) {
      const isMine = await hasRows(sql`update registrar_accounts set notice = null
        where id = ${id} and notice = ${notice} returning id`);
      const told: AccountNotice = JSON.parse(notice);
      if (isMine) await tell(sql, { key: `account:${id}:${Bun.randomUUIDv7()}`, ...told });
    }
  });
}
