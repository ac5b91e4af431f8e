import type { SQL } from "bun";
import { createHmac, randomBytes } from "node:crypto";
import {
  parseRecoveryCodes,
  parseTotpCode,
  parseTotpSetUp,
  RECOVERY_CODES,
} from "../../../shared/factors.ts";
import { recordRequest } from "../../audit/audit.ts";
import { hasRows } from "../../database/database.ts";
import type { CredentialCipher } from "../../outbound/credentials.ts";
import { badFields, RequestError } from "../../http/request-error.ts";
import { route, type Route } from "../../http/route.ts";
import { equalSecrets, hashToken, normalizeCode, randomCode } from "../tokens/secrets.ts";

/** Codes by time, RFC 6238, as every app makes them without being told: SHA-1, 30 seconds, 6 digits. */
const STEP_SECONDS = 30;
const DIGITS = 6;

/** The code of a step, RFC 4226 §5.3. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The step whose code it is: this one, the one before or the next, but none that was used. */
function stepOf(secret: Uint8Array, code: string, now: Date, lastStep: number): number | null {
  const current = Math.floor(now.getTime() / 1000 / STEP_SECONDS);
  const steps = [current - 1, current, current + 1].filter((step) => step > lastStep);
  return steps.find((step) => equalSecrets(totpCode(secret, step), code)) ?? null;
}

/** RFC 4648 §6, without padding, for bytes in groups of five. */
function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const words = bits.match(/.{5}/g) ?? [];
  return words.map((word) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(word, 2)]).join("");
}

/** What an authenticator app reads, mostly as a QR code: the key URI format of Google Authenticator. */
function totpUri(secret: Uint8Array, brand: string, email: string): string {
  const [issuer, label] = [brand, `${brand}:${email}`].map(encodeURIComponent);
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${issuer}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}

const APP = "authenticator app";

export function createTotpRoutes(cipher: CredentialCipher): Route[] {
  return [
    route("POST /api/factors/totp", "limited", {
      summary: "Begin to set up an authenticator app",
      answer: parseTotpSetUp,
      problems: [409],
      async handle({ database, user, brand }) {
        // RFC 4226 §4 recommends 160 bits.
        const secret = randomBytes(20);
        const text = secret.toString("base64url");
        // Without a key it is stored as it is: better than no second step.
        const stored = cipher.hasKey ? cipher.encrypt(text, [user.id, "totp"]) : text;
        const isStarted = await database.write((sql) =>
          hasRows(sql`insert into totp ${sql({ user_id: user.id, secret: stored })}
            on conflict (user_id) do update set secret = excluded.secret
            where totp.confirmed_at is null returning user_id`),
        );
        if (isStarted) return { uri: totpUri(secret, brand, user.email) };
        throw new RequestError(409, "An authenticator app is set up already. Remove it first.");
      },
    }),
    route("POST /api/factors/totp/confirm", "limited", {
      summary: "Confirm an authenticator app with its first code",
      body: parseTotpCode,
      answer: parseRecoveryCodes,
      problems: [409],
      handle: (context) =>
        context.database.write(async (sql) => {
          const { user, body, readNow } = context;
          const now = await readNow(sql);
          const row = await readTotp(sql, user.id);
          if (row === null || row.confirmed_at !== null) {
            const detail = "There is no authenticator app to confirm. Set one up first.";
            throw new RequestError(409, detail);
          }
          const secret = openSecret(cipher, user.id, row.secret);
          const step = stepOf(secret, normalizeCode(body.code), now, 0);
          if (step === null) {
            const detail = "Wrong code. Check that your device’s clock is correct.";
            throw badFields([{ pointer: "/code", code: "code", detail }]);
          }
          const confirmed = { confirmed_at: now.toISOString(), last_step: step };
          await sql`update totp set ${sql(confirmed)} where user_id = ${user.id}`;
          const recoveryCodes = Array.from({ length: RECOVERY_CODES }, randomCode);
          for (const each of recoveryCodes) {
            const hash = { user_id: user.id, code_hash: hashToken(normalizeCode(each)) };
            await sql`insert into recovery_codes ${sql(hash)}`;
          }
          await recordRequest(sql, context, "factor-added", { detail: APP });
          return { recoveryCodes };
        }),
    }),
    route("DELETE /api/factors/totp", "limited", {
      summary: "Remove the authenticator app and its recovery codes",
      answer: null,
      problems: [404],
      handle: (context) =>
        context.database.write(async (sql) => {
          if (!(await removeTotp(sql, context.user.id))) {
            throw new RequestError(404, "There is no authenticator app to remove.");
          }
          await recordRequest(sql, context, "factor-removed", { detail: APP });
        }),
    }),
  ];
}

/** Uses up a code of the app, or a recovery code, which needs no key; null: neither. */
export async function useCode(
  sql: SQL,
  cipher: CredentialCipher,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<"totp" | "recovery" | null> {
  const given = normalizeCode(code);
  if (given.length !== DIGITS) {
    const used = sql`delete from recovery_codes
      where user_id = ${userId} and code_hash = ${hashToken(given)} returning user_id`;
    return (await hasRows(used)) ? "recovery" : null;
  }
  const row = await readTotp(sql, userId);
  if (row === null || row.confirmed_at === null) return null;
  const secret = openSecret(cipher, userId, row.secret);
  const step = stepOf(secret, given, now, Number(row.last_step));
  if (step === null) return null;
  const used = sql`update totp set last_step = ${step}
    where user_id = ${userId} and last_step < ${step} returning user_id`;
  return (await hasRows(used)) ? "totp" : null;
}

/** Turns the app off, and its recovery codes; false without one. */
export async function removeTotp(sql: SQL, userId: string): Promise<boolean> {
  await sql`delete from recovery_codes where user_id = ${userId}`;
  const removed = await sql<{ confirmed_at: string | null }[]>`
    delete from totp where user_id = ${userId} returning confirmed_at`;
  return removed.some((row) => row.confirmed_at !== null);
}

async function readTotp(sql: SQL, userId: string) {
  type Row = { secret: string; confirmed_at: string | null; last_step: number | string };
  const [row] = await sql<Row[]>`
    select secret, confirmed_at, last_step from totp where user_id = ${userId}`;
  return row ?? null;
}

/** @throws {RequestError} 409 where the key that it was encrypted with is gone. */
function openSecret(cipher: CredentialCipher, userId: string, stored: string): Uint8Array {
  // What is encrypted begins with the id of its key and a dot.
  if (!stored.includes(".")) return Buffer.from(stored, "base64url");
  const opened = cipher.decrypt(stored, [userId, "totp"]);
  if ("credential" in opened) return Buffer.from(opened.credential, "base64url");
  const detail =
    "This server’s key is not the one that your authenticator app was set up with. Use a recovery code, or ask an owner to reset your two-step sign-in.";
  throw new RequestError(409, detail);
}
