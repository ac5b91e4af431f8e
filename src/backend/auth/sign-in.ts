import type { SQL } from "bun";
import type { Peer } from "../../shared/api.ts";
import type { parsePasskeySignIn } from "../../shared/factors.ts";
import type { Parsed } from "../../shared/parse.ts";
import type { Session } from "../../shared/session.ts";
import { recordAudit } from "../audit/audit.ts";
import type { CredentialCipher } from "../outbound/credentials.ts";
import { RequestError } from "../http/request-error.ts";
import { Reply, type UserAccount, type RequestContext } from "../http/route.ts";
import { findUser, type StoredUser } from "./session/users.ts";
import type { ApiTokens } from "./tokens/api-tokens.ts";
import type { Attempts } from "./tokens/attempts.ts";
import { endChallenge, readChallenge, saveChallenge } from "./factors/challenges.ts";
import type { XsrfTokens } from "./session/forgery.ts";
import type { Owner } from "./people/owner.ts";
import { verifyPasskey } from "./factors/passkeys.ts";
import type { Passwords } from "./people/passwords.ts";
import { hashToken, randomToken } from "./tokens/secrets.ts";
import { clientOf, sessionCookie, xsrfCookie, type Sessions } from "./session/sessions.ts";
import { factorsOf, signInWays, type SignInOptions } from "./factors/sign-in-ways.ts";
import { useCode } from "./factors/totp.ts";

export interface Auth {
  sessions: Sessions;
  owner: Owner;
  passwords: Passwords;
  attempts: Attempts;
  tokens: ApiTokens;
  xsrf: XsrfTokens;
  cipher: CredentialCipher;
  signIn: SignInOptions;
}

export type PublicContext = Omit<RequestContext<"", "public">, "params" | "query" | "body">;

/** What a sign-in takes next after the right password of an account with an authenticator app. */
const CODES: ("totp" | "recovery")[] = ["totp", "recovery"];

/** `GET /api/token`, but for its cookies. */
export async function describeSession(
  auth: Auth,
  { database, session, user, publicUrl }: PublicContext,
): Promise<Session> {
  if (user !== null) return signedIn(user, await database.read((sql) => factorsOf(sql, user.id)));
  if (!(await auth.owner.exists())) return { state: "set-up" };
  return database.read(async (sql) => {
    const key = { sessionId: session.id, kind: "code" } as const;
    const isPending = (await readChallenge(sql, key)) !== null;
    const signIn = await signInWays(sql, auth.signIn, publicUrl);
    const isPlain = signIn.length === 1 && signIn[0] === "password";
    return {
      state: "signed-out",
      ...(isPending && { factors: CODES }),
      ...(!isPlain && { signIn }),
    };
  });
}

/** Signs in an account that is vouched for, or asks for the code of its app first. */
export async function continueSignIn(
  auth: Auth,
  context: PublicContext,
  account: StoredUser,
  way: string,
): Promise<Reply<Session>> {
  const { database, session, peer } = context;
  const factors = await database.read((sql) => factorsOf(sql, account.id));
  if (!factors.includes("totp")) return startSession(auth, context, account, way);
  // Another id: one that was planted in this browser must not get as far as the code.
  const sessionId = randomToken();
  const value = hashToken(account.password ?? "");
  const challenge = { userId: account.id, value, address: peer.address };
  await database.write((sql) => saveChallenge(sql, { sessionId, kind: "code" }, challenge));
  if (session.id !== null) await auth.sessions.end(session.id);
  return new Reply<Session>(
    { state: "signed-out", factors: CODES },
    sessionCookies(auth, sessionId, peer),
  );
}

/**
 * The second half of a sign-in. Wrong codes count apart from passwords, so that the right password
 * in between does not take back what was guessed.
 */
export async function signInWithCode(auth: Auth, context: PublicContext, code: string) {
  const { database, session, peer, readNow } = context;
  const key = { sessionId: session.id, kind: "code" } as const;
  const find = async (sql: SQL) => {
    const pending = await readChallenge(sql, key);
    return { pending, found: await findUser(sql, sql`id = ${pending?.userId ?? ""}`) };
  };
  const { found: person } = await database.read(find);
  const signIn = async () => {
    const account = await database.write(async (sql) => {
      const { pending, found } = await find(sql);
      if (found === null || hashToken(found.password ?? "") !== pending?.value) {
        throw new RequestError(401, "Enter your password again: it was too long ago.");
      }
      const given = { userId: found.id, code, now: await readNow(sql) };
      const used = await useCode(sql, auth.cipher, given);
      if (used === null)
        throw new RequestError(401, "That code is not right, or was used already.");
      await endChallenge(sql, key);
      if (used === "recovery") {
        const { address } = peer;
        await recordAudit(sql, { action: "recovery-code-used", by: found, address });
      }
      return found;
    });
    return startSession(auth, context, account, "code");
  };
  const { limit, limitCodes } = auth.attempts;
  return limit(peer.address, `code of ${person?.email ?? "nobody"}`, () =>
    person === null ? signIn() : limitCodes(person.id, signIn),
  );
}

export function signInWithPasskey(
  auth: Auth,
  context: PublicContext,
  passkey: Parsed<typeof parsePasskeySignIn>,
) {
  const { database, peer } = context;
  return auth.attempts.limit(peer.address, "passkey", async () => {
    const userId = await verifyPasskey(context, passkey);
    const account = await database.read((sql) => findUser(sql, sql`id = ${userId}`));
    if (account === null) throw new RequestError(401, "This account no longer exists.");
    return startSession(auth, context, account, "passkey");
  });
}

/** Signs the account in; 403 where it is disabled, 401 where its password was changed meanwhile. */
export async function startSession(
  auth: Auth,
  { database, request, peer, session }: PublicContext,
  account: StoredUser,
  way: string,
  status = 200,
): Promise<Reply<Session>> {
  if (account.disabled) throw accountDisabled();
  const client = clientOf(request, peer);
  const { address } = peer;
  const sessionId = await auth.sessions.start(
    account,
    account.password,
    client,
    session.id,
    (sql) => recordAudit(sql, { action: "sign-in", by: account, address, detail: way }),
  );
  if (sessionId === null) {
    throw new RequestError(401, "This account was changed meanwhile. Sign in again.");
  }
  const factors = await database.read((sql) => factorsOf(sql, account.id));
  return new Reply(signedIn(account, factors), sessionCookies(auth, sessionId, peer), status);
}

export function sessionCookies({ xsrf }: Auth, sessionId: string, peer: Peer) {
  const own = ["Set-Cookie", sessionCookie(sessionId, peer)] as const;
  return [own, ["Set-Cookie", xsrfCookie(xsrf.issue(sessionId), peer)]] as const;
}

export function signedIn(
  { id, email, name, role }: UserAccount,
  factors: ("totp" | "passkey")[] = [],
): Session {
  return { state: "signed-in", id, email, name, role, ...(factors.length > 0 && { factors }) };
}

export function accountDisabled(): RequestError {
  return new RequestError(403, "This account is disabled. Ask an owner to enable it.");
}
