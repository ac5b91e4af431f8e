import type { Session } from "../../shared/contract.ts";
import type { Peer } from "../../shared/api.ts";
import { json } from "../http/answer.ts";
import { badFields, problem, tryLater } from "../http/problem.ts";
import { readJson } from "../http/read-body.ts";
import type { Attempts } from "./attempts.ts";
import { sessionCookie, xsrfCookie } from "./cookies.ts";
import { parseCredentials, type CheckedCredentials } from "./credentials.ts";
import type { Owner } from "./owner.ts";
import type { Passwords } from "./password.ts";
import { randomToken } from "./secrets.ts";
import type { Caller, Sessions, User } from "./sessions.ts";
import type { Xsrf } from "./xsrf.ts";

/** What the session's routes work with. */
export interface Access {
  sessions: Sessions;
  owner: Owner;
  passwords: Passwords;
  attempts: Attempts;
  xsrf: Xsrf;
}

interface Visit {
  request: Request;
  peer: Peer;
  caller: Caller;
}

/** `GET /api/token`: the state, a session where there is none, and a token for it. */
export async function showSession(access: Access, { peer, caller }: Visit): Promise<Response> {
  const { sessions, owner } = access;
  const sessionId = caller.sessionId ?? randomToken();
  if (caller.user !== null && caller.aged) await sessions.prolong(sessionId);
  const answer = json(caller.user ? signedIn(caller.user) : await stateWithout(owner));
  if (caller.sessionId === null || caller.aged) {
    answer.headers.append("Set-Cookie", sessionCookie(sessionId, peer));
  }
  answer.headers.append("Set-Cookie", xsrfCookie(access.xsrf.issue(sessionId), peer));
  return answer;
}

/**
 * `POST /api/token`: signs in, or creates the owner. From the tenth failure of one address on, the
 * right password is refused too, until Retry-After has passed.
 */
export async function openSession(access: Access, visit: Visit): Promise<Response> {
  const body = await readJson(visit.request);
  if (body instanceof Response) return body;
  const credentials = parseCredentials(body);
  if (Array.isArray(credentials)) return badFields(credentials);
  if (credentials.setUpCode !== null && (await access.owner.exists())) return owned();

  const { attempts } = access;
  const { address } = visit.peer;
  const before = attempts.take(address);
  if (before.kind === "closed") return tooMany(before.retryAfter);

  const user = await prove(access, credentials);
  if (user === "busy") {
    attempts.giveBack(address);
    return tryLater(503, "Too many people are signing in at this moment; try again", 1);
  }
  if (user instanceof Response) {
    const after = attempts.left(address);
    return after.kind === "closed" ? tooMany(after.retryAfter) : user;
  }
  attempts.clear(address);
  const status = credentials.setUpCode === null ? 200 : 201;
  const sessionId = await access.sessions.start(user, visit.caller.sessionId);
  return renewed(access, json(signedIn(user), status), sessionId, visit.peer);
}

/** `DELETE /api/token`: ends the session; its id is dead, and another, anonymous one is there. */
export async function closeSession(access: Access, { peer, caller }: Visit): Promise<Response> {
  if (caller.sessionId !== null) await access.sessions.end(caller.sessionId);
  return renewed(access, new Response(null, { status: 204 }), randomToken(), peer);
}

async function prove(
  access: Access,
  credentials: CheckedCredentials,
): Promise<User | Response | "busy"> {
  const { email, password, setUpCode } = credentials;
  const { owner, passwords } = access;
  if (setUpCode !== null) {
    if (!owner.isSetUpCode(setUpCode)) return problem(403, "The set-up code is not the right one");
    const hash = await passwords.hash(password);
    if (hash === "busy") return "busy";
    return (await owner.create(email, hash)) ?? owned();
  }
  const user = await owner.find(email);
  const right = await passwords.verify(password, user?.password ?? null);
  if (right === "busy") return "busy";
  return user !== null && right ? user : problem(401, "The e-mail address or password is wrong");
}

function renewed(access: Access, answer: Response, sessionId: string, peer: Peer): Response {
  answer.headers.append("Set-Cookie", sessionCookie(sessionId, peer));
  answer.headers.append("Set-Cookie", xsrfCookie(access.xsrf.issue(sessionId), peer));
  return answer;
}

async function stateWithout(owner: Owner): Promise<Session> {
  return { state: (await owner.exists()) ? "signed-out" : "set-up" };
}

function signedIn(user: User): Session {
  return { state: "signed-in", email: user.email };
}

function owned(): Response {
  return problem(409, "This register has its owner already; sign in instead");
}

function tooMany(seconds: number): Response {
  const wait = seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return tryLater(429, `Too many failed attempts; try again in ${wait}`, seconds);
}
