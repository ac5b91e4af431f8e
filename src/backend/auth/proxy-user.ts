import type { Database } from "../database/database.ts";
import { RequestError } from "../http/request-error.ts";
import type { User } from "../http/route.ts";
import { addAccount, findAccount, readEmail, type StoredAccount } from "./accounts.ts";

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
