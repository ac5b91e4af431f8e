import type { SQL } from "bun";
import type { Peer } from "../../../shared/api.ts";
import { countRows, type Fragment, hasRows, readColumn } from "../../database/database.ts";
import { parseFactors } from "../../../shared/factors.ts";
import * as p from "../../../shared/parse.ts";
import { SIGN_IN_WAYS, type SignInWay } from "../../../shared/session.ts";
import { RequestError } from "../../http/request-error.ts";
import { route, type Route, type UserAccount } from "../../http/route.ts";
import { readSetting, saveSetting } from "../../database/setting-store.ts";
import { removeTotp } from "./totp.ts";

export interface SignInOptions {
  oidc: { issuer: string; clientId: string; clientSecret: string } | null;
  /** The role of accounts made for addresses that a proxy signs in; null: none is made. */
  authCreate: "viewer" | null;
}

/** Whether people may sign in with a password; a server without a provider ignores it. */
const PASSWORDS_SETTING = "password sign-in";

export const createFactorsRoute = (options: SignInOptions): Route =>
  route("GET /api/factors", "limited", {
    summary: "Show your second steps",
    answer: parseFactors,
    handle: ({ database, user, publicUrl }) =>
      database.read(async (sql) => ({
        totp: (await factorsOf(sql, user.id)).includes("totp"),
        recoveryCodesLeft: await countRows(sql, sql`recovery_codes where user_id = ${user.id}`),
        linked: await hasRows(sql`select 1 from identities where user_id = ${user.id}`),
        password: await hasRows(
          sql`select 1 from users where id = ${user.id} and password is not null`,
        ),
        passkeys: publicUrl !== null,
        offered: await signInWays(sql, options, publicUrl),
      })),
  });

export async function signInWays(sql: SQL, options: SignInOptions, publicUrl: string | null) {
  const isOffered: Record<SignInWay, boolean> = {
    password: await hasPasswords(sql, options, publicUrl),
    passkey: publicUrl !== null && (await hasRows(sql`select 1 from passkeys limit 1`)),
    oidc: options.oidc !== null,
  };
  return SIGN_IN_WAYS.filter((way) => isOffered[way]);
}

/** Whether passwords are accepted: always while no owner could get in otherwise. */
export async function hasPasswords(sql: SQL, options: SignInOptions, publicUrl: string | null) {
  if (options.oidc === null || ((await readSetting(sql, PASSWORDS_SETTING, p.boolean)) ?? true)) {
    return true;
  }
  return !(await hasOwner(sql, getsInBy(sql, publicUrl ? ["passkey", "oidc"] : ["oidc"], options)));
}

/** The condition on `users` that one of some ways is open to a person. */
function getsInBy(sql: SQL, ways: readonly SignInWay[], { oidc }: SignInOptions): Fragment {
  const issuer = oidc?.issuer.replace(/\/$/, "") ?? "";
  const has = {
    password: sql`password is not null`,
    passkey: sql`exists (select 1 from passkeys where user_id = users.id)`,
    oidc: sql`exists (select 1 from identities
      where user_id = users.id and rtrim(issuer, '/') = ${issuer})`,
  };
  return sql`(${ways.reduce((any, way) => sql`${any} or ${has[way]}`, sql`1 = 0`)})`;
}

/** A function, because `await` would run a fragment. */
type CanSignIn = () => Fragment;

/** The condition on `users` that a person can sign in: read it before a change that must leave one. */
export async function readCanSignIn(
  sql: SQL,
  options: SignInOptions,
  { peer, publicUrl }: { peer: Pick<Peer, "proxyUser">; publicUrl: string | null },
): Promise<CanSignIn> {
  if (peer.proxyUser !== undefined) return () => sql`1 = 1`;
  const ways = await signInWays(sql, options, publicUrl);
  return () => getsInBy(sql, ways, options);
}

function hasOwner(sql: SQL, condition: Fragment): Promise<boolean> {
  return hasRows(sql`select 1 from users
    where role = 'owner' and disabled = 0 and ${condition} limit 1`);
}

/** @throws {RequestError} 409, which rolls back, where no owner is left who can sign in. */
export async function requireOwner(sql: SQL, canSignIn: CanSignIn): Promise<void> {
  if (await hasOwner(sql, canSignIn())) return;
  throw new RequestError(409, "This is the last owner. Make someone else an owner first.");
}

/** @throws {RequestError} 409 for "off" before an owner has signed in through the provider. */
export async function switchPasswords(sql: SQL, options: SignInOptions, isOn: boolean) {
  const hasSignedIn = sql`exists (select 1 from identities
    where user_id = users.id and signed_in_at is not null)`;
  const getsIn = sql`${getsInBy(sql, ["oidc"], options)} and ${hasSignedIn}`;
  if (!isOn && !(await hasOwner(sql, getsIn))) {
    const detail =
      "Passwords can be switched off once an owner has signed in through the sign-in service.";
    throw new RequestError(409, detail);
  }
  await saveSetting(sql, PASSWORDS_SETTING, isOn);
}

export function factorsOf(sql: SQL, userId: string): Promise<("totp" | "passkey")[]> {
  return readColumn<"totp" | "passkey">(sql`
    select 'totp' as factor from totp where user_id = ${userId} and confirmed_at is not null
    union select 'passkey' from passkeys where user_id = ${userId} order by factor desc`);
}

/** Keeps a user's last way to sign in. @throws {RequestError} 409, which rolls back. */
export async function keepWayIn(sql: SQL, canSignIn: CanSignIn, { id }: Pick<UserAccount, "id">) {
  if (await hasRows(sql`select 1 from users where id = ${id} and ${canSignIn()}`)) return;
  throw new RequestError(409, "This is your last way to sign in: set up another one first.");
}

export async function removeFactors(sql: SQL, userId: string): Promise<void> {
  await removeTotp(sql, userId);
  await sql`delete from passkeys where user_id = ${userId}`;
}
