import type { Database } from "../database/database.ts";
import { SESSION_SECONDS } from "./cookies.ts";
import { hashToken, randomToken } from "./secrets.ts";

export interface User {
  id: string;
  email: string;
}

/** Who sends a request. A session id without a user is an anonymous session: it costs no row. */
export interface Caller {
  sessionId: string | null;
  user: User | null;
  /** The session has lived for more than a day: a visit prolongs it. */
  aged: boolean;
}

export interface Sessions {
  identify(sessionId: string | null): Promise<Caller>;
  /** Starts a session for a user and ends the one before, whose id is dead from then on. */
  start(user: User, before: string | null): Promise<string>;
  prolong(sessionId: string): Promise<void>;
  end(sessionId: string): Promise<void>;
  /** Removes sessions that have run out. */
  sweep(): Promise<void>;
}

const DAY_SECONDS = 24 * 60 * 60;

/** Sessions in the database, which sees only the SHA-256 of their ids. */
export function createSessions(database: Database): Sessions {
  return {
    async identify(sessionId) {
      if (sessionId === null) return { sessionId, user: null, aged: false };
      const [row] = await database.read(
        (sql) => sql<{ id: string; email: string; expires_at: string }[]>`
          select users.id, users.email, sessions.expires_at
          from sessions join users on users.id = sessions.user_id
          where sessions.id_hash = ${hashToken(sessionId)}
            and sessions.expires_at > ${instantIn(0)}`,
      );
      if (row === undefined) return { sessionId, user: null, aged: false };
      const aged = row.expires_at < instantIn(SESSION_SECONDS - DAY_SECONDS);
      return { sessionId, user: { id: row.id, email: row.email }, aged };
    },

    async start(user, before) {
      const sessionId = randomToken();
      const row = {
        id_hash: hashToken(sessionId),
        user_id: user.id,
        created_at: instantIn(0),
        expires_at: instantIn(SESSION_SECONDS),
      };
      await database.write(async (sql) => {
        if (before) await sql`delete from sessions where id_hash = ${hashToken(before)}`;
        await sql`insert into sessions ${sql(row)}`;
      });
      return sessionId;
    },

    async prolong(sessionId) {
      await database.write(
        (sql) => sql`update sessions set expires_at = ${instantIn(SESSION_SECONDS)}
          where id_hash = ${hashToken(sessionId)}`,
      );
    },

    async end(sessionId) {
      await database.write(
        (sql) => sql`delete from sessions where id_hash = ${hashToken(sessionId)}`,
      );
    },

    async sweep() {
      await database.write((sql) => sql`delete from sessions where expires_at <= ${instantIn(0)}`);
    },
  };
}

function instantIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
