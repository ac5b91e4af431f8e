import { describe, expect, test } from "bun:test";
import { parseLabel, parseNotes, parseTags, splitTags } from "../../src/shared/text.ts";

describe("parseLabel", () => {
  test("trims, composes, and takes blank for none", () => {
    expect(parseLabel()("  Zoe\u0308 ")).toBe("Zo\u00eb");
    for (const blank of [null, "", " \t".trim(), "\u200b", "\u2800"]) {
      expect(parseLabel()(blank)).toBeNull();
    }
  });

  const texts = ["a\u0000b", "\u202eabc", "half \ud83d", "x".repeat(201), "\ufdfa".repeat(20)];
  test.each([...texts, 7, undefined])("refuses %p", (value) => {
    expect(() => parseLabel()(value)).toThrow();
  });
});

describe("parseTags", () => {
  test("makes one of tags that fold to the same form", () => {
    expect(parseTags(["Client", " client ", "ＣＬＩＥＮＴ", "other"])).toEqual(["Client", "other"]);
  });

  test("refuses blank tags, long ones and more than 50", () => {
    for (const value of [[""], ["x".repeat(51)], Array.from({ length: 51 }, String), "a", [1]]) {
      expect(() => parseTags(value)).toThrow();
    }
  });
});

describe("parseNotes", () => {
  test("keeps lines and takes notes that show nothing for none", () => {
    expect(parseNotes("one\n\ttwo ")).toBe("one\n\ttwo ");
    expect(parseNotes(" \n\u200b")).toBe("");
    const arabic = "\u202bملاحظة\u202c \u2067של\u2069";
    expect(parseNotes(arabic)).toBe(arabic);
    expect(() => parseNotes("x".repeat(10_001))).toThrow();
    expect(() => parseNotes("a\u0000b")).toThrow();
  });
});

describe("splitTags", () => {
  test("takes each once, without blanks", () => {
    expect(splitTags("a, b,,a , c d")).toEqual(["a", "b", "c d"]);
  });
});
