import * as p from "./parse.ts";
import { isDay, type Instant } from "./day.ts";
import { requiredLabel } from "./text.ts";

/** API tokens, with which a person's scripts call the API in place of a session. */

/** What a token may do: `read` is GET and HEAD, `write` all that the role of its person allows. */
const TOKEN_SCOPES = ["read", "write"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Characters of a name, tokens of one person, and days until a token expires. */
export const TOKEN_LIMITS = { name: 60, tokens: 100, days: 3650 } as const;

/** Days after which a token expires whose request names no day. */
export const DEFAULT_TOKEN_DAYS = 365;

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** An instant with a time zone (RFC 3339), which becomes one in UTC. */
const parseInstant = p.described(
  (value): Instant => {
    if (typeof value === "string" && RFC_3339.test(value) && isDay(value.slice(0, 10))) {
      const ms = Date.parse(value);
      if (!Number.isNaN(ms)) return new Date(ms).toISOString();
    }
    return p.refuse("instant", p.expected("an instant such as 2027-11-21T12:00:00Z", value));
  },
  () => ({ type: "string", format: "date-time" }),
);

/** `POST /api/tokens`: `expiresAt` has to be in the future, at most ten years ahead; a year unless given. */
export const parseNewToken = p.exactObject({
  name: requiredLabel(TOKEN_LIMITS.name, (value) =>
    p.refuse("required", p.expected("a name for the token", value)),
  ),
  scope: p.oneOf(TOKEN_SCOPES),
  expiresAt: p.optional(parseInstant),
});

const tokenShape = {
  id: p.text,
  name: p.text,
  scope: p.oneOf(TOKEN_SCOPES),
  createdAt: p.text,
  expiresAt: p.text,
  /** Exact to an hour; null: never used. */
  lastUsedAt: p.nullable(p.text),
};

/** A token without its secret, as lists have it. */
export type ApiToken = p.Parsed<typeof parseApiToken>;
const parseApiToken = p.object(tokenShape);

/** `GET /api/tokens`: one's own, the newest first, those that have expired among them. */
export const parseApiTokens = p.object({ items: p.list(parseApiToken) });

/** The answer to `POST /api/tokens`: the only one with `token`, which the Authorization header takes. */
export const parseCreatedToken = p.object({ ...tokenShape, token: p.text });
