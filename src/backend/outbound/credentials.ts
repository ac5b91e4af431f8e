import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { databaseFile } from "../database/sqlite.ts";
import { RequestError } from "../http/request-error.ts";
import { OperatorError } from "../../shared/log.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The account and the field that a credential belongs to: it opens in no other place. */
type Place = readonly [account: string, field: string];

/** Encrypts credentials for other services (AES-256-GCM); its key is in no database or backup. */
export interface CredentialCipher {
  /** @throws {RequestError} 409 if no key is set, and none can be made or used. */
  encrypt(credential: string, place: Place): string;
  hasKey: boolean;
  /**
   * `other-key`: the key was lost or replaced; `unusable-key`: see `UNUSABLE_KEY`; `damaged`: what was
   * stored is not what was encrypted.
   */
  decrypt(
    stored: string,
    place: Place,
  ): { credential: string } | { fault: "other-key" | "unusable-key" | "damaged" };
}

const NO_KEY = "Credentials are stored encrypted: set CREDENTIALS_KEY on the server first.";

/** What a person reads where the key file was spoilt while the program ran. */
export const UNUSABLE_KEY =
  "The key file beside the database can be read by others, or is damaged: run chmod 600 on it, or restore it.";

/**
 * @param key `CREDENTIALS_KEY`, 32 bytes in base64. Without it, SQLite has a file beside the database,
 *   `<database>.key`, which is made when it is first needed; on Postgres nothing can be encrypted.
 * @throws {OperatorError} Where others may read that file, or it holds no key.
 */
export function createCredentialCipher(databaseUrl: string, key: string | null): CredentialCipher {
  const file = /^sqlite:/i.test(databaseUrl) ? `${databaseFile(databaseUrl)}.key` : null;
  const read = () =>
    key !== null ? Buffer.from(key, "base64") : file === null ? null : readKeyFile(file);
  // What is wrong with the file is said at the start, not when a message fails.
  read();
  let known: Buffer | "unusable" | null | undefined;
  // Once in a turn of the event loop: a list opens every field of each of its accounts.
  const readNow = () => {
    if (known !== undefined) return known;
    setImmediate(() => (known = undefined));
    try {
      known = read();
    } catch {
      known = "unusable";
    }
    return known;
  };
  return {
    hasKey: key !== null || file !== null,
    encrypt(credential, place) {
      const found = readNow() ?? (file && makeKeyFile(file));
      if (found === "unusable") throw new RequestError(409, UNUSABLE_KEY);
      if (!found) throw new RequestError(409, NO_KEY);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", found, nonce).setAAD(
        Buffer.from(JSON.stringify(place)),
      );
      const parts = [nonce, cipher.update(credential, "utf8"), cipher.final()];
      const sealed = Buffer.concat([...parts, cipher.getAuthTag()]);
      return `${idOf(found)}.${sealed.toString("base64url")}`;
    },
    decrypt(stored, place) {
      const found = readNow();
      if (found === "unusable") return { fault: "unusable-key" };
      const [id, text = ""] = stored.split(".");
      if (!found || id !== idOf(found)) return { fault: "other-key" };
      const sealed = Buffer.from(text, "base64url");
      try {
        const decipher = createDecipheriv("aes-256-gcm", found, sealed.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(Buffer.from(JSON.stringify(place))).setAuthTag(sealed.subarray(-TAG_BYTES));
        const opened = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
        return { credential: Buffer.concat([opened, decipher.final()]).toString("utf8") };
      } catch {
        return { fault: "damaged" };
      }
    },
  };
}

/** Tells keys apart, and nothing about them. */
function idOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

/** Null without such a file. @throws {OperatorError} */
function readKeyFile(file: string): Buffer | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  // Windows has no modes of others: it gives every file that can be written 0666.
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
    throw new OperatorError(`${file} can be read by others: run chmod 600 ${file}`);
  }
  const key = Buffer.from(readFileSync(file, "utf8"), "base64");
  if (key.length === KEY_BYTES) return key;
  throw new OperatorError(`${file} holds no key: expected ${KEY_BYTES} bytes in base64`);
}

/** Makes the file, whole or not at all; another process may be first. */
function makeKeyFile(file: string): Buffer | null {
  const key = `${randomBytes(KEY_BYTES).toString("base64")}\n`;
  const aside = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    writeFileSync(aside, key, { mode: 0o600, flag: "wx", flush: true });
    linkSync(aside, file);
  } catch (error) {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return readKeyFile(file);
}
