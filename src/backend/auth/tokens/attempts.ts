import type { SQL } from "bun";
import { type Database, type Fragment, hasRows, isPostgres } from "../../database/database.ts";
import { subscriberOf } from "../../../shared/api.ts";
import { recordFailedSignIn } from "../../audit/audit.ts";
import { LostRightError, RequestError, tryLater } from "../../http/request-error.ts";
import { hashToken } from "./secrets.ts";

export type Attempts = ReturnType<typeof createAttempts>;

/** The tenth failure within 15 minutes locks an address for as long. */
const MAX_ATTEMPTS = 10;
const LOCK_MS = 15 * 60_000;

/** With more addresses than this, the ones that would be open first are forgotten. */
const MAX_ADDRESSES = 10_000;

/**
 * Counts failed attempts by subscriber (of IPv6 a /64), never by account alone: an attacker locks out only
 * their own address. All instances count together. A locked address costs a read and no write.
 */
export function createAttempts(database: Database) {
  const change = <T>(work: (sql: SQL) => Promise<T>) =>
    database.write(async (sql) => {
      // Many at once take turns here; otherwise each would fail and be repeated for all before it.
      if (isPostgres(sql)) await sql`lock table failed_sign_ins in share row exclusive mode`;
      return work(sql);
    });

  /** Attempts here whose outcome is not known yet. */
  const running = new Set<{ key: string }>();
  const refusal = (key: string, seconds: number) =>
    running.values().some((each) => each.key === key)
      ? tryLater(503, "Many people at your address are signing in. Try again in a moment.", 1)
      : tooManyAttempts(seconds);

  /**
   * Counts `attempt` before its outcome is known: 401, 403 and 409 are failures, which the audit log has as
   * `noted`. @throws {RequestError} 429 when the address is locked, before or after this attempt.
   */
  async function count<T>(
    key: string,
    account: string,
    attempt: () => Promise<T>,
    noted: Parameters<typeof recordFailedSignIn>[1] | null,
  ): Promise<T> {
    const lockedMs = await database.read((sql) => readLock(sql, key));
    if (lockedMs !== null) throw refusal(key, Math.ceil(lockedMs / 1000));
    const attempts = await change(async (sql) => {
      const isOver = sql`not (${isCounted(sql)})`;
      const [row] = await sql<{ attempts: number }[]>`
        insert into failed_sign_ins (address, account, attempts, ends_at)
        values (${key}, ${account}, 1, ${now(sql)} + ${LOCK_MS})
        on conflict (address) do update set
          account = case when ${isOver} or failed_sign_ins.account = excluded.account
            then excluded.account else '' end,
          attempts = case when ${isOver} then 1 else failed_sign_ins.attempts + 1 end,
          ends_at = case when ${isOver} or failed_sign_ins.attempts >= ${MAX_ATTEMPTS - 1}
            then excluded.ends_at else failed_sign_ins.ends_at end
        where ${isOver} or failed_sign_ins.attempts < ${MAX_ATTEMPTS}
        returning attempts`;
      if (row?.attempts === 1) await forgetOldest(sql);
      return row?.attempts ?? null;
    });
    if (attempts === null) throw refusal(key, LOCK_MS / 1000);
    const giveBack = (sql: SQL) =>
      sql`update failed_sign_ins set attempts = attempts - 1
        where address = ${key} and attempts > 0`;
    const own = { key };
    try {
      running.add(own);
      const result = await attempt().finally(() => running.delete(own));
      await change(async (sql) => {
        if (!(await forget(sql, key, account))) await giveBack(sql);
      });
      return result;
    } catch (error) {
      const isRefused = error instanceof RequestError && !(error instanceof LostRightError);
      if (isRefused && [401, 403, 409].includes(error.status)) {
        // A 409 comes after the right password.
        if (error.status !== 409 && noted !== null) {
          await database.write((sql) => recordFailedSignIn(sql, noted));
        }
        throw attempts >= MAX_ATTEMPTS ? tooManyAttempts(LOCK_MS / 1000) : error;
      }
      await change(giveBack);
      throw error;
    }
  }

  return {
    /**
     * Counts failures of `attempt` against the address. Success forgets them only if all were of this account:
     * sign-ins in between must not help to guess another's password.
     */
    limit: <T>(address: string, account: string, attempt: () => Promise<T>): Promise<T> =>
      count(subscriberOf(address), hashToken(account), attempt, { subject: account, address }),

    /** Counts wrong codes against the person, from all addresses: six digits can be guessed. */
    limitCodes: <T>(userId: string, attempt: () => Promise<T>): Promise<T> =>
      count(`codes of ${userId}`, "", attempt, null),

    /** Counts apart from passwords: a forgotten script must not lock out the people of its address. */
    failToken(address: string, detail: string): Promise<never> {
      const fail = () => Promise.reject(new RequestError(401, detail));
      const noted = { subject: "API token", address };
      return count(`tokens of ${subscriberOf(address)}`, "", fail, noted);
    },

    /** Forgets the failures of an address, where all were of this account. */
    clear: (address: string, account: string) =>
      change((sql) => forget(sql, subscriberOf(address), hashToken(account))),

    sweep: () =>
      database.write((sql) => sql`delete from failed_sign_ins where not (${isCounted(sql)})`),
  };
}

/** The condition that a row counts: it has not ended, and no clock that was ahead wrote it. */
function isCounted(sql: SQL): Fragment {
  return sql`failed_sign_ins.ends_at between ${now(sql)} + 1 and ${now(sql)} + ${2 * LOCK_MS}`;
}

/** Milliseconds for which a key, such as a subscriber's address, is still locked; null if it is not. */
async function readLock(sql: SQL, key: string): Promise<number | null> {
  const [lock] = await sql<{ ms: number }[]>`
    select cast(ends_at - ${now(sql)} as integer) as ms from failed_sign_ins
    where address = ${key} and attempts >= ${MAX_ATTEMPTS} and ${isCounted(sql)}`;
  return lock?.ms ?? null;
}

/** False if there are none, or some were of another account. */
function forget(sql: SQL, key: string, account: string): Promise<boolean> {
  return hasRows(sql`delete from failed_sign_ins
    where address = ${key} and account = ${account} returning address`);
}

async function forgetOldest(sql: SQL): Promise<void> {
  await sql`delete from failed_sign_ins where address in (
    select address from failed_sign_ins order by ends_at desc limit ${MAX_ADDRESSES}
    offset ${MAX_ADDRESSES})`;
}

/** Milliseconds since 1970: by the server of Postgres, as the clocks of its instances may differ. */
function now(sql: SQL): Fragment {
  return isPostgres(sql)
    ? sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql`${Date.now()}`;
}

function tooManyAttempts(seconds: number): RequestError {
  const wait = seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return tryLater(429, `Too many failed attempts. Try again in ${wait}.`, seconds);
}
