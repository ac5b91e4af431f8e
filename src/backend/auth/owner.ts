import type { SQL } from "bun";
import type { Database } from "../database/database.ts";
import type { User } from "../http/router.ts";
import { ensureSetting, equalSecrets, randomCode } from "./secrets.ts";
import { deleteOtherSessions } from "./sessions.ts";

/** A user with the hash of their password. */
export type Account = User & { password: string };

/** The one account, created with the set-up code. */
export type Owner = Awaited<ReturnType<typeof createOwner>>;

const CODE_SETTING = "set-up code";

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
    async create(email: string, password: string): Promise<Account | null> {
      const account = { id: Bun.randomUUIDv7(), email, password };
      const row = { ...account, owner: 1, created_at: new Date().toISOString() };
      const [created] = await database.write(async (sql) => {
        // Every conflict is one with the owner: there are no other users.
        const rows = await sql<{ id: string }[]>`
          insert into users ${sql(row)} on conflict do nothing returning id`;
        await sql`delete from settings where name = ${CODE_SETTING}`;
        return rows;
      });
      owned = true;
      return created === undefined ? null : account;
    },
    async find(email: string): Promise<Account | null> {
      const [row] = await database.read(
        (sql) => sql<Account[]>`select id, email, password from users where email = ${email}`,
      );
      return row ?? null;
    },
    /** Replaces the password and ends all other sessions; false where it is not that of `account`. */
    changePassword: (account: Account, passwordHash: string, currentSessionId: string | null) =>
      database.write(async (sql) => {
        const changed = await sql<unknown[]>`update users set password = ${passwordHash}
          where id = ${account.id} and password = ${account.password} returning id`;
        if (changed.length === 0) return false;
        await deleteOtherSessions(sql, account, currentSessionId);
        return true;
      }),
  };
}

async function hasOwner(sql: SQL): Promise<boolean> {
  const rows = await sql<unknown[]>`select 1 from users where owner = 1`;
  return rows.length > 0;
}

/** A random code may be typed in any case, with or without its hyphens. */
function normalizeCode(code: string): string {
  return code.replace(/[\s-]/g, "").toUpperCase();
}
