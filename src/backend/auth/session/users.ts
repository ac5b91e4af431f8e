import type { SQL } from "bun";
import {
  type Database,
  type Fragment,
  hasRows,
  instantIn,
  isPostgres,
  databaseClock,
} from "../../database/database.ts";
import * as p from "../../../shared/parse.ts";
import { parseEmail } from "../../../shared/people.ts";
import type { AccountRole } from "../../../shared/session.ts";
import { recordAudit, type Audited } from "../../audit/audit.ts";
import { RequestError } from "../../http/request-error.ts";
import type { UserAccount, User } from "../../http/route.ts";

export interface StoredUser extends UserAccount {
  password: string | null;
  disabled: boolean;
}

const readNow = databaseClock();

/** The columns of `users` that say who it is. A viewer with a limit has the role `limited`. */
export function accountColumns(sql: SQL): Fragment {
  return sql`users.id, users.email, coalesce(users.name, users.email) as name,
    case when limited_to is null then users.role else 'limited' end as role`;
}

/**
 * An address from a proxy or provider; null for any other text, and if more than the case of A to Z
 * folds: the Kelvin sign and a K may be two people.
 */
export function readEmail(given: unknown): string | null {
  const email = p.orElse(parseEmail, null)(given);
  const asGiven = String(given).trim();
  return asGiven.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) === email ? email : null;
}

export async function findUser(sql: SQL, condition: Fragment): Promise<StoredUser | null> {
  const [row] = await sql<(Omit<StoredUser, "disabled"> & { disabled: number })[]>`
    select ${accountColumns(sql)}, password, disabled from users
    where ${condition}`;
  return row === undefined ? null : { ...row, disabled: row.disabled === 1 };
}

/** The condition on `invitations` that a link can still be used. */
export function isOpen(sql: SQL): Fragment {
  return sql`expires_at > ${instantIn(sql, 0)}`;
}

/** What the newest open invitation of an address gives; null without one. */
export async function findInvited(sql: SQL, email: string | null) {
  type Invited = { id: string; role: AccountRole; limited_to: string | null };
  const [invited] = await sql<Invited[]>`select id, role, limited_to from invitations
    where kind = 'invitation' and email = ${email} and ${isOpen(sql)} order by id desc limit 1`;
  return invited ?? null;
}

/** Uses up the invitations of the address. Null if it has an account already. */
export async function addUser(
  sql: SQL,
  given: {
    email: string;
    role: AccountRole;
    /** The invitation's, by which the undo of a merge finds the limit again. */
    id?: string;
    /** JSON of a `Limit`. */
    limited_to?: string | null;
    name?: string | null;
    password?: string | null;
  },
  { action = "person-added", ...audited }: Partial<Audited> & Pick<Audited, "address">,
): Promise<StoredUser | null> {
  const { email, role, id = Bun.randomUUIDv7() } = given;
  const { limited_to = null, name = null, password = null } = given;
  const created_at = (await readNow(sql)).toISOString();
  const row = { id, email, role, limited_to, name, password, created_at };
  const isNew = await hasRows(sql`insert into users ${sql(row)}
    on conflict (email) do nothing returning id`);
  if (!isNew) return null;
  await sql`delete from invitations where kind = 'invitation' and email = ${email}`;
  const account = await findUser(sql, sql`id = ${id}`);
  await recordAudit(sql, { action, by: account, subject: email, ...audited });
  return account;
}

/** False if the password has changed since `user` was read. */
export function updateUser(sql: SQL, { id, password }: StoredUser, columns: object) {
  return hasRows(sql`update users set ${sql(columns)}
    where id = ${id} and password is not distinct from ${password} returning id`);
}

/** The account that a trusted proxy signs in, or null. @throws {RequestError} 400 for no address. */
export async function findProxyUser(
  database: Database,
  given: string,
  { create, address }: { create: "viewer" | null; address: string },
): Promise<User | null> {
  const email = readEmail(given);
  if (email === null) {
    throw new RequestError(400, "The proxy’s header does not contain an e-mail address.");
  }
  const find = (sql: SQL) => findUser(sql, sql`email = ${email}`);
  let found = await database.read(find);
  if (found === null && create !== null) {
    found = await database.write(async (sql) => {
      const audited = { address, detail: "signed in by the proxy" };
      const invited = (await findInvited(sql, email)) ?? { role: create };
      return (await addUser(sql, { email, ...invited }, audited)) ?? find(sql);
    });
  }
  if (found === null || found.disabled) return null;
  const { id, name, role } = found;
  return { id, email, name, role, token: null };
}

/**
 * Keeps others from writing accounts; has to be the first statement. On Postgres two transactions could
 * each see the other's owner and remove both. Unlike a lock of rows, it takes no snapshot.
 */
export async function lockUsers(sql: SQL): Promise<void> {
  if (isPostgres(sql)) await sql`lock table users in share row exclusive mode`;
}
