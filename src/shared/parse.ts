/**
 * A parser returns a value of its type or throws a `ParseError`; `object` and `list` go on after a
 * bad member, so that all are reported. The browser reads answers with them, the backend requests.
 */
export interface Parser<T> {
  (value: unknown): T;
  /** Describes it for programs: see `schemaOf`. */
  readonly schema?: () => JsonSchema;
}

/** What a parser returns: `type Domain = Parsed<typeof parseDomain>`. */
export type Parsed<P> = P extends Parser<infer T> ? T : never;

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Gives a parser its schema. `parse` may refuse more, such as contradictory members. */
export function described<T>(parse: (value: unknown) => T, schema: () => JsonSchema): Parser<T> {
  return Object.assign(parse, { schema });
}

/** The schema of a parser. @throws {Error} Where it, or a part of it, has none. */
export function schemaOf(parse: Parser<unknown>): JsonSchema {
  if (parse.schema === undefined) throw new Error(`${parse.name || "A parser"} has no JSON schema`);
  return parse.schema();
}

/** One bad field; `pointer` is a JSON Pointer (RFC 6901) into the request, such as `/name`. */
export interface FieldProblem {
  pointer: string;
  code: string;
  detail: string;
}

/** Problems that one error lists; a person reads no more. */
export const MAX_PROBLEMS = 20;

/** The value has another shape. Pointers (RFC 6901) are relative to the value that was parsed. */
export class ParseError extends TypeError {
  override readonly name = "ParseError";
  readonly problems: readonly FieldProblem[];

  constructor(problems: readonly FieldProblem[]) {
    super(problems.map(({ pointer, detail }) => `${pointer || "value"}: ${detail}`).join("; "));
    this.problems = problems;
  }
}

/** Refuses the value itself. `code` is for programs, `detail` for people. @throws {ParseError} */
export function refuse(code: string, detail: string): never {
  throw new ParseError([{ pointer: "", code, detail }]);
}

/** "Expected …, but got …", with a long value cut short. */
export function expected(what: string, value: unknown): string {
  return `Expected ${what}, but got ${describe(value)}`;
}

/** Takes the values that `is` holds for; `what` says in the message which those are. */
function only<T>(
  is: (value: unknown) => value is T,
  code: string,
  what: string,
  schema: JsonSchema,
): Parser<T> {
  return described(
    (value) => (is(value) ? value : refuse(code, expected(what, value))),
    () => schema,
  );
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown): value is number => Number.isFinite(value);

export const text = only(isText, "type", "a string", { type: "string" });

export const boolean = only((value) => typeof value === "boolean", "type", "true or false", {
  type: "boolean",
});

/** Any finite number. @throws {ParseError} */
export const number = only(isNumber, "type", "a number", { type: "number" });

/** A string of one form; `what` says which in the message. */
export function textLike(form: RegExp, code: string, what: string): Parser<string> {
  const is = (value: unknown): value is string => isText(value) && form.test(value);
  return only(is, code, what, { type: "string", pattern: form.source });
}

/** Any JSON, as it came. */
export const anything = described(
  (value) => value,
  () => ({}),
);

/** A whole number between two bounds, both included; they must be safe integers. */
export function integer(min: number, max: number): Parser<number> {
  const is = (value: unknown): value is number =>
    isNumber(value) && Number.isSafeInteger(value) && value >= min && value <= max;
  const schema = { type: "integer", minimum: min, maximum: max };
  return only(is, "range", `a whole number from ${min} to ${max}`, schema);
}

export function oneOf<const T extends string>(words: readonly T[]): Parser<T> {
  const is = (value: unknown): value is T => words.some((word) => word === value);
  return only(is, "choice", `one of ${words.join(", ")}`, { enum: words });
}

export function keyOf<K extends string>(keys: Readonly<Record<K, unknown>>): Parser<K> {
  return oneOf(Object.keys(keys) as K[]); // Made of all keys.
}

/** What `then` makes of what `parse` accepts; it may refuse some of that. */
export function mapped<T, U>(parse: Parser<T>, then: (value: T) => U): Parser<U> {
  return described(
    (value) => then(parse(value)),
    () => schemaOf(parse),
  );
}

export function nullable<T>(parse: Parser<T>): Parser<T | null> {
  return described(
    (value) => (value === null ? null : parse(value)),
    () => ({ anyOf: [schemaOf(parse), { type: "null" }] }),
  );
}

/** For members that an older or newer server writes differently, and people can do without. */
export function orElse<T, F>(parse: Parser<T>, fallback: F): Parser<T | F> {
  return described(
    (value) => {
      // The usual value of many members: an error with its stack would cost a hundred times as much.
      if (value === fallback) return fallback;
      try {
        return parse(value);
      } catch (error) {
        if (error instanceof ParseError) return fallback;
        throw error;
      }
    },
    () => ({ anyOf: [schemaOf(parse), { const: fallback }] }),
  );
}

/** An array whose every item `parse` accepts, of `min` to `max` items. */
export function list<T>(
  parse: Parser<T>,
  { min = 0, max = Number.POSITIVE_INFINITY }: { min?: number; max?: number } = {},
): Parser<T[]> {
  const read = (value: unknown): T[] => {
    if (!Array.isArray(value)) return refuse("type", expected("a list", value));
    const items: unknown[] = value;
    if (items.length < min || items.length > max) {
      const range = min === 0 ? `at most ${max}` : `${min} to ${max}`;
      return refuse("length", `Expected a list of ${range} items, but got ${items.length}`);
    }
    const problems = new Problems();
    const parsed: T[] = [];
    for (const [index, item] of items.entries()) {
      if (problems.full) break;
      problems.collect(String(index), () => parsed.push(parse(item)));
    }
    return problems.finish(parsed);
  };
  return described(read, () => ({
    type: "array",
    items: schemaOf(parse),
    minItems: min,
    ...(Number.isFinite(max) && { maxItems: max }),
  }));
}

/** An object of any members, whose values `parse` accepts. */
export function record<T>(parse: Parser<T>): Parser<Record<string, T>> {
  const read = (value: unknown): Record<string, T> => {
    if (!isRecord(value)) return refuse("type", expected("an object", value));
    const problems = new Problems();
    const parsed: [string, T][] = [];
    for (const [key, item] of Object.entries(value)) {
      if (problems.full) break;
      problems.collect(key, () => parsed.push([key, parse(item)]));
    }
    // Not assigned one by one: of a name such as `__proto__`, that would make the prototype.
    return problems.finish(Object.fromEntries(parsed));
  };
  return described(read, () => ({ type: "object", additionalProperties: schemaOf(parse) }));
}

interface Optional<T> extends Parser<T> {
  readonly optional: true;
}

/** A member of an object that may be absent; where it is there, `parse` has to accept it. */
export function optional<T>(parse: Parser<T>): Optional<T> {
  const read = (value: unknown) => parse(value);
  return Object.assign(read, { optional: true as const, schema: () => schemaOf(parse) });
}

export type Shape = Readonly<Record<string, Parser<unknown>>>;
type OptionalKeys<S> = { [K in keyof S]: S[K] extends Optional<unknown> ? K : never }[keyof S];

export type ObjectOf<S> = {
  [K in Exclude<keyof S, OptionalKeys<S>>]: Parsed<S[K]>;
} & { [K in OptionalKeys<S>]?: Parsed<S[K]> };

/** An object with these members; others are left out. This is how answers are read. */
export function object<S extends Shape>(shape: S): Parser<ObjectOf<S>> {
  return described(
    (value) => readMembers(shape, value, new Problems()),
    () => membersSchema(shape),
  );
}

/** A page of a list; `next` asks for the one behind it, null behind the last. */
export function page<T>(item: Parser<T>) {
  return object({ items: list(item), next: nullable(text) });
}

/** A page with how many there are on all. */
export function countedPage<T>(item: Parser<T>) {
  return object({ items: list(item), next: nullable(text), total: number });
}

/** An object with these members and no other. This is how requests are read. */
export function exactObject<S extends Shape>(shape: S, member = "field"): Parser<ObjectOf<S>> {
  const read = (value: unknown) => {
    const problems = new Problems();
    for (const key of isRecord(value) ? Object.keys(value) : []) {
      if (problems.full) break;
      if (Object.hasOwn(shape, key)) continue;
      const known = Object.keys(shape).join(", ");
      const detail = `Unknown ${member}; expected ${known ? `only ${known}` : "none"}`;
      problems.collect(key.slice(0, 100), () => refuse("unknown", detail));
    }
    return readMembers(shape, value, problems);
  };
  return described(read, () => ({ ...membersSchema(shape), additionalProperties: false }));
}

function membersSchema(shape: Shape): JsonSchema {
  const members = Object.entries(shape);
  return {
    type: "object",
    properties: Object.fromEntries(members.map(([key, parse]) => [key, schemaOf(parse)])),
    required: members.flatMap(([key, parse]) => ("optional" in parse ? [] : key)),
  };
}

function readMembers<S extends Shape>(shape: S, value: unknown, problems: Problems): ObjectOf<S> {
  if (!isRecord(value)) return refuse("type", expected("an object", value));
  const parsed: Record<string, unknown> = {};
  for (const [key, parse] of Object.entries(shape)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given === undefined && "optional" in parse) continue;
    problems.collect(key, () => {
      parsed[key] = parse(given);
    });
  }
  // Every member of the shape was parsed, or is optional and absent.
  return problems.finish(parsed as ObjectOf<S>);
}

/** One of several objects, told apart by the string in their member `tag`. */
export function variant<Tag extends string, S extends Readonly<Record<string, Shape>>>(
  tag: Tag,
  shapes: S,
) {
  type Variant = { [K in keyof S & string]: { [T in Tag]: K } & ObjectOf<S[K]> }[keyof S & string];
  const parsers = new Map(Object.entries(shapes).map(([key, shape]) => [key, object(shape)]));
  const read = (value: unknown): Variant => {
    const key = isRecord(value) ? value[tag] : undefined;
    const parse = typeof key === "string" ? parsers.get(key) : undefined;
    if (parse === undefined) {
      const what = `an object whose ${tag} is one of ${[...parsers.keys()].join(", ")}`;
      return refuse("choice", expected(what, key));
    }
    // The members are those of the shape that `key` names.
    return { [tag]: key, ...parse(value) } as Variant;
  };
  return described(read, () => ({
    anyOf: Object.entries(shapes).map(([key, shape]) =>
      membersSchema({ [tag]: oneOf([key]), ...shape }),
    ),
  }));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text for a message: marks that would reverse the words after them (UAX #9) are spelled out. */
export function quotable(given: string): string {
  return given.replace(
    /[\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  );
}

class Problems {
  readonly #found: FieldProblem[] = [];

  get full(): boolean {
    return this.#found.length >= MAX_PROBLEMS;
  }

  /** Runs `parse` for the member `key` and keeps what it refuses. */
  collect(key: string, parse: () => unknown): void {
    try {
      parse();
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      const segment = key.replaceAll("~", "~0").replaceAll("/", "~1");
      for (const { pointer, ...problem } of error.problems) {
        this.#found.push({ pointer: `/${segment}${pointer}`, ...problem });
      }
    }
  }

  finish<T>(parsed: T): T {
    if (this.#found.length > 0) throw new ParseError(this.#found.slice(0, MAX_PROBLEMS));
    return parsed;
  }
}

function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (isRecord(value)) return "an object";
  // Cut before it is quoted: a value of megabytes costs no more than a short one.
  const short = typeof value === "string" ? value.slice(0, 61) : value;
  const shown = quotable(JSON.stringify(short));
  return shown.length > 60 ? `${shown.slice(0, 59)}…` : shown;
}
