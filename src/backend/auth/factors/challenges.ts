import type { SQL } from "bun";
import { subscriberOf } from "../../../shared/api.ts";
import { type Database, type Fragment, instantIn } from "../../database/database.ts";
import { tryLater } from "../../http/request-error.ts";
import { hashToken } from "../tokens/secrets.ts";

/** Seconds within which a browser session has to finish what it began, by kind. */
const SECONDS = { code: 300, "passkey-added": 300, "passkey-sign-in": 300, oidc: 600 } as const;

/** Open at most for one subscriber: strangers can begin sign-ins, and each is a row. */
const MAX_WAITING = 100;

type Kind = keyof typeof SECONDS;

interface Challenge {
  userId: string | null;
  value: string;
}

/** Replaces the session's challenge of this kind. @throws {RequestError} 429 for too many. */
export async function saveChallenge(
  sql: SQL,
  kind: Kind,
  { sessionId, userId, value, address }: Challenge & { sessionId: string; address: string },
): Promise<void> {
  const source = subscriberOf(address);
  const waiting = await sql<unknown[]>`select 1 from challenges
    where source = ${source} and expires_at > ${instantIn(sql, 0)} limit ${MAX_WAITING}`;
  if (waiting.length === MAX_WAITING) {
    const detail = "Too many sign-ins from your address are unfinished. Try again later.";
    throw tryLater(429, detail, SECONDS[kind]);
  }
  await sql`
    insert into challenges (session_hash, kind, user_id, value, source, expires_at)
    values (${hashToken(sessionId)}, ${kind}, ${userId}, ${value}, ${source},
      ${instantIn(sql, SECONDS[kind])})
    on conflict (session_hash, kind) do update set user_id = excluded.user_id,
      value = excluded.value, source = excluded.source, expires_at = excluded.expires_at`;
}

/** Null if the session has none of this kind, or it has expired. */
export async function readChallenge(sql: SQL, kind: Kind, sessionId: string | null) {
  if (sessionId === null) return null;
  const [found] = await sql<Challenge[]>`
    select user_id as "userId", value from ${openChallenge(sql, kind, sessionId)}`;
  return found ?? null;
}

/** Reads a challenge and uses it up: of many requests at a time, one gets it. */
export async function takeChallenge(database: Database, kind: Kind, sessionId: string | null) {
  // A stranger who has begun nothing takes no write lock.
  if ((await database.read((sql) => readChallenge(sql, kind, sessionId))) === null) return null;
  return database.write((sql) => endChallenge(sql, kind, sessionId));
}

/** Removes a challenge, and returns it; null if there is none by now. */
export async function endChallenge(sql: SQL, kind: Kind, sessionId: string | null) {
  const [ended] = await sql<Challenge[]>`delete from ${openChallenge(sql, kind, sessionId)}
    returning user_id as "userId", value`;
  return ended ?? null;
}

function openChallenge(sql: SQL, kind: Kind, sessionId: string | null): Fragment {
  return sql`challenges where session_hash = ${hashToken(sessionId ?? "")}
    and kind = ${kind} and expires_at > ${instantIn(sql, 0)}`;
}

export function sweepChallenges(database: Database) {
  return database.write(
    (sql) => sql`delete from challenges where expires_at <= ${instantIn(sql, 0)}`,
  );
}
