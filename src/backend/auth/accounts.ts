import type { SQL } from "bun";
import { isPostgres } from "../database/database.ts";
import type { Account } from "../http/route.ts";

/** An account with the hash of its password, null where it has none. */
export interface StoredAccount extends Account {
  password: string | null;
  disabled: boolean;
}

/** Reads the account for which a condition on `users` holds. */
export async function findAccount(
  sql: SQL,
  condition: SQL.Query<unknown>,
): Promise<StoredAccount | null> {
  const [row] = await sql<(Omit<StoredAccount, "disabled"> & { disabled: number })[]>`
    select id, email, coalesce(name, email) as name, role, password, disabled from users
    where ${condition}`;
  return row === undefined ? null : { ...row, disabled: row.disabled === 1 };
}

/**
 * Keeps others from writing accounts until the transaction ends, whose first statement this has to
 * be. On SQLite there is one writer anyway. On Postgres two transactions could each see the other's
 * owner and remove both; a lock of the table, unlike one of rows, takes no snapshot, so what follows
 * sees what the transactions before it have left.
 */
export async function lockAccounts(sql: SQL): Promise<void> {
  if (isPostgres(sql)) await sql`lock table users in share row exclusive mode`;
}
