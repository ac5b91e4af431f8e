import type { SQL } from "bun";
import { countRows, type Database, type Fragment, instantIn } from "../../database/database.ts";
import { DAY_MS, DAY_SECONDS } from "../../../shared/day.ts";
import { rightsOf, whoMay } from "../../../shared/session.ts";
import {
  DEFAULT_TOKEN_DAYS,
  parseApiTokens,
  parseCreatedToken,
  parseNewToken,
  TOKEN_LIMITS,
  type ApiToken,
  type TokenScope,
} from "../../../shared/tokens.ts";
import { recordRequest } from "../../audit/audit.ts";
import { logFailure } from "../../database/database-error.ts";
import { badFields, RequestError } from "../../http/request-error.ts";
import { route, type Route, type User, type UserAccount } from "../../http/route.ts";
import type { Attempts } from "../tokens/attempts.ts";
import { hashToken, randomToken } from "../tokens/secrets.ts";
import { NOTE_USE_SECONDS } from "./sessions.ts";
import { accountColumns } from "./users.ts";

/** Seconds for which a token that has expired stays in the list, so that its person sees why it fails. */
const KEPT_SECONDS = 90 * DAY_SECONDS;

/** @throws {RequestError} 401 for a bad token; the tenth from an address makes it 429. */
export async function identifyToken(
  database: Database,
  attempts: Attempts,
  { token, address }: { token: string; address: string },
) {
  const hash = hashToken(token);
  // The 43 characters behind `fh_` are the random part.
  const isWhole = token === tokenOf(token.slice(3, 46));
  const found = isWhole ? await database.read((sql) => findToken(sql, hash)) : null;
  if (found === null) {
    const detail = isWhole
      ? "This API token has expired or was revoked, or its account is gone."
      : "This is not an API token: it has a typo or is incomplete.";
    return attempts.failToken(address, detail);
  }
  if (found.isStale) {
    // Of many requests at once, one writes. What cannot be noted now is with the next request.
    await database
      .write(
        (sql) => sql`update api_tokens set last_used_at = ${instantIn(sql, 0)}
          where hash = ${hash} and ${isUnnoted(sql)}`,
      )
      .catch(logFailure("The use of an API token could not be recorded"));
  }
  return { session: { id: null, isStale: false, isProved: false }, user: found.user };
}

export function sweepApiTokens(database: Database) {
  return database.write(
    (sql) => sql`delete from api_tokens where expires_at <= ${instantIn(sql, -KEPT_SECONDS)}`,
  );
}

/** People’s own; the database stores only their SHA-256. */
export const apiTokenRoutes: readonly Route[] = [
  route("GET /api/tokens", "limited", {
    summary: "List your API tokens",
    answer: parseApiTokens,
    handle: async ({ database, user }) => ({
      items: await database.read(
        (sql) => sql<ApiToken[]>`
          select id, name, scope, created_at as "createdAt", expires_at as "expiresAt",
            last_used_at as "lastUsedAt"
          from api_tokens where user_id = ${user.id} order by created_at desc, id desc`,
      ),
    }),
  }),
  route("POST /api/tokens", "limited", {
    summary: "Create an API token; only this response contains it",
    body: parseNewToken,
    answer: parseCreatedToken,
    statuses: [201],
    problems: [409],
    // A token never does more than its person may; someone who may only read is told so at once.
    async handle(context) {
      const { body, database, user, readNow } = context;
      const { name, scope } = body;
      if (scope === "write" && !rightsOf(user.role).includes("editor")) {
        throw new RequestError(403, `Only ${whoMay("editor")} may have a token that writes.`);
      }
      const token = tokenOf(randomToken());
      const id = Bun.randomUUIDv7();
      const now = await database.read(readNow);
      const createdAt = now.toISOString();
      const expiresAt = readExpiry(body.expiresAt, now);
      await database.write(async (sql) => {
        const own = await countRows(sql, sql`api_tokens where user_id = ${user.id}`);
        if (own >= TOKEN_LIMITS.tokens) {
          const limit = `You have ${TOKEN_LIMITS.tokens} API tokens already. Revoke one that is not used.`;
          throw new RequestError(409, limit);
        }
        const about = { id, name, scope, user_id: user.id, hash: hashToken(token) };
        const row = { ...about, created_at: createdAt, expires_at: expiresAt };
        await sql`insert into api_tokens ${sql(row)}`;
        const detail = `${scope}, until ${expiresAt.slice(0, 10)}`;
        await recordRequest(sql, context, "token-added", { subject: name, detail });
      });
      return { id, name, scope, createdAt, expiresAt, lastUsedAt: null, token };
    },
  }),
  route("DELETE /api/tokens/:id", "limited", {
    summary: "Revoke one of your API tokens",
    answer: null,
    handle: (context) =>
      context.database.write(async (sql) => {
        const { params, user } = context;
        const [revoked] = await sql<{ name: string }[]>`
          delete from api_tokens where id = ${params.id} and user_id = ${user.id} returning name`;
        if (revoked === undefined) throw new RequestError(404, "You have no such API token.");
        await recordRequest(sql, context, "token-revoked", { subject: revoked.name });
      }),
  }),
];

function readExpiry(given: string | undefined, now: Date): string {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
  const expiry = given ?? inDays(DEFAULT_TOKEN_DAYS);
  if (expiry > now.toISOString() && expiry <= inDays(TOKEN_LIMITS.days)) return expiry;
  const detail = "Expected a time in the future, at most ten years ahead.";
  throw badFields([{ pointer: "/expiresAt", code: "range", detail }]);
}

/** Finds the person of a valid token, by its hash or its id. */
export async function findToken(sql: SQL, key: string) {
  type Row = UserAccount & {
    token_id: string;
    token_name: string;
    scope: TokenScope;
    stale: unknown;
  };
  const [row] = await sql<Row[]>`
    select ${accountColumns(sql)},
      api_tokens.id as token_id, api_tokens.name as token_name, scope,
      ${isUnnoted(sql)} as stale
    from api_tokens join users on users.id = api_tokens.user_id
    where (hash = ${key} or api_tokens.id = ${key}) and expires_at > ${instantIn(sql, 0)} and users.disabled = 0`;
  if (row === undefined) return null;
  const { token_id, token_name, scope, stale, ...account } = row;
  const user: User = { ...account, token: { id: token_id, name: token_name, scope } };
  // SQLite has 0 and 1.
  return { user, isStale: Boolean(stale), isProved: false };
}

function isUnnoted(sql: SQL): Fragment {
  return sql`(last_used_at is null or last_used_at <= ${instantIn(sql, -NOTE_USE_SECONDS)})`;
}

const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * `fh_`, 43 characters with 256 random bits, and their CRC-32 (IEEE 802.3) as 6 digits of base 62, by
 * which scanners for secrets recognise it.
 */
function tokenOf(random: string): string {
  let rest = Bun.hash.crc32(random);
  let checksum = "";
  for (; rest > 0; rest = Math.floor(rest / 62)) checksum = BASE_62.charAt(rest % 62) + checksum;
  return `fh_${random}${checksum.padStart(6, "0")}`;
}

/** What the Authorization header holds after `Bearer` (RFC 6750 §2.1), null where it does not say so. */
export function readBearer(request: Request): string | null {
  const header = request.headers.get("authorization") ?? "";
  return /^bearer(?: |$)/i.test(header) ? header.slice("bearer".length).trim() : null;
}
