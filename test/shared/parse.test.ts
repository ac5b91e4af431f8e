import { describe, expect, test } from "bun:test";
import {
  boolean,
  exactObject,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  orElse,
  ParseError,
  text,
  variant,
  type Parser,
} from "../../src/shared/parse.ts";

function problemsOf(parse: Parser<unknown>, value: unknown) {
  try {
    parse(value);
  } catch (error) {
    if (error instanceof ParseError) return error.problems;
    throw error;
  }
  return [];
}

const parsePerson = object({
  name: text,
  age: nullable(integer(0, 150)),
  role: orElse(oneOf(["owner", "editor"]), null),
  tags: optional(list(text, { max: 2 })),
});

describe("object", () => {
  test("keeps its members and leaves others out", () => {
    const person = { name: "Ada", age: 36, role: "owner", tags: ["x"], extra: 1 };
    expect(parsePerson(person)).toEqual({ name: "Ada", age: 36, role: "owner", tags: ["x"] });
  });

  test("leaves an absent optional member absent", () => {
    expect(Object.keys(parsePerson({ name: "Ada", age: null, role: "guest" }))).toEqual([
      "name",
      "age",
      "role",
    ]);
  });

  test("reports every bad member with its pointer", () => {
    const bad = { name: 1, age: 151, role: "owner", tags: ["a", 2] };
    expect(problemsOf(parsePerson, bad)).toEqual([
      { pointer: "/name", code: "type", detail: "Expected a string, but got 1" },
      {
        pointer: "/age",
        code: "range",
        detail: "Expected a whole number from 0 to 150, but got 151",
      },
      { pointer: "/tags/1", code: "type", detail: "Expected a string, but got 2" },
    ]);
  });

  test("reads no inherited member", () => {
    expect(problemsOf(object({ toString: text }), {})).toMatchObject([{ pointer: "/toString" }]);
  });

  test.each([[null], [[]], ["text"], [undefined]])("refuses %p", (value) => {
    expect(problemsOf(parsePerson, value)).toMatchObject([{ pointer: "", code: "type" }]);
  });
});

describe("exactObject", () => {
  const parse = exactObject({ "a/b": boolean });

  test("refuses members that it does not know, and escapes their names", () => {
    expect(problemsOf(parse, { "a/b": true, "c~/": 1 })).toEqual([
      { pointer: "/c~0~1", code: "unknown", detail: "Unknown field; expected only a/b" },
    ]);
  });

  test("stops at 20 problems, however many there are", () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [index, 1]));
    expect(problemsOf(parse, many)).toHaveLength(20);
  });
});

describe("list", () => {
  test("refuses too few and too many items, and what is no list", () => {
    const parse = list(text, { min: 1, max: 2 });
    for (const value of [[], ["a", "b", "c"], "a", { length: 1 }]) {
      expect(problemsOf(parse, value)).toHaveLength(1);
    }
    expect(parse(["a"])).toEqual(["a"]);
  });

  test("stops at 20 problems", () => {
    expect(problemsOf(list(text), Array.from({ length: 1000 }))).toHaveLength(20);
  });
});

describe("variant", () => {
  const parse = variant("kind", { circle: { radius: integer(1, 9) }, point: {} });

  test("reads the members of the shape that the tag names", () => {
    expect(parse({ kind: "circle", radius: 2, side: 3 })).toEqual({ kind: "circle", radius: 2 });
    expect(parse({ kind: "point", radius: 2 })).toEqual({ kind: "point" });
  });

  test.each([[{ kind: "square" }], [{}], [null], [{ kind: "toString" }]])("refuses %p", (value) => {
    expect(problemsOf(parse, value)).toMatchObject([{ code: "choice" }]);
  });
});

describe("a message", () => {
  test("cuts a long value short and shows marks that reverse the text after them", () => {
    const [long] = problemsOf(boolean, "x".repeat(5_000_000));
    expect(long?.detail.length).toBeLessThan(110);
    expect(problemsOf(boolean, "\u202eabc")[0]?.detail).toContain("\\u202eabc");
  });
});
