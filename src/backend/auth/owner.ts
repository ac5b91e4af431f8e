import type { SQL } from "bun";
import { recordAudit } from "../audit.ts";
import type { Database } from "../database/database.ts";
import { RequestError } from "../http/request-error.ts";
import { ensureSetting, removeSetting } from "../setting-store.ts";
import { addAccount, findAccount, lockAccounts, type StoredAccount } from "./accounts.ts";
import { equalSecrets, normalizeCode, randomCode } from "./secrets.ts";
import { deleteOtherSessions } from "./sessions.ts";

/** The first account, created with the set-up code, and what people change of their own. */
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
    async create(
      email: string,
      password: string,
      address: string | null = null,
    ): Promise<StoredAccount | null> {
      const account = await database.write(async (sql) => {
        await lockAccounts(sql);
        if (await hasOwner(sql)) return null;
        await removeSetting(sql, CODE_SETTING);
        const first = { email, password, role: "owner" } as const;
        return addAccount(sql, first, { action: "owner-created", address });
      });
      owned = true;
      return account;
    },
    find: (email: string) => database.read((sql) => findAccount(sql, sql`email = ${email}`)),
    /**
     * Changes the address; false where the password is not that of `account` any more.
     *
     * @throws {RequestError} 409 where it is another person's.
     */
    changeEmail: (account: StoredAccount, email: string, address: string) =>
      database.write(async (sql) => {
        const taken = await findAccount(sql, sql`email = ${email} and id <> ${account.id}`);
        if (taken !== null) throw new RequestError(409, "Another account has this address.");
        const changed = await sql<unknown[]>`update users set email = ${email}
          where id = ${account.id} and password is not distinct from ${account.password} returning id`;
        if (changed.length === 0) return false;
        const about = { by: account, address, subject: account.email, detail: email };
        await recordAudit(sql, { action: "email-changed", ...about });
        return true;
      }),
    /** Replaces the password and ends all sessions but `keep`; false where it is not that of `account`. */
    changePassword: (
      account: StoredAccount,
      passwordHash: string,
      { keep, address }: { keep: string | null; address: string },
    ) =>
      database.write(async (sql) => {
        const changed = await sql<unknown[]>`update users set password = ${passwordHash}
          where id = ${account.id} and password is not distinct from ${account.password} returning id`;
        if (changed.length === 0) return false;
        await deleteOtherSessions(sql, account, keep);
        await sql`delete from invitations where user_id = ${account.id}`;
        const about = { by: account, address, subject: account.email };
        await recordAudit(sql, { action: "password-changed", ...about });
        return true;
      }),
  };
}

async function hasOwner(sql: SQL): Promise<boolean> {
  const rows = await sql<unknown[]>`select 1 from users where role = 'owner' limit 1`;
  return rows.length > 0;
}
