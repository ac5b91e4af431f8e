import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";

/** 256 random bits in 43 characters that are safe in a cookie. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Letters and digits that cannot be mistaken for one another when read aloud or typed. */
const READABLE = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A code for people to type: 16 of 30 characters, 78 bits, in groups of four. */
export function randomCode(): string {
  const characters = Array.from({ length: 16 }, () => READABLE.charAt(randomInt(READABLE.length)));
  return characters.join("").replace(/(.{4})(?=.)/g, "$1-");
}

/** A random code may be typed in any case, with or without its hyphens. */
export function normalizeCode(code: string): string {
  return code.replace(/[\s-]/g, "").toUpperCase();
}

export function equalSecrets(one: string, other: string): boolean {
  return timingSafeEqual(Bun.SHA256.hash(one), Bun.SHA256.hash(other));
}

/** What of a random secret may be stored: its SHA-256 in hexadecimal. */
export function hashToken(token: string): string {
  return Bun.SHA256.hash(token, "hex");
}
