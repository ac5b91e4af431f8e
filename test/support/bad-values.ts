import { isRecord } from "../../src/shared/parse.ts";
import { schemaFaults } from "./json-schema.ts";

/** A value that a schema refuses, and the pointer (RFC 6901) to what is wrong in it. */
export interface BadValue {
  value: unknown;
  pointer: string;
}

/** Values of which most are of a wrong type, too long, too large, or of no form that a text has. */
const WRONG = [{ "": [] }, [[]], 1.5, true, "\0", null, -1, 2 ** 53, "", "2027-02-30"];

/** One bad value for each thing that a schema says: types, words, forms, limits and members, at any depth. */
export function badValues(schema: unknown): BadValue[] {
  return [...candidates(schema)].filter(({ value }) => schemaFaults(schema, value).length > 0);
}

function* candidates(schema: unknown): Generator<BadValue> {
  if (!isRecord(schema)) return;
  const { anyOf, properties, required, additionalProperties, items, maxLength, maxItems } = schema;
  const wrong = WRONG.filter((value) => schemaFaults(schema, value).length > 0);
  // One of each type is enough.
  for (const [, [value]] of Map.groupBy(wrong, (each) => typeof each)) yield { value, pointer: "" };
  if (typeof maxLength === "number") yield { value: "x".repeat(maxLength + 1), pointer: "" };
  if (typeof maxItems === "number" && maxItems <= 1000) {
    yield { value: Array.from({ length: maxItems + 1 }, () => "x"), pointer: "" };
  }
  const variants: unknown[] = Array.isArray(anyOf) ? anyOf : [];
  for (const each of variants) {
    // Of several objects, it is not known which one was meant.
    const isOne = variants.filter((other) => isRecord(other) && "properties" in other).length < 2;
    for (const { value, pointer } of badValues(each))
      yield { value, pointer: isOne ? pointer : "" };
  }
  if (items !== undefined) yield* within("0", badValues(items), (value) => [value]);
  if (isRecord(properties)) {
    const kinds = Object.entries(properties).flatMap(([name, member]) => {
      const words = isRecord(member) ? member["enum"] : undefined;
      return Array.isArray(words) && words.length === 1 ? [[name, words[0]]] : [];
    });
    // A member with a single word tells which of several objects it is.
    const rest = Object.fromEntries(kinds);
    for (const [name, member] of Object.entries(properties)) {
      yield* within(name, badValues(member), (value) => ({ ...rest, [name]: value }));
    }
    for (const name of Array.isArray(required) ? required : []) {
      if (!(name in rest)) yield { value: rest, pointer: `/${name}` };
    }
    if (additionalProperties === false) yield { value: { ...rest, "?": 1 }, pointer: "/?" };
  } else if (isRecord(additionalProperties)) {
    yield* within("AAA", badValues(additionalProperties), (value) => ({ AAA: value }));
  }
}

function* within(
  name: string,
  bad: Iterable<BadValue>,
  wrap: (value: unknown) => unknown,
): Generator<BadValue> {
  for (const { value, pointer } of bad) yield { value: wrap(value), pointer: `/${name}${pointer}` };
}
