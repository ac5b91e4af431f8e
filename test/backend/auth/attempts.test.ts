import { describe, expect, test } from "bun:test";
import { createAttempts } from "../../../src/backend/auth/attempts.ts";

const MINUTE = 60_000;

describe("createAttempts", () => {
  test("locks an address at the tenth attempt, and no other", () => {
    const attempts = createAttempts(() => 0);
    for (let attempt = 1; attempt < 10; attempt += 1) {
      expect(attempts.take("192.0.2.1").kind).toBe("open");
      expect(attempts.state("192.0.2.1").kind).toBe("open");
    }
    expect(attempts.take("192.0.2.1").kind).toBe("open");
    expect(attempts.state("192.0.2.1")).toEqual({ kind: "locked", retryAfter: 900 });
    expect(attempts.take("192.0.2.1").kind).toBe("locked");
    expect(attempts.take("192.0.2.2").kind).toBe("open");
  });

  test("opens by itself, however often somebody has knocked meanwhile", () => {
    let now = 0;
    const attempts = createAttempts(() => now);
    for (let attempt = 0; attempt < 10; attempt += 1) attempts.take("192.0.2.1");
    for (now = 0; now < 15 * MINUTE; now += MINUTE) {
      expect(attempts.take("192.0.2.1").kind).toBe("locked");
    }
    expect(attempts.take("192.0.2.1").kind).toBe("open");
  });

  test("takes back what was never examined", () => {
    const attempts = createAttempts(() => 0);
    for (let attempt = 0; attempt < 50; attempt += 1) {
      expect(attempts.take("192.0.2.1").kind).toBe("open");
      attempts.giveBack("192.0.2.1");
    }
  });

  test("remembers no more than ten thousand addresses, and forgets the quietest first", () => {
    const attempts = createAttempts(() => 0);
    const close = (address: string) => {
      for (let attempt = 0; attempt < 10; attempt += 1) attempts.take(address);
    };
    close("first");
    close("second");
    for (let index = 0; index < 9_999; index += 1) attempts.take(`10.0.0.${index}`);
    expect(attempts.state("first").kind).toBe("open");
    expect(attempts.state("second").kind).toBe("locked");
  });
});
