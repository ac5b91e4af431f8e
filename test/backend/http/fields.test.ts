import { describe, expect, test } from "bun:test";
import { Fields, isBlank, textFault } from "../../../src/backend/http/fields.ts";

describe("textFault", () => {
  test.each(["\0", "a\nb", "\ud800", "\u202eevil", "a\u202a", "\u2066", "a\u2069b"])(
    "refuses %j, on one line or several",
    (text) => {
      expect(textFault(text, { max: 10 })?.code).toBe("characters");
      const several = textFault(text, { max: 10, multiline: true });
      expect(several?.code).toBe(text === "a\nb" ? undefined : "characters");
    },
  );

  test.each(["", "Größe", "שלום", "a\u200fb", "👩‍👩‍👧", "a\u00adb"])("allows %j", (text) => {
    expect(textFault(text, { max: 10 })).toBeNull();
  });
});

describe("isBlank", () => {
  test.each(["", " \t\n", "\u200b", " \u00ad\u2060 ", "\ufeff", "\u3164", "\u2800"])(
    "takes %j for nothing",
    (text) => expect(isBlank(text)).toBe(true),
  );

  test.each(["a", "\u200ba", "👩‍👩‍👧", ".", "0"])("takes %j for something", (text) => {
    expect(isBlank(text)).toBe(false);
  });
});

describe("Fields", () => {
  test("takes a label that nobody can see for none", () => {
    const fields = new Fields({ owner: "\u200b", registrar: "\u202eevil" }, ["owner", "registrar"]);
    expect(fields.label("owner", 200)).toBeNull();
    expect(fields.problems).toEqual([]);
    expect(fields.label("registrar", 200)).toBeNull();
    expect(fields.problems).toMatchObject([{ pointer: "/registrar", code: "characters" }]);
  });
});
