import type { SQL } from "bun";
import { type Database, type Fragment, hasRows, instantIn } from "../../database/database.ts";
import type { Peer } from "../../../shared/api.ts";
import { DAY_SECONDS } from "../../../shared/day.ts";
import { parseSessions } from "../../../shared/session.ts";
import { recordRequest } from "../../audit/audit.ts";
import { logFailure } from "../../database/database-error.ts";
import { RequestError } from "../../http/request-error.ts";
import {
  route,
  type RequestContext,
  type Route,
  type User,
  type UserAccount,
} from "../../http/route.ts";
import { hashToken, randomToken } from "../tokens/secrets.ts";
import { accountColumns, type StoredUser } from "./users.ts";

const IDLE_SESSION_SECONDS = 30 * DAY_SECONDS;
/** Seconds after which a session ends however much it is used; its cookies live exactly as long. */
export const MAX_SESSION_SECONDS = 90 * DAY_SECONDS;

/** Seconds for which a sign-in or a confirmed password allows the routes with `proof`. */
const PROOF_SECONDS = 15 * 60;

/** Seconds after which a use is recorded again: a write for each request is too much. */
export const NOTE_USE_SECONDS = 60 * 60;

interface Client {
  address: string;
  user_agent: string;
}

/** The session of a cookie, and its user where it is live, for another 30 days from now on. */
export async function identifySession(
  database: Database,
  sessionId: string | null,
  client: Client,
) {
  const found = sessionId && (await database.read((sql) => findSession(sql, sessionId)));
  if (!found) return { session: { id: sessionId, isStale: false, isProved: false }, user: null };
  const { user, isStale, isProved } = found;
  if (isStale) {
    // Of many requests at once, one writes. What cannot be noted now is with the next request.
    await database
      .write(
        (sql) => sql`update sessions set ${sql(client)}, last_seen_at = ${instantIn(sql, 0)},
          expires_at = ${instantIn(sql, IDLE_SESSION_SECONDS)}
          where id_hash = ${hashToken(sessionId)}
            and last_seen_at < ${instantIn(sql, -NOTE_USE_SECONDS)}`,
      )
      .catch(logFailure("The use of a session could not be recorded"));
  }
  return { session: { id: sessionId, isStale, isProved }, user };
}

/** Ends the session before. Null if the password or the account has changed since it was read. */
export async function addSession(
  sql: SQL,
  { id, password }: Pick<StoredUser, "id" | "password">,
  client: Client,
  before: string | null,
): Promise<string | null> {
  // Locks the user's row, so that a change of the password comes before or after all of this.
  const isUnchanged = await hasRows(sql`update users set password = password
    where id = ${id} and password is not distinct from ${password} and disabled = 0
    returning id`);
  if (!isUnchanged) return null;
  const sessionId = randomToken();
  if (before !== null) await endSession(sql, before);
  await sql`
    insert into sessions (id_hash, user_id, address, user_agent, created_at, proved_at,
      last_seen_at, expires_at)
    values (${hashToken(sessionId)}, ${id}, ${client.address}, ${client.user_agent},
      ${instantIn(sql, 0)}, ${instantIn(sql, 0)}, ${instantIn(sql, 0)},
      ${instantIn(sql, IDLE_SESSION_SECONDS)})`;
  return sessionId;
}

/** Notes that the user proved who they are; false where their password has changed since. */
export function proveSession(
  { database, session }: Pick<RequestContext, "database" | "session">,
  passwordHash: string | null,
): Promise<boolean> {
  return database.write((sql) =>
    hasRows(sql`update sessions set proved_at = ${instantIn(sql, 0)}
      where id_hash = ${hashToken(session.id ?? "")} and exists (select 1 from users where
        users.id = sessions.user_id and password is not distinct from ${passwordHash})
      returning id_hash`),
  );
}

export async function endSession(sql: SQL, sessionId: string): Promise<void> {
  await sql`delete from sessions where id_hash = ${hashToken(sessionId)}`;
}

export const sessionRoutes: readonly Route[] = [
  route("GET /api/sessions", "limited", {
    summary: "List your sessions",
    answer: parseSessions,
    async handle({ database, session, user }) {
      type Row = { id_hash: string; last_seen_at: string; address: string; user_agent: string };
      const rows = await database.read(
        (sql) => sql<Row[]>`
          select id_hash, last_seen_at, address, user_agent from sessions
          where user_id = ${user.id} and ${isLive(sql)}
          order by last_seen_at desc, id_hash`,
      );
      const current = hashToken(session.id ?? "");
      return {
        items: rows.map((row) => ({
          id: publicId(row.id_hash),
          device: describeDevice(row.user_agent),
          address: row.address,
          lastSeenAt: row.last_seen_at,
          current: row.id_hash === current,
        })),
      };
    },
  }),
  route("DELETE /api/sessions", "limited", {
    summary: "End all your sessions but this one",
    answer: null,
    handle: (context) =>
      context.database.write(async (sql) => {
        const { session, user } = context;
        await deleteOtherSessions(sql, user, session.id);
        const about = { subject: user.email, detail: "All but the one that was in use" };
        await recordRequest(sql, context, "sessions-ended", about);
      }),
  }),
  route("DELETE /api/sessions/:id", "limited", {
    summary: "End a session",
    answer: null,
    handle: (context) =>
      context.database.write(async (sql) => {
        const { params, user } = context;
        const [ended] = await sql<{ user_agent: string }[]>`
          delete from sessions where user_id = ${user.id}
            and substr(id_hash, 1, 32) = ${params.id.replaceAll("-", "")} and ${isLive(sql)}
          returning user_agent`;
        if (ended === undefined) {
          throw new RequestError(404, "This session does not exist or has ended.");
        }
        const about = { subject: user.email, detail: describeDevice(ended.user_agent) };
        await recordRequest(sql, context, "sessions-ended", about);
      }),
  }),
];

export function sweepSessions(database: Database) {
  return database.write((sql) => sql`delete from sessions where not (${isLive(sql)})`);
}

export async function findSession(sql: SQL, id: string) {
  const [row] = await sql<(UserAccount & { stale: unknown; proved: unknown })[]>`
    select ${accountColumns(sql)},
      sessions.last_seen_at < ${instantIn(sql, -NOTE_USE_SECONDS)} as stale,
      sessions.proved_at between ${instantIn(sql, -PROOF_SECONDS)}
        and ${instantIn(sql, 60)} as proved
    from sessions join users on users.id = sessions.user_id
    where sessions.id_hash = ${hashToken(id)} and users.disabled = 0 and ${isLive(sql)}`;
  if (row === undefined) return null;
  const { stale, proved, ...account } = row;
  const user: User = { ...account, token: null };
  // SQLite has 0 and 1.
  return { user, isStale: Boolean(stale), isProved: Boolean(proved) };
}

export async function deleteOtherSessions(
  sql: SQL,
  user: Pick<User, "id">,
  currentId: string | null,
): Promise<void> {
  await sql`delete from sessions
    where user_id = ${user.id} and id_hash <> ${hashToken(currentId ?? "")}`;
}

export function clientOf(request: Request, peer: Peer): Client {
  const given = (request.headers.get("user-agent") ?? "").slice(0, 255);
  return { address: peer.address, user_agent: given.replace(/\p{C}/gu, "") };
}

/** Live: used within 30 days, begun within 90. An end further off was written by a clock that was ahead. */
function isLive(sql: SQL): Fragment {
  return sql`sessions.expires_at > ${instantIn(sql, 0)}
    and sessions.expires_at <= ${instantIn(sql, IDLE_SESSION_SECONDS + DAY_SECONDS)}
    and sessions.created_at > ${instantIn(sql, -MAX_SESSION_SECONDS)}`;
}

/** What the API calls a session: half of the stored hash as a UUID, of no use to sign in. */
function publicId(idHash: string): string {
  return idHash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

/** What the User-Agent header has for each browser and system; the first that fits is shown. */
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["iPhone", "iOS"],
  ["iPad", "iOS"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Macintosh", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** "Firefox on Linux", as far as the User-Agent header tells, which may say anything. */
function describeDevice(userAgent: string): string {
  const nameIn = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = nameIn(BROWSERS) ?? userAgent.match(/^[\w.-]+/)?.[0] ?? "Unknown device";
  const system = nameIn(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}
