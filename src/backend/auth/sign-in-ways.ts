import type { SQL } from "bun";
import { boolean } from "../../shared/parse.ts";
import { SIGN_IN_WAYS, type SignInWay } from "../../shared/session.ts";
import { RequestError } from "../http/request-error.ts";
import type { RequestContext } from "../http/route.ts";
import { readSetting, saveSetting } from "../setting-store.ts";
import { removeTotp } from "./totp.ts";

/** What the operator has configured to sign in by. */
export interface SignInOptions {
  /** Null: no provider. */
  oidc: { issuer: string; clientId: string; clientSecret: string } | null;
  /** The role of accounts made for addresses that a proxy signs in; null: none is made. */
  authCreate: "viewer" | null;
}

/** Whether people may sign in with a password; a server without a provider ignores it. */
const PASSWORDS_SETTING = "password sign-in";

/** How a sign-in may begin now. */
export async function signInWays(
  sql: SQL,
  options: SignInOptions,
  publicUrl: string | null,
): Promise<SignInWay[]> {
  const [passkey] = await sql<unknown[]>`select 1 from passkeys limit 1`;
  const isOffered: Record<SignInWay, boolean> = {
    password: await hasPasswords(sql, options),
    passkey: publicUrl !== null && passkey !== undefined,
    oidc: options.oidc !== null,
  };
  return SIGN_IN_WAYS.filter((way) => isOffered[way]);
}

/** Whether passwords sign in: always without a provider, so that removing it locks out nobody. */
export async function hasPasswords(sql: SQL, { oidc }: SignInOptions): Promise<boolean> {
  return oidc === null || ((await readSetting(sql, PASSWORDS_SETTING, boolean)) ?? true);
}

/**
 * Switches sign-in by password on or off, which takes an owner who can sign in otherwise.
 *
 * @throws {RequestError} 409 before an owner has signed in through the provider.
 */
export async function switchPasswords(
  sql: SQL,
  { oidc }: SignInOptions,
  isOn: boolean,
): Promise<void> {
  const owners = await sql<unknown[]>`select 1 from identities
    join users on users.id = identities.user_id
    where role = 'owner' and disabled = 0 and signed_in_at is not null
      and rtrim(issuer, '/') = ${oidc?.issuer.replace(/\/$/, "") ?? ""} limit 1`;
  if (!isOn && owners.length === 0) {
    const detail =
      "Passwords can be switched off once an owner has signed in through the sign-in service.";
    throw new RequestError(409, detail);
  }
  await saveSetting(sql, PASSWORDS_SETTING, isOn);
}

/** The second steps and passkeys of a person, as far as there are any. */
export async function factorsOf(sql: SQL, userId: string): Promise<("totp" | "passkey")[]> {
  const rows = await sql<{ factor: "totp" | "passkey" }[]>`
    select 'totp' as factor from totp where user_id = ${userId} and confirmed_at is not null
    union select 'passkey' from passkeys where user_id = ${userId} order by factor desc`;
  return rows.map(({ factor }) => factor);
}

/**
 * Keeps a user from removing their last way to sign in. A proxy that vouches for them counts as one.
 *
 * @throws {RequestError} 409, which rolls back.
 */
export async function keepWayIn(
  sql: SQL,
  options: SignInOptions,
  {
    user: { id },
    peer,
    publicUrl,
  }: Pick<RequestContext<"", "viewer">, "user" | "peer" | "publicUrl">,
): Promise<void> {
  if (peer.proxyUser !== undefined) return;
  const ways = await sql<{ way: SignInWay }[]>`
    select 'password' as way from users where id = ${id} and password is not null
    union select 'passkey' from passkeys where user_id = ${id}
    union select 'oidc' from identities where user_id = ${id}`;
  const offered = await signInWays(sql, options, publicUrl);
  if (ways.some(({ way }) => offered.includes(way))) return;
  throw new RequestError(409, "This is your last way to sign in: set up another one first.");
}

/** Removes all second steps and passkeys of a person, who has lost them. */
export async function removeFactors(sql: SQL, userId: string): Promise<void> {
  await removeTotp(sql, userId);
  await sql`delete from passkeys where user_id = ${userId}`;
}
