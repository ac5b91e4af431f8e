import { isRecord, type JsonSchema } from "../../src/shared/parse.ts";

/** Where a value is not what a JSON Schema says: pointers, of the keywords that our parsers write. */
export function schemaFaults(schema: unknown, value: unknown, at = ""): string[] {
  if (schema === false) return [at];
  if (!isRecord(schema)) return [];
  const faults = Object.entries(schema).flatMap(([keyword, wanted]) => {
    const check = KEYWORDS[keyword];
    if (check === undefined) throw new Error(`Unknown keyword ${keyword} at ${at}`);
    return check(wanted, value, at, schema);
  });
  return [...new Set(faults)];
}

type Check = (wanted: unknown, value: unknown, at: string, schema: JsonSchema) => string[];

/** A check that holds for whatever is not of its type. */
function when<T>(
  is: (value: unknown) => value is T,
  holds: (wanted: unknown, value: T) => boolean,
): Check {
  return (wanted, value, at) => (is(value) && !holds(wanted, value) ? [at] : []);
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number";
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const members = (value: unknown) => (isRecord(value) ? Object.entries(value) : []);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: isText,
  number: isNumber,
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: isList,
  object: isRecord,
};

const KEYWORDS: Readonly<Record<string, Check>> = {
  type: (wanted, value, at) => (TYPES[String(wanted)]?.(value) ? [] : [at]),
  enum: (wanted, value, at) => (isList(wanted) && wanted.includes(value) ? [] : [at]),
  const: (wanted, value, at) => (Bun.deepEquals(wanted, value) ? [] : [at]),
  anyOf(wanted, value, at) {
    const tried = isList(wanted) ? wanted.map((each) => schemaFaults(each, value, at)) : [];
    return tried.toSorted((one, other) => one.length - other.length)[0] ?? [at];
  },
  minimum: when(isNumber, (wanted, value) => value >= Number(wanted)),
  maximum: when(isNumber, (wanted, value) => value <= Number(wanted)),
  exclusiveMinimum: when(isNumber, (wanted, value) => value > Number(wanted)),
  minLength: when(isText, (wanted, value) => value.length >= Number(wanted)),
  maxLength: when(isText, (wanted, value) => value.length <= Number(wanted)),
  pattern: when(isText, (wanted, value) => new RegExp(String(wanted), "u").test(value)),
  format: when(isText, (wanted, value) => wanted !== "date" || /^\d{4}-\d\d-\d\d$/.test(value)),
  minItems: when(isList, (wanted, value) => value.length >= Number(wanted)),
  maxItems: when(isList, (wanted, value) => value.length <= Number(wanted)),
  maxProperties: when(isRecord, (wanted, value) => members(value).length <= Number(wanted)),
  items: (wanted, value, at) =>
    isList(value)
      ? value.flatMap((item, index) => schemaFaults(wanted, item, `${at}/${index}`))
      : [],
  properties: (wanted, value, at) =>
    members(wanted).flatMap(([name, schema]) =>
      isRecord(value) && Object.hasOwn(value, name)
        ? schemaFaults(schema, value[name], `${at}/${name}`)
        : [],
    ),
  required: (wanted, value, at) =>
    isList(wanted) && isRecord(value)
      ? wanted.flatMap((name) => (Object.hasOwn(value, String(name)) ? [] : `${at}/${name}`))
      : [],
  additionalProperties: (wanted, value, at, { properties }) =>
    members(value).flatMap(([name, member]) =>
      isRecord(properties) && Object.hasOwn(properties, name)
        ? []
        : schemaFaults(wanted, member, `${at}/${name}`),
    ),
  propertyNames: (wanted, value, at) =>
    members(value).flatMap(([name]) => schemaFaults(wanted, name, `${at}/${name}`)),
};
