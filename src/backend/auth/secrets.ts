import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { SQL } from "bun";

/** 256 random bits in 43 characters that are safe in a cookie. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Letters and digits that cannot be mistaken for one another when read aloud or typed. */
const READABLE = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A code for people to type: 16 of 30 characters, 78 bits, in groups of four. */
export function randomCode(): string {
  const characters: string[] = [];
  while (characters.length < 16) {
    // Bytes from 240 on are thrown away: they would make the first characters likelier.
    const bytes = [...randomBytes(16)].filter((byte) => byte < 240);
    characters.push(...bytes.map((byte) => READABLE.charAt(byte % READABLE.length)));
  }
  const code = characters.slice(0, 16).join("");
  return code.replace(/(.{4})(?=.)/g, "$1-");
}

/** Compares two secrets in a time that depends on neither. */
export function equalSecrets(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

/** What of a random secret may be stored: its SHA-256 in hexadecimal. */
export function hashToken(token: string): string {
  return digest(token).toString("hex");
}

/**
 * Reads a setting, and makes it where it is missing; it stays whichever instance was first. Inside a
 * transaction.
 */
export async function ensureSetting(sql: SQL, name: string, make: () => string): Promise<string> {
  await sql`insert into settings ${sql({ name, value: make() })} on conflict (name) do nothing`;
  const [row] = await sql<{ value: string }[]>`select value from settings where name = ${name}`;
  if (row === undefined) throw new Error(`The setting ${name} vanished within its transaction`);
  return row.value;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
