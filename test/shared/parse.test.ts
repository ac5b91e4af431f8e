import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  boolean,
  exactObject,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  orElse,
  ParseError,
  record,
  schemaOf,
  text,
  variant,
  type Parser,
} from "../../src/shared/parse.ts";
import { schemaFaults } from "../support/json-schema.ts";

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
    const person = parsePerson({ name: "Ada", age: null, role: "guest" });
    expect(Object.keys(person)).toEqual(["name", "age", "role"]);
  });

  test("reports every bad member with its pointer", () => {
    const bad = { name: 1, age: 151, role: "owner", tags: ["a", 2] };
    const age = "Expected a whole number from 0 to 150, but got 151";
    expect(problemsOf(parsePerson, bad)).toEqual([
      { pointer: "/name", code: "type", detail: "Expected a string, but got 1" },
      { pointer: "/age", code: "range", detail: age },
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
    const none = { pointer: "/a", code: "unknown", detail: "Unknown field; expected none" };
    expect(problemsOf(exactObject({}), { a: 1 })).toEqual([none]);
  });

  test("stops at 20 problems, however many there are, as a list does", () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [index, 1]));
    expect(problemsOf(parse, many)).toHaveLength(20);
    expect(problemsOf(list(text), Array.from({ length: 1000 }))).toHaveLength(20);
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

describe("the schema of a parser", () => {
  const shape = {
    a: text,
    b: optional(integer(-2, 2)),
    c: list(nullable(boolean), { min: 1, max: 2 }),
    d: record(oneOf(["x", "y"])),
    e: variant("kind", { one: { n: number }, two: {} }),
  };
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom(null, true, "", "x", "y", "one", "two", 0, 1.5, 2, 3),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("n", "kind", "z"), tie("value"), { maxKeys: 3 }),
    ),
  })).value;
  const likely = fc.record(
    {
      a: fc.string(),
      b: fc.constantFrom(-2, 0, 2, 3),
      c: fc.array(fc.constantFrom(true, null), { maxLength: 3 }),
      d: fc.dictionary(fc.string(), fc.constantFrom("x", "y")),
      e: fc.constantFrom({ kind: "one", n: 1 }, { kind: "two" }, { kind: "one" }, {}),
      z: json,
    },
    { requiredKeys: ["a", "c", "d", "e"] },
  );

  test.each([
    ["object", object(shape)],
    ["exactObject", exactObject(shape)],
  ] as const)("of %s accepts what the parser accepts, and nothing else", (_, parse) => {
    const schema = schemaOf(parse);
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(likely, json), (value) => {
        const parses = problemsOf(parse, value).length === 0;
        accepted += Number(parses);
        expect(schemaFaults(schema, value).length === 0).toBe(parses);
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  test("is that of what is written, where the parser also reads something else", () => {
    const schema = schemaOf(object({ a: orElse(text, null) }));
    expect(schemaFaults(schema, { a: null })).toEqual([]);
    expect(schemaFaults(schema, { a: 1 })).toEqual(["/a"]);
    expect(schemaFaults(schema, {})).toEqual(["/a"]);
  });

  test("is asked in vain of a parser that has none", () => {
    expect(() => schemaOf(object({ a: (value) => value }))).toThrow("has no JSON schema");
  });
});
