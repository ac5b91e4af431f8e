import type { SQL } from "bun";
import { ParseError } from "../../shared/parse.ts";
import { parseEmail } from "../../shared/people.ts";
import type { AccountRole } from "../../shared/session.ts";
import { recordAudit, type Audited } from "../audit.ts";
import { type Database, isPostgres } from "../database/database.ts";
import { RequestError } from "../http/request-error.ts";
import type { Account, User } from "../http/route.ts";

/** An account with the hash of its password, null where it has none. */
export interface StoredAccount extends Account {
  password: string | null;
  disabled: boolean;
}

/** The e-mail address that another server sends; null where it is none. */
export function readEmail(given: unknown): string | null {
  try {
    return parseEmail(given);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
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
 * Adds an account, which uses up the invitations of its address; null where the address has one
 * already. Inside a transaction.
 */
export async function addAccount(
  sql: SQL,
  given: { email: string; role: AccountRole; name?: string | null; password?: string | null },
  { action = "person-added", ...audited }: Partial<Audited> & Pick<Audited, "address">,
): Promise<StoredAccount | null> {
  const { email, role, name = null, password = null } = given;
  const row = { id: Bun.randomUUIDv7(), email, role, name, password };
  const added = await sql<unknown[]>`
    insert into users ${sql({ ...row, created_at: new Date().toISOString() })}
    on conflict (email) do nothing returning id`;
  if (added.length === 0) return null;
  await sql`delete from invitations where kind = 'invitation' and email = ${email}`;
  const account = { ...row, name: name ?? email, disabled: false };
  await recordAudit(sql, { action, by: account, subject: email, ...audited });
  return account;
}

/**
 * The account with the e-mail address that a trusted proxy signs in, for one request. Null where there
 * is none, or it is disabled: then nobody is signed in, whatever session the browser has.
 *
 * @param create Makes an account with this role for an address that has none.
 * @throws {RequestError} 400 where the header holds no e-mail address.
 */
export async function findProxyUser(
  database: Database,
  given: string,
  { create, address }: { create: "viewer" | null; address: string },
): Promise<User | null> {
  const email = readEmail(given);
  if (email === null) {
    throw new RequestError(400, "The header of the proxy holds no e-mail address.");
  }
  const found = await database.read((sql) => findAccount(sql, sql`email = ${email}`));
  if (found !== null || create === null) return toUser(found);
  const made = await database.write(async (sql) => {
    const audited = { address, detail: "signed in by the proxy" };
    const added = await addAccount(sql, { email, role: create }, audited);
    return added ?? findAccount(sql, sql`email = ${email}`);
  });
  return toUser(made);
}

function toUser(account: StoredAccount | null): User | null {
  if (account === null || account.disabled) return null;
  const { id, email, name, role } = account;
  return { id, email, name, role, token: null };
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
