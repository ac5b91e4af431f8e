import { describe, expect, test } from "bun:test";
import { createPasswords, refuseGuessable } from "../../../src/backend/auth/people/passwords.ts";

describe("createPasswords", () => {
  test("verifies what it hashed, composed or not, and nothing else", async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash("gr\u00fc\u00dfe aus wien");
    expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(await passwords.verify("gru\u0308\u00dfe aus wien", hash)).toBe(true);
    expect(await passwords.verify("grüsse aus wien", hash)).toBe(false);
    // An unknown user, whose dummy hash is a real one.
    expect(await passwords.verify("hello", null)).toBe(false);
  });

  test("turns away what would wait too long, and serves again after that", async () => {
    const passwords = createPasswords({ memoryCost: 8, timeCost: 1 });
    const hash = await passwords.hash("x");
    const flood = Array.from({ length: 30 }, () => passwords.verify("x", hash));
    const settled = await Promise.allSettled(flood);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(17);
    for (const each of settled.slice(17)) {
      expect(each).toMatchObject({ status: "rejected", reason: { status: 503 } });
    }
    expect(await passwords.verify("x", hash)).toBe(true);
  });
});

describe("refuseGuessable", () => {
  const refuse = (password: string) => () =>
    refuseGuessable(password, "ada.lovelace@names.example", "/password");

  test("refuses common words, sequences, repetitions, and what is of the address", () => {
    const refused = `password1234 P@ssw0rd2026! passwordpassword qwertyuiop12 1q2w3e4r5t6y
      123456789012 210987654321 aaaaaaaaaaaa x9!x9!x9!x9! Administrator1 Freehold2026! Summer2025!!!
      ILoveYou4ever! ada.lovelace@names.example Lovelace1815! mynewpassword`.split(/\s+/);
    for (const password of [...refused, " ".repeat(12)]) {
      expect(refuse(password), password).toThrow();
    }
  });

  test("takes what has enough beside them, in any script", () => {
    const taken = `correct horse battery|correcthorse|password-velvet-giraffe|a longer horse battery|Tr0ub4dour&3x|
      mein Passwort ist die lila Kuh|hV7-kq2-Zp9-mw|пароль от сейфа в углу|ピアノと雨とコーヒーの朝の光と`;
    for (const password of taken.split(/\|\s*/)) {
      expect(refuse(password), password).not.toThrow();
    }
  });
});
