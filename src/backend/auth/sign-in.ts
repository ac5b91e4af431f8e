import type { SQL } from "bun";
import type { Session } from "../../shared/session.ts";
import { recordAudit } from "../audit/audit.ts";
import { type Database, hasRows } from "../database/database.ts";
import { ensureSetting, removeSetting } from "../database/setting-store.ts";
import type { CredentialCipher } from "../outbound/credentials.ts";
import { RequestError } from "../http/request-error.ts";
import { Reply, type UserAccount, type RequestContext } from "../http/route.ts";
import { addUser, findUser, lockUsers, type StoredUser } from "./session/users.ts";
import { createAttempts } from "./tokens/attempts.ts";
import { endChallenge, readChallenge, saveChallenge } from "./factors/challenges.ts";
import { sessionCookies } from "./session/cookies.ts";
import { createPasswords, type PasswordCost } from "./people/passwords.ts";
import {
  equalSecrets,
  hashToken,
  normalizeCode,
  randomCode,
  randomToken,
} from "./tokens/secrets.ts";
import { addSession, clientOf, endSession } from "./session/sessions.ts";
import { factorsOf, type SignInOptions } from "./factors/sign-in-ways.ts";
import { useCode } from "./factors/totp.ts";

export type Auth = Awaited<ReturnType<typeof openAuth>>;

export interface AuthOptions extends Partial<SignInOptions> {
  /** What the owner needs to create the account; random where it is null. */
  setupCode: string | null;
  /** For tests that sign in often; by default what OWASP recommends. */
  passwordCost?: PasswordCost;
}

export async function openAuth(
  database: Database,
  { setupCode, passwordCost, oidc = null, authCreate = null }: AuthOptions,
  cipher: CredentialCipher,
) {
  const xsrfSecret = await database.write((sql) => ensureSetting(sql, "xsrf secret", randomToken));
  return {
    owner: await createOwner(database, setupCode),
    passwords: createPasswords(passwordCost),
    attempts: createAttempts(database),
    xsrfSecret,
    cipher,
    signIn: { oidc, authCreate },
  };
}

type PublicContext = Omit<RequestContext<"", "public">, "params" | "query" | "body">;

export const CODES: ("totp" | "recovery")[] = ["totp", "recovery"];

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
  const challenge = { sessionId, userId: account.id, value, address: peer.address };
  await database.write(async (sql) => {
    await saveChallenge(sql, "code", challenge);
    if (session.id !== null) await endSession(sql, session.id);
  });
  return new Reply<Session>(
    { state: "signed-out", factors: CODES },
    sessionCookies(auth, sessionId, peer),
  );
}

/** Wrong codes count apart from passwords: the right password must not take back what was guessed. */
export async function signInWithCode(auth: Auth, context: PublicContext, code: string) {
  const { database, session, peer, readNow } = context;
  const find = async (sql: SQL) => {
    const pending = await readChallenge(sql, "code", session.id);
    return { pending, found: await findUser(sql, sql`id = ${pending?.userId ?? ""}`) };
  };
  const { found: person } = await database.read(find);
  const signIn = async () => {
    const account = await database.write(async (sql) => {
      const { pending, found } = await find(sql);
      if (found === null || hashToken(found.password ?? "") !== pending?.value) {
        throw new RequestError(401, "Enter your password again: the last time was too long ago.");
      }
      const given = { userId: found.id, code, now: await readNow(sql) };
      const used = await useCode(sql, auth.cipher, given);
      if (used === null) throw new RequestError(401, "That code is wrong or was already used.");
      await endChallenge(sql, "code", session.id);
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

/** Signs the account in; 403 where it is disabled, 401 where its password was changed meanwhile. */
export async function startSession(
  auth: Auth,
  { database, request, peer, session }: PublicContext,
  account: StoredUser,
  way: string,
  status = 200,
): Promise<Reply<Session>> {
  if (account.disabled) throw accountDisabled();
  const { address } = peer;
  const { sessionId, factors } = await database.write(async (sql) => {
    const added = await addSession(sql, account, clientOf(request, peer), session.id);
    if (added === null) {
      throw new RequestError(401, "This account has changed in the meantime. Sign in again.");
    }
    await recordAudit(sql, { action: "sign-in", by: account, address, detail: way });
    return { sessionId: added, factors: await factorsOf(sql, account.id) };
  });
  return new Reply(signedIn(account, factors), sessionCookies(auth, sessionId, peer), status);
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

const CODE_SETTING = "set-up code";

/** A random code is kept until the account exists, so that all instances print the same. */
export async function createOwner(database: Database, given: string | null) {
  let owned = await database.read(hasOwner);
  const makeCode = () => database.write((sql) => ensureSetting(sql, CODE_SETTING, randomCode));
  const code = given || (owned ? null : await makeCode());

  return {
    setUpCode: owned ? null : code,
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
    async create(email: string, password: string, address: string | null) {
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
