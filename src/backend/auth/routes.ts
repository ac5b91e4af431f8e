import type { SQL } from "bun";
import { ACCEPT_PATH, parseSession, TOKEN_PATH, type Session } from "../../shared/session.ts";
import { recordRequest } from "../audit/audit.ts";
import { notSignedIn, RequestError } from "../http/request-error.ts";
import { Reply, route, type RequestContext, type Route } from "../http/route.ts";
import { sessionCookies } from "./session/cookies.ts";
import { deleteOtherSessions, endSession, proveSession } from "./session/sessions.ts";
import { findUser, type StoredUser, updateUser } from "./session/users.ts";
import {
  parseAcceptedLink,
  parseCredentials,
  parsePasswordChange,
  parseProof,
  parseSignIn,
} from "./people/credentials.ts";
import { refuseGuessable } from "./people/passwords.ts";
import { findLink, useLink } from "./people/invitations.ts";
import { randomToken } from "./tokens/secrets.ts";
import {
  accountDisabled,
  CODES,
  continueSignIn,
  signedIn,
  signInWithCode,
  startSession,
  type Auth,
} from "./sign-in.ts";
import { factorsOf, hasPasswords, signInWays } from "./factors/sign-in-ways.ts";
import { readChallenge } from "./factors/challenges.ts";
import { verifyPasskey } from "./factors/passkeys.ts";

/** The only body that is read from strangers: a password of 256 characters fits many times. */
const MAX_CREDENTIALS_BYTES = 16 * 1024;

export function createAuthRoutes(auth: Auth): Route[] {
  const { attempts, owner, passwords } = auth;

  /** Runs `change`, false if the password changes meanwhile. A wrong one is 403: the session itself is good. */
  async function confirmPassword(
    { database, peer, user }: Pick<RequestContext<"", "viewer">, "database" | "peer" | "user">,
    pointer: string,
    password: string,
    change: (account: StoredUser) => Promise<boolean>,
  ): Promise<void> {
    passwords.refuseFlood();
    await attempts.limit(peer.address, user.email, async () => {
      const account = await database.read((sql) => findUser(sql, sql`id = ${user.id}`));
      if (account === null) throw notSignedIn();
      const isRight = await passwords.verify(password, account.password);
      if (isRight && (await change(account))) return;
      const detail = "This is not your current password.";
      throw new RequestError(403, detail, { errors: [{ pointer, code: "password", detail }] });
    });
  }

  return [
    route(`POST ${ACCEPT_PATH}`, "public", {
      summary: "Accept an invitation, or choose a new password by a link",
      body: parseAcceptedLink,
      maxBytes: MAX_CREDENTIALS_BYTES,
      answer: parseSession,
      // 201: an account was added.
      statuses: [200, 201],
      problems: [401, 409, 429],
      // The right code works at a locked address, too: 256 bits cannot be guessed, and someone resetting a
      // password has failed a few times.
      async handle(context) {
        const { database, peer, publicUrl, body: given } = context;
        const { found, isAllowed } = await database.read(async (sql) => ({
          found: await findLink(sql, given),
          isAllowed: await hasPasswords(sql, auth.signIn, publicUrl),
        }));
        if (found === null) {
          return attempts.limit(peer.address, given.email, () => Promise.reject(wrongLink()));
        }
        if (!isAllowed && !found.isOfMachine) throw passwordsOff();
        refuseGuessable(given.password, given.email, "/password");
        passwords.refuseFlood();
        const password = await passwords.hash(given.password);
        const used = await database.write((sql) =>
          useLink(sql, given, { password, address: peer.address }),
        );
        if (used === null) throw wrongLink();
        await attempts.clear(peer.address, given.email);
        if (used.isNew) return startSession(auth, context, used.account, "invitation", 201);
        return continueSignIn(auth, context, used.account, "reset link");
      },
    }),
    route(`GET ${TOKEN_PATH}`, "public", {
      summary: "Read who is signed in, and get the cookies of a session",
      answer: parseSession,
      async handle(context) {
        const { database, peer, publicUrl, session, user } = context;
        if (user?.token) return new Reply<Session>(signedIn(user));
        const sessionId = session.id ?? randomToken();
        const [sessionCookie, xsrfCookie] = sessionCookies(auth, sessionId, peer);
        const isNew = session.id === null || session.isStale;
        const cookies = isNew ? [sessionCookie, xsrfCookie] : [xsrfCookie];
        if (user !== null) {
          const factors = await database.read((sql) => factorsOf(sql, user.id));
          return new Reply(signedIn(user, factors), cookies);
        }
        if (!(await owner.exists())) return new Reply<Session>({ state: "set-up" }, cookies);
        const state = await database.read(async (sql): Promise<Session> => {
          const isPending = (await readChallenge(sql, "code", session.id)) !== null;
          const signIn = await signInWays(sql, auth.signIn, publicUrl);
          const isPlain = signIn.length === 1 && signIn[0] === "password";
          return {
            state: "signed-out",
            ...(isPending && { factors: CODES }),
            ...(!isPlain && { signIn }),
          };
        });
        return new Reply(state, cookies);
      },
    }),
    route(`POST ${TOKEN_PATH}`, "public", {
      summary: "Sign in",
      body: parseCredentials,
      maxBytes: MAX_CREDENTIALS_BYTES,
      answer: parseSession,
      // 201: the owner was created.
      statuses: [200, 201],
      problems: [401, 409, 429],
      // After ten failures from an address the right password is refused, too.
      async handle(context) {
        const { database, peer, publicUrl, body: given } = context;
        if ("code" in given) return signInWithCode(auth, context, given.code);
        if ("passkey" in given) {
          return attempts.limit(peer.address, "passkey", async () => {
            const userId = await verifyPasskey(context, given);
            const account = await database.read((sql) => findUser(sql, sql`id = ${userId}`));
            if (account === null) throw new RequestError(401, "This account no longer exists.");
            return startSession(auth, context, account, "passkey");
          });
        }
        const { email, password } = given;
        if ("setUpCode" in given) {
          if (await owner.exists()) throw ownerExists();
          refuseGuessable(password, email, "/password");
          passwords.refuseFlood();
          return attempts.limit(peer.address, email, async () => {
            if (!owner.isSetUpCode(given.setUpCode)) {
              throw new RequestError(403, "That set-up code isn’t right.");
            }
            const made = await owner.create(email, await passwords.hash(password), peer.address);
            if (made === null) throw ownerExists();
            return startSession(auth, context, made, "set-up", 201);
          });
        }
        const isAllowed = (sql: SQL) => hasPasswords(sql, auth.signIn, publicUrl);
        if (!(await database.read(isAllowed))) throw passwordsOff();
        passwords.refuseFlood();
        return attempts.limit(peer.address, email, async () => {
          const account = await database.read((sql) => findUser(sql, sql`email = ${email}`));
          const isRight = await passwords.verify(password, account?.password ?? null);
          if (account === null || !isRight) {
            throw new RequestError(401, "Wrong e-mail address or password.");
          }
          // Only someone who knows the password learns this.
          if (account.disabled) throw accountDisabled();
          return continueSignIn(auth, context, account, "password");
        });
      },
    }),
    route(`DELETE ${TOKEN_PATH}`, "public", {
      summary: "Sign out",
      answer: null,
      // An anonymous session with another id begins.
      async handle({ database, peer, session: { id } }) {
        if (id !== null) await database.write((sql) => endSession(sql, id));
        return new Reply(undefined, sessionCookies(auth, randomToken(), peer));
      },
    }),
    route(`POST ${TOKEN_PATH}/prove`, "limited", {
      summary: "Confirm the password, for requests that ask for it again",
      body: parseProof,
      answer: null,
      problems: [429],
      handle: (context) =>
        confirmPassword(context, "/password", context.body.password, (account) =>
          proveSession(context, account.password),
        ),
    }),
    route("PUT /api/password", "limited", {
      summary: "Change your password and end your other sessions",
      body: parsePasswordChange,
      answer: null,
      problems: [429],
      async handle(context) {
        const { body, database, session, user } = context;
        const { current, next } = body;
        refuseGuessable(next, user.email, "/next");
        await confirmPassword(context, "/current", current, async (account) => {
          const password = await passwords.hash(next);
          return database.write(async (sql) => {
            if (!(await updateUser(sql, account, { password }))) return false;
            await deleteOtherSessions(sql, account, session.id);
            await sql`delete from invitations where user_id = ${account.id}`;
            await recordRequest(sql, context, "password-changed", { subject: account.email });
            return true;
          });
        });
      },
    }),
    route("PUT /api/email", "limited", {
      summary: "Change your e-mail address",
      body: parseSignIn,
      answer: parseSession,
      problems: [409, 429],
      async handle(context) {
        const { body, database, user } = context;
        const { email, password } = body;
        await confirmPassword(context, "/password", password, (account) =>
          database.write(async (sql) => {
            const taken = await findUser(sql, sql`email = ${email} and id <> ${account.id}`);
            if (taken !== null) throw new RequestError(409, "Another account has this address.");
            if (!(await updateUser(sql, account, { email }))) return false;
            const about = { subject: account.email, detail: email };
            await recordRequest(sql, context, "email-changed", about);
            return true;
          }),
        );
        // Who has chosen no name is called by the address.
        const name = user.name === user.email ? email : user.name;
        return signedIn({ ...user, email, name });
      },
    }),
  ];
}

function wrongLink(): RequestError {
  const detail =
    "This link was used or revoked, has expired, or is for another e-mail address. Ask for a new one.";
  return new RequestError(403, detail);
}

function passwordsOff(): RequestError {
  return new RequestError(403, "Passwords are switched off here: sign in another way.");
}

function ownerExists(): RequestError {
  return new RequestError(409, "This server already has an owner. Sign in instead.");
}
