import { describe, expect, test } from "bun:test";
import { isGuessable } from "../../../src/backend/auth/people/passwords.ts";

describe("isGuessable", () => {
  test.each([
    "password1234",
    "Password123!",
    "P@ssw0rd2026!",
    "passwordpassword",
    "qwertyuiop12",
    "1q2w3e4r5t6y",
    "123456789012",
    "210987654321",
    "aaaaaaaaaaaa",
    "abcabcabcabc",
    "x9!x9!x9!x9!",
    "letmein-letmein",
    "Administrator1",
    "Freehold2026!",
    "Summer2025!!!",
    "ILoveYou4ever!",
    "ada.lovelace@names.example",
    "Lovelace1815!",
    "mynewpassword",
    "            ",
  ])("is true of %j", (password) => {
    expect(isGuessable(password, "ada.lovelace@names.example")).toBe(true);
  });

  test.each([
    "correct horse battery",
    "correcthorse",
    "password-velvet-giraffe",
    "a longer horse battery",
    "Tr0ub4dour&3x",
    "mein Passwort ist die lila Kuh",
    "hV7-kq2-Zp9-mw",
    "пароль от сейфа в углу",
    "ピアノと雨とコーヒーの朝の光と",
  ])("is false of %j", (password) => {
    expect(isGuessable(password, "ada.lovelace@names.example")).toBe(false);
  });
});
