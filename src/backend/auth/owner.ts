import type { SQL } from "bun";
import { object, text } from "../../shared/parse.ts";
import { openExistingDatabase, type Database } from "../database/database.ts";
import { DatabaseError } from "../database/database-error.ts";
import { readSchema } from "../database/migrate.ts";
import { ensureSetting, readSetting, removeSetting, saveSetting } from "../setting-store.ts";
import { findAccount, lockAccounts, type StoredAccount } from "./accounts.ts";
import { equalSecrets, hashToken, normalizeCode, randomCode } from "./secrets.ts";
import { deleteOtherSessions } from "./sessions.ts";

/** The one account, created with the set-up code. */
export type Owner = Awaited<ReturnType<typeof createOwner>>;

const CODE_SETTING = "set-up code";

/** When the code of `owner reset` ends, and its hash. */
const RESET_SETTING = "reset code";
const parseReset = object({ endsAt: text, hash: text });
const RESET_MS = 60 * 60_000;

/**
 * Opens the owner's account. Without a given code a random one is made and kept until the account
 * exists, so that every instance and every restart prints the same.
 */
export async function createOwner(database: Database, given: string | null) {
  let owned = await database.read(hasOwner);
  const makeCode = () => database.write((sql) => ensureSetting(sql, CODE_SETTING, randomCode));
  const code = given || (owned ? null : await makeCode());

  return {
    /** The code to print while there is no account. */
    setUpCode: owned ? null : code,
    /** Whether the account exists; once it does, it stays. */
    async exists() {
      owned ||= await database.read(hasOwner);
      return owned;
    },
    isSetUpCode(candidate: string) {
      if (code === null) return false;
      if (given) return equalSecrets(candidate, given);
      return equalSecrets(normalizeCode(candidate), normalizeCode(code));
    },
    /** Creates the account; null where another request was faster. */
    async create(email: string, password: string): Promise<StoredAccount | null> {
      const account = { id: Bun.randomUUIDv7(), email, password, role: "owner" as const };
      const row = { ...account, created_at: new Date().toISOString() };
      const isFirst = await database.write(async (sql) => {
        await lockAccounts(sql);
        if (await hasOwner(sql)) return false;
        await sql`insert into users ${sql(row)}`;
        await removeSetting(sql, CODE_SETTING);
        return true;
      });
      owned = true;
      return isFirst ? { ...account, name: email, disabled: false } : null;
    },
    find: (email: string) => database.read((sql) => findAccount(sql, sql`email = ${email}`)),
    findByResetCode: (candidate: string) => database.read((sql) => findByResetCode(sql, candidate)),
    /** Replaces the password, uses the code up and ends all sessions; null where it is not right. */
    resetPassword: (candidate: string, password: string) =>
      database.write(async (sql) => {
        const account = await findByResetCode(sql, candidate);
        if (account === null) return null;
        await sql`update users set password = ${password} where id = ${account.id}`;
        await removeSetting(sql, RESET_SETTING);
        await deleteOtherSessions(sql, account, null);
        return { ...account, password };
      }),
    /** Changes the address; false where the password is not that of `account` any more. */
    changeEmail: (account: StoredAccount, email: string) =>
      database.write(async (sql) => {
        const changed = await sql<unknown[]>`update users set email = ${email}
          where id = ${account.id} and password is not distinct from ${account.password} returning id`;
        return changed.length > 0;
      }),
    /** Replaces the password and ends all other sessions; false where it is not that of `account`. */
    changePassword: (
      account: StoredAccount,
      passwordHash: string,
      currentSessionId: string | null,
    ) =>
      database.write(async (sql) => {
        const changed = await sql<unknown[]>`update users set password = ${passwordHash}
          where id = ${account.id} and password is not distinct from ${account.password} returning id`;
        if (changed.length === 0) return false;
        await deleteOtherSessions(sql, account, currentSessionId);
        return true;
      }),
  };
}

/**
 * The command `owner reset`: makes a code with which the owner sets a new password, once and within an
 * hour; one that was made before is void. A server may be using the database meanwhile.
 *
 * @throws {DatabaseError} With one line for the operator, also where there is no owner yet.
 */
export async function createResetCode(databaseUrl: string): Promise<string> {
  const database = await openExistingDatabase(databaseUrl);
  try {
    const code = randomCode();
    const endsAt = new Date(Date.now() + RESET_MS).toISOString();
    await database.write(async (sql) => {
      if ((await readSchema(sql)) === null || !(await hasOwner(sql))) {
        throw new DatabaseError(`The database ${database.place} has no owner yet: set it up first`);
      }
      await saveSetting(sql, RESET_SETTING, { endsAt, hash: hashToken(normalizeCode(code)) });
    });
    return code;
  } finally {
    await database.close();
  }
}

/** The owner, where a reset code is the one that was made last and has not ended. */
async function findByResetCode(sql: SQL, code: string): Promise<StoredAccount | null> {
  const reset = await readSetting(sql, RESET_SETTING, parseReset);
  if (reset === null || reset.endsAt <= new Date().toISOString()) return null;
  if (!equalSecrets(hashToken(normalizeCode(code)), reset.hash)) return null;
  return findAccount(sql, sql`role = 'owner' order by id limit 1`);
}

async function hasOwner(sql: SQL): Promise<boolean> {
  const rows = await sql<unknown[]>`select 1 from users where role = 'owner' limit 1`;
  return rows.length > 0;
}
