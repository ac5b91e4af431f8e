import type { SQL } from "bun";
import type { Database } from "../database/database.ts";
import type { User } from "./sessions.ts";
import { equalSecrets, keepSetting, randomCode } from "./secrets.ts";

/** The one account, which whoever holds the set-up code creates. */
export interface Owner {
  /** Whether the account is there; once it is, it stays. */
  exists(): Promise<boolean>;
  /** The code to print while there is none. */
  readonly setUpCode: string | null;
  isSetUpCode(code: string): boolean;
  /** Creates the account; null where somebody was faster. */
  create(email: string, passwordHash: string): Promise<User | null>;
  /** The account with this address and its password hash. */
  find(email: string): Promise<(User & { password: string }) | null>;
}

const CODE_SETTING = "set-up code";

/**
 * Knows the owner. Without a code given, a random one is made and kept until the register has its
 * owner, so that every instance and every restart prints the same.
 */
export async function createOwner(database: Database, given: string | null): Promise<Owner> {
  let owned = await database.read(hasOwner);
  const code = given || (owned ? null : await randomSetUpCode(database));

  return {
    setUpCode: owned ? null : code,
    async exists() {
      owned ||= await database.read(hasOwner);
      return owned;
    },
    isSetUpCode(candidate) {
      if (code === null) return false;
      if (given) return equalSecrets(candidate, given);
      return equalSecrets(readable(candidate), readable(code));
    },
    async create(email, password) {
      const user = { id: Bun.randomUUIDv7(), email };
      const row = { ...user, password, owner: 1, created_at: new Date().toISOString() };
      const [created] = await database.write(async (sql) => {
        // Every conflict is one with the owner: nobody else exists.
        const rows = await sql<User[]>`
          insert into users ${sql(row)} on conflict do nothing returning id`;
        await sql`delete from settings where name = ${CODE_SETTING}`;
        return rows;
      });
      owned = true;
      return created === undefined ? null : user;
    },
    async find(email) {
      const [row] = await database.read(
        (sql) => sql<(User & { password: string })[]>`
          select id, email, password from users where email = ${email}`,
      );
      return row ?? null;
    },
  };
}

async function hasOwner(sql: SQL): Promise<boolean> {
  const rows = await sql<unknown[]>`select 1 from users where owner = 1`;
  return rows.length > 0;
}

function randomSetUpCode(database: Database): Promise<string> {
  return database.write((sql) => keepSetting(sql, CODE_SETTING, randomCode));
}

/** A random code as it may be typed: any case, with or without its hyphens. */
function readable(code: string): string {
  return code.replace(/[\s-]/g, "").toUpperCase();
}
