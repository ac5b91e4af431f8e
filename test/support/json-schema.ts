import { isRecord, type JsonSchema } from "../../src/shared/parse.ts";

/**
 * Where a value is not what a JSON Schema says: pointers, of the keywords that our parsers write.
 *
 * @param root The document that references are pointers into.
 */
export function schemaFaults(
  schema: unknown,
  value: unknown,
  at = "",
  root: unknown = schema,
): string[] {
  if (schema === false) return [at];
  if (!isRecord(schema)) return [];
  const within = { schema, root };
  const faults: string[] = [];
  // Loops and no lists on the way: every answer of a backend in a test comes through here.
  for (const keyword in schema) {
    const check = KEYWORDS[keyword];
    if (check === undefined) throw new Error(`Unknown keyword ${keyword} at ${at}`);
    const found = check(schema[keyword], value, at, within);
    if (found.length > 0) faults.push(...found);
  }
  return faults.length > 1 ? [...new Set(faults)] : faults;
}

type Check = (
  wanted: unknown,
  value: unknown,
  at: string,
  within: { schema: JsonSchema; root: unknown },
) => string[];

/** What a reference such as `#/components/schemas/Problem` is to. @throws {Error} For nothing. */
function referredBy(reference: unknown, root: unknown): unknown {
  const found = memberAt(root, ...String(reference).split("/").slice(1));
  if (found === undefined) throw new Error(`${String(reference)} is not in the document`);
  return found;
}

/** The member of a member and so on, with references followed on the way to it and at it. */
export function memberAt(root: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((from, name) => {
    const found = isRecord(from) && Object.hasOwn(from, name) ? from[name] : undefined;
    return isRecord(found) && "$ref" in found ? referredBy(found["$ref"], root) : found;
  }, root);
}

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

const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/,
};

const KEYWORDS: Readonly<Record<string, Check>> = {
  description: () => [],
  $ref: (wanted, value, at, { root }) => schemaFaults(referredBy(wanted, root), value, at, root),
  type: (wanted, value, at) => (TYPES[String(wanted)]?.(value) ? [] : [at]),
  enum: (wanted, value, at) => (isList(wanted) && wanted.includes(value) ? [] : [at]),
  const: (wanted, value, at) => (Bun.deepEquals(wanted, value) ? [] : [at]),
  anyOf(wanted, value, at, { root }) {
    let fewest: string[] | undefined;
    for (const each of isList(wanted) ? wanted : []) {
      const faults = schemaFaults(each, value, at, root);
      if (faults.length === 0) return faults;
      if (fewest === undefined || faults.length < fewest.length) fewest = faults;
    }
    return fewest ?? [at];
  },
  minimum: when(isNumber, (wanted, value) => value >= Number(wanted)),
  maximum: when(isNumber, (wanted, value) => value <= Number(wanted)),
  exclusiveMinimum: when(isNumber, (wanted, value) => value > Number(wanted)),
  minLength: when(isText, (wanted, value) => value.length >= Number(wanted)),
  maxLength: when(isText, (wanted, value) => value.length <= Number(wanted)),
  pattern: when(isText, (wanted, value) => new RegExp(String(wanted), "u").test(value)),
  format: when(isText, (wanted, value) => FORMATS[String(wanted)]?.test(value) ?? false),
  minItems: when(isList, (wanted, value) => value.length >= Number(wanted)),
  maxItems: when(isList, (wanted, value) => value.length <= Number(wanted)),
  maxProperties: when(isRecord, (wanted, value) => members(value).length <= Number(wanted)),
  items: (wanted, value, at, { root }) =>
    isList(value)
      ? value.flatMap((item, index) => schemaFaults(wanted, item, `${at}/${index}`, root))
      : [],
  properties(wanted, value, at, { root }) {
    const faults: string[] = [];
    if (!isRecord(wanted) || !isRecord(value)) return faults;
    for (const name in wanted) {
      if (!Object.hasOwn(value, name)) continue;
      const found = schemaFaults(wanted[name], value[name], `${at}/${name}`, root);
      if (found.length > 0) faults.push(...found);
    }
    return faults;
  },
  required: (wanted, value, at) =>
    isList(wanted) && isRecord(value)
      ? wanted.flatMap((name) => (Object.hasOwn(value, String(name)) ? [] : `${at}/${name}`))
      : [],
  additionalProperties(wanted, value, at, { schema: { properties }, root }) {
    const faults: string[] = [];
    if (!isRecord(value)) return faults;
    for (const name in value) {
      if (isRecord(properties) && Object.hasOwn(properties, name)) continue;
      faults.push(...schemaFaults(wanted, value[name], `${at}/${name}`, root));
    }
    return faults;
  },
  propertyNames: (wanted, value, at, { root }) =>
    members(value).flatMap(([name]) => schemaFaults(wanted, name, `${at}/${name}`, root)),
};
