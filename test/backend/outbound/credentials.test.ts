import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { yieldToEventLoop } from "../../../src/backend/database/event-loop.ts";
import { createCredentialCipher } from "../../../src/backend/outbound/credentials.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const PLACE = ["a", "password"] as const;
const KEYS = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));

describe("createCredentialCipher", () => {
  test("opens what it has encrypted, in its own place and with its own key only", () => {
    const [one, other] = KEYS.map((key) => createCredentialCipher("postgres://x/y", key));
    const stored = one?.encrypt("s3cret ünïcode", PLACE) ?? "";
    expect(stored).not.toContain("s3cret");
    expect(one?.encrypt("s3cret ünïcode", PLACE)).not.toBe(stored);
    expect(one?.decrypt(stored, PLACE)).toEqual({ credential: "s3cret ünïcode" });
    const damaged = { fault: "damaged" } as const;
    expect(one?.decrypt(stored, ["b", "password"])).toEqual(damaged);
    expect(one?.decrypt(stored, ["a", "token"])).toEqual(damaged);
    expect(one?.decrypt(stored.slice(0, -4), PLACE)).toEqual(damaged);
    expect(one?.decrypt(stored.slice(0, 12), PLACE)).toEqual(damaged);
    expect(other?.decrypt(stored, PLACE)).toEqual({ fault: "other-key" });
  });

  test("makes a key file beside SQLite when it first needs one", async () => {
    using folder = createTemporaryFolder();
    const url = `sqlite://${join(folder.path, "register.sqlite")}`;
    const file = join(folder.path, "register.sqlite.key");
    const cipher = createCredentialCipher(url, null);
    expect(existsSync(file)).toBe(false);
    const stored = cipher.encrypt("s3cret", PLACE);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = createCredentialCipher(url, null);
    expect(again.decrypt(stored, PLACE)).toEqual({ credential: "s3cret" });
    // One that runs already goes on without it, and says so.
    const expectUnusable = async () => {
      // The file is read once in a turn of the event loop.
      await yieldToEventLoop();
      expect(again.decrypt(stored, PLACE)).toEqual({ fault: "unusable-key" });
      expect(() => again.encrypt("s3cret", PLACE)).toThrow("The key file beside the database");
    };
    chmodSync(file, 0o640);
    expect(() => createCredentialCipher(url, null)).toThrow("chmod 600");
    await expectUnusable();
    chmodSync(file, 0o600);
    writeFileSync(file, "short");
    expect(() => createCredentialCipher(url, null)).toThrow("holds no key");
    await expectUnusable();
  });
});
