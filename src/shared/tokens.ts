import {
  described,
  exactObject,
  expected,
  list,
  nullable,
  object,
  oneOf,
  optional,
  refuse,
  text,
  type Parsed,
} from "./parse.ts";
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
const parseInstant = described(
  (value): Instant => {
    if (typeof value === "string" && RFC_3339.test(value) && isDay(value.slice(0, 10))) {
      const ms = Date.parse(value);
      if (!Number.isNaN(ms)) return new Date(ms).toISOString();
    }
    return refuse("instant", expected("an instant such as 2027-11-21T12:00:00Z", value));
  },
  () => ({ type: "string", format: "date-time" }),
);

/** `POST /api/tokens`: `expiresAt` has to be in the future, at most ten years ahead; a year unless given. */
export const parseNewToken = exactObject({
  name: requiredLabel(TOKEN_LIMITS.name, (value) =>
    refuse("required", expected("a name for the token", value)),
  ),
  scope: oneOf(TOKEN_SCOPES),
  expiresAt: optional(parseInstant),
});

const tokenShape = {
  id: text,
  name: text,
  scope: oneOf(TOKEN_SCOPES),
  createdAt: text,
  expiresAt: text,
  /** Exact to an hour; null: never used. */
  lastUsedAt: nullable(text),
};

/** A token without its secret, as lists have it. */
export type ApiToken = Parsed<typeof parseApiToken>;
const parseApiToken = object(tokenShape);

/** `GET /api/tokens`: one's own, the newest first, those that have expired among them. */
export const parseApiTokens = object({ items: list(parseApiToken) });

/** The answer to `POST /api/tokens`: the only one with `token`, which the Authorization header takes. */
export const parseCreatedToken = object({ ...tokenShape, token: text });
