import { createHash } from "node:crypto";
import type { SQL } from "bun";
import type { Peer } from "../../shared/api.ts";
import type { Database } from "../database/database.ts";
import type { RequestSession, User } from "../http/router.ts";
import { hashToken, randomToken } from "./secrets.ts";

/** Seconds after which a session ends that is not used; its XSRF token lives exactly as long. */
export const IDLE_SESSION_SECONDS = 30 * 24 * 60 * 60;

/** Seconds after which a session ends however much it is used. */
const MAX_SESSION_SECONDS = 90 * 24 * 60 * 60;

/** Seconds after which the use of a session is noted again: a write for each request is too much. */
const RENEWAL_SECONDS = 60 * 60;

const MAX_USER_AGENT_LENGTH = 255;

/** Where a session is used from. */
export interface Client {
  address: string;
  userAgent: string;
}

/** A session in `GET /api/sessions`. */
export interface SessionRecord {
  id: string;
  device: string;
  address: string;
  lastSeenAt: string;
  current: boolean;
}

export interface Sessions {
  identify(sessionId: string | null): Promise<{ session: RequestSession; user: User | null }>;
  /**
   * Starts a session for a user and ends the one before, whose id is dead from then on. Null where
   * the password is no longer the one of `passwordHash`: it was changed after it was checked.
   */
  start(
    user: User,
    passwordHash: string,
    client: Client,
    before: string | null,
  ): Promise<string | null>;
  /** Notes that a session is in use, which keeps it alive for another 30 days. */
  renew(sessionId: string, client: Client): Promise<void>;
  end(sessionId: string): Promise<void>;
  /** All live sessions of a user, the one used last first. */
  list(user: User, currentId: string | null): Promise<SessionRecord[]>;
  /** Ends one session of a user by its public id; false where there is none. */
  endOne(user: User, id: string): Promise<boolean>;
  endOthers(user: User, currentId: string | null): Promise<void>;
  /** Deletes sessions that have ended. */
  sweep(): Promise<void>;
}

/** Sessions in the database, which stores only the SHA-256 of their ids. */
export function createSessions(database: Database): Sessions {
  return {
    async identify(sessionId) {
      const anonymous = { session: { id: sessionId, isStale: false }, user: null };
      if (sessionId === null) return anonymous;
      const [row] = await database.read(
        (sql) => sql<(User & { last_seen_at: string })[]>`
          select users.id, users.email, sessions.last_seen_at
          from sessions join users on users.id = sessions.user_id
          where sessions.id_hash = ${hashToken(sessionId)} and ${isLive(sql)}`,
      );
      if (row === undefined) return anonymous;
      const isStale = row.last_seen_at < instantIn(-RENEWAL_SECONDS);
      return { session: { id: sessionId, isStale }, user: { id: row.id, email: row.email } };
    },

    start: (user, passwordHash, client, before) =>
      database.write(async (sql) => {
        // Locks the user's row, so that a change of the password comes before or after all of this.
        const unchanged = await sql<unknown[]>`update users set password = password
          where id = ${user.id} and password = ${passwordHash} returning id`;
        if (unchanged.length === 0) return null;
        const sessionId = randomToken();
        const row = {
          id_hash: hashToken(sessionId),
          user_id: user.id,
          created_at: instantIn(0),
          expires_at: instantIn(IDLE_SESSION_SECONDS),
          ...seen(client),
        };
        if (before !== null) await sql`delete from sessions where id_hash = ${hashToken(before)}`;
        await sql`insert into sessions ${sql(row)}`;
        return sessionId;
      }),

    async renew(sessionId, client) {
      const columns = { expires_at: instantIn(IDLE_SESSION_SECONDS), ...seen(client) };
      await database.write(
        (sql) => sql`update sessions set ${sql(columns)} where id_hash = ${hashToken(sessionId)}`,
      );
    },

    async end(sessionId) {
      await database.write(
        (sql) => sql`delete from sessions where id_hash = ${hashToken(sessionId)}`,
      );
    },

    async list(user, currentId) {
      const rows = await database.read(
        (sql) => sql<SessionRow[]>`
          select id_hash, last_seen_at, address, user_agent from sessions
          where user_id = ${user.id} and ${isLive(sql)}
          order by last_seen_at desc, id_hash`,
      );
      const current = currentId === null ? null : hashToken(currentId);
      return rows.map((row) => ({
        id: publicId(row.id_hash),
        device: describeDevice(row.user_agent),
        address: row.address,
        lastSeenAt: row.last_seen_at,
        current: row.id_hash === current,
      }));
    },

    async endOne(user, id) {
      const ended = await database.write(async (sql) => {
        const rows = await sql<{ id_hash: string }[]>`
          select id_hash from sessions where user_id = ${user.id} and ${isLive(sql)}`;
        const found = rows.find((row) => publicId(row.id_hash) === id);
        if (found === undefined) return [];
        return sql<unknown[]>`
          delete from sessions where id_hash = ${found.id_hash} returning id_hash`;
      });
      return ended.length > 0;
    },

    async endOthers(user, currentId) {
      await database.write((sql) => deleteOtherSessions(sql, user, currentId));
    },

    async sweep() {
      await database.write((sql) => sql`delete from sessions where not (${isLive(sql)})`);
    },
  };
}

/** Ends every session of a user but one. Inside a transaction. */
export async function deleteOtherSessions(
  sql: SQL,
  user: User,
  currentId: string | null,
): Promise<void> {
  const current = currentId === null ? "" : hashToken(currentId);
  await sql`delete from sessions where user_id = ${user.id} and id_hash <> ${current}`;
}

/** Where a request comes from, as a session notes it. */
export function clientOf(request: Request, peer: Peer): Client {
  const given = (request.headers.get("user-agent") ?? "").slice(0, MAX_USER_AGENT_LENGTH);
  return { address: peer.address, userAgent: given.replace(/\p{C}/gu, "") };
}

interface SessionRow {
  id_hash: string;
  last_seen_at: string;
  address: string;
  user_agent: string;
}

/** Ended are sessions that were not used for 30 days, and all that began 90 days ago. */
function isLive(sql: SQL): SQL.Query<unknown> {
  return sql`sessions.expires_at > ${instantIn(0)}
    and sessions.created_at > ${instantIn(-MAX_SESSION_SECONDS)}`;
}

function seen({ address, userAgent }: Client) {
  return { last_seen_at: instantIn(0), address, user_agent: userAgent };
}

/** What the API calls a session: derived from the stored hash, and of no use to sign in. */
function publicId(idHash: string): string {
  const hex = createHash("sha256").update(idHash).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const BROWSERS = ["Edg", "OPR", "Firefox", "FxiOS", "CriOS", "Chrome", "Safari"];
const BROWSER_NAMES: Readonly<Record<string, string>> = {
  Edg: "Edge",
  OPR: "Opera",
  FxiOS: "Firefox",
  CriOS: "Chrome",
};
const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** "Firefox on Linux", as far as the User-Agent header tells, which may say anything. */
function describeDevice(userAgent: string): string {
  const token = BROWSERS.find((each) => userAgent.includes(`${each}/`));
  const product = userAgent.match(/^[\w.-]+/)?.[0] ?? "Unknown device";
  const browser = token === undefined ? product : (BROWSER_NAMES[token] ?? token);
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}

function instantIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

const SESSION_ID = /^[\w-]{43}$/;

/**
 * The session cookie's name. Over https the prefix keeps subdomains and plain http from setting it
 * (RFC 6265bis §4.1.3.2). The product's name keeps apart what runs on other ports of one host.
 */
function sessionCookieName(peer: Peer): string {
  return peer.secure ? "__Host-freehold-session" : "freehold-session";
}

/** The id in the session cookie, where it has the form of one. */
export function readSessionId(request: Request, peer: Peer): string | null {
  const cookies = new Bun.CookieMap(request.headers.get("cookie") ?? "");
  const id = cookies.get(sessionCookieName(peer)) ?? "";
  return SESSION_ID.test(id) ? id : null;
}

/** Set-Cookie for the session, which scripts cannot read. */
export function sessionCookie(id: string, peer: Peer): string {
  return cookie(sessionCookieName(peer), id, { httpOnly: true, secure: peer.secure });
}

/** Set-Cookie for the token that scripts of this origin send back in `X-XSRF-TOKEN`. */
export function xsrfCookie(token: string, peer: Peer): string {
  return cookie("XSRF-TOKEN", token, { httpOnly: false, secure: peer.secure });
}

function cookie(name: string, value: string, flags: { httpOnly: boolean; secure: boolean }) {
  const attributes = { path: "/", sameSite: "lax", maxAge: IDLE_SESSION_SECONDS } as const;
  return new Bun.Cookie(name, value, { ...attributes, ...flags }).toString();
}
