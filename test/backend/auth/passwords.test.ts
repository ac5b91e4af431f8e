import { describe, expect, test } from "bun:test";
import { createPasswords } from "../../../src/backend/auth/people/passwords.ts";

describe("createPasswords", () => {
  test("verifies what it hashed, composed or not, and nothing else", async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash("gr\u00fc\u00dfe aus wien");
    expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(await passwords.verify("gru\u0308\u00dfe aus wien", hash)).toBe(true);
    expect(await passwords.verify("grüsse aus wien", hash)).toBe(false);
  });

  test("is false for an unknown user, whose dummy hash is a real one", async () => {
    expect(await createPasswords().verify("hello", null)).toBe(false);
  });

  test("turns away what would wait too long, and serves again after that", async () => {
    const passwords = createPasswords({ memoryCost: 8, timeCost: 1 });
    const flood = Array.from({ length: 30 }, () => passwords.verify("x", null));
    const settled = await Promise.allSettled(flood);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(17);
    for (const each of settled.slice(17)) {
      expect(each).toMatchObject({ status: "rejected", reason: { status: 503 } });
    }
    expect(await passwords.verify("x", null)).toBe(false);
  });
});
