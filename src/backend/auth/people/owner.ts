import type { SQL } from "bun";
import { type Database, hasRows } from "../../database/database.ts";
import { ensureSetting, removeSetting } from "../../database/setting-store.ts";
import { addUser, lockUsers, type StoredUser } from "../session/users.ts";
import { equalSecrets, normalizeCode, randomCode } from "../tokens/secrets.ts";

export type Owner = Awaited<ReturnType<typeof createOwner>>;

const CODE_SETTING = "set-up code";

/** A random code is kept until the account exists, so that all instances print the same. */
export async function createOwner(database: Database, given: string | null) {
  let owned = await database.read(hasOwner);
  const makeCode = () => database.write((sql) => ensureSetting(sql, CODE_SETTING, randomCode));
  const code = given || (owned ? null : await makeCode());

  return {
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
    ): Promise<StoredUser | null> {
      const account = await database.write(async (sql) => {
        await lockUsers(sql);
        if (await hasOwner(sql)) return null;
        await removeSetting(sql, CODE_SETTING);
        const first = { email, password, role: "owner" } as const;
        return addUser(sql, first, { action: "owner-created", address });
      });
      owned = true;
      return account;
    },
  };
}

function hasOwner(sql: SQL): Promise<boolean> {
  return hasRows(sql`select 1 from users where role = 'owner' limit 1`);
}
