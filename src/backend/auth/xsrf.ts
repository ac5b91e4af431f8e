import { SESSION_SECONDS } from "./cookies.ts";

/** Tokens against request forgery, signed and bound to one session id. */
export interface Xsrf {
  issue(sessionId: string): string;
  verify(token: string | null, sessionId: string | null): boolean;
}

/**
 * Tokens live as long as a session, so that a form which was open for days can still be sent. Both
 * limits have to be told: `Bun.CSRF` has one of 24 hours in `expiresIn` and another in `maxAge`.
 */
export function createXsrf(secret: string): Xsrf {
  const lifetime = SESSION_SECONDS * 1000;
  return {
    issue: (sessionId) => Bun.CSRF.generate(secret, { sessionId, expiresIn: lifetime }),
    verify: (token, sessionId) =>
      // An empty token makes Bun.CSRF throw, and without an id it would not look at the session.
      Boolean(token && sessionId) &&
      Bun.CSRF.verify(token ?? "", { secret, sessionId: sessionId ?? "", maxAge: lifetime }),
  };
}
