import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { SQL } from "bun";

/** 256 random bits in 43 characters that are safe in a cookie. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Letters and digits that nobody takes for one another when reading aloud or typing. */
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

/** Whether two secrets are equal, in a time that depends on neither. */
export function equalSecrets(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

/** What of a secret may be kept: its SHA-256 in hexadecimal. Good for random secrets only. */
export function hashToken(token: string): string {
  return digest(token).toString("hex");
}

/**
 * A setting that is made once and then stays, whichever instance was first. Inside a transaction.
 */
export async function keepSetting(sql: SQL, name: string, make: () => string): Promise<string> {
  await sql`insert into settings ${sql({ name, value: make() })} on conflict (name) do nothing`;
  const [row] = await sql<{ value: string }[]>`select value from settings where name = ${name}`;
  if (row === undefined) throw new Error(`The setting ${name} vanished within its transaction`);
  return row.value;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
