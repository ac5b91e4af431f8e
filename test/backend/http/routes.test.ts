import { afterAll, describe, expect, test } from "bun:test";
import { TABLES } from "../../../src/backend/backup/backup.ts";
import { SECRET_PATHS } from "../../../src/backend/backend.ts";
import { secretPaths, type Route } from "../../../src/backend/http/route.ts";
import { isRecord, schemaOf } from "../../../src/shared/parse.ts";
import { type ApiRequest } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { schemaFaults } from "../../support/json-schema.ts";

/** One server for all routes: what is tried here changes nothing. */
const server = await startBackend();
const owner = await server.owner();
const stranger = server.visitor();
await stranger.request("/api/token");
afterAll(() => server[Symbol.asyncDispose]());

const { routes } = server.backend;
const all = routes.map((each) => [`${each.method} ${each.path}`, each] as const);
const writing = all.filter(([, { method, hasSecret }]) => method !== "GET" && !hasSecret);
const withJson = all.filter(([, { body }]) => typeof body === "function");
const withQuery = all.filter(([, { query }]) => query !== undefined);
const before = await readTables();

/** Whether a parameter may be this text, as a word, a number or the only one of several. */
function takes(schema: unknown, text: string): boolean {
  return [text, Number(text), [text]].some((value) => schemaFaults(schema, value).length === 0);
}

/** All rows but of sessions, which note when they were used. */
async function readTables() {
  const tables = TABLES.map(async (table) => {
    const rows = await server.read((sql) => sql`select * from ${sql(table)}`);
    return [table, [...rows]];
  });
  return Object.fromEntries(await Promise.all(tables));
}

/** A path of a route, with an id that nobody has. */
function pathOf({ path }: Route): string {
  return path.replace(/:(\w+)/, (_, name) => (name === "id" ? crypto.randomUUID() : "nothing"));
}

async function ask(client: typeof owner, given: Route, request: ApiRequest = {}) {
  const response = await client.request(pathOf(given), { method: given.method, ...request });
  const type = response.headers.get("content-type");
  if (type !== "application/problem+json") return { status: response.status, problem: null };
  const problem: unknown = await response.json();
  expect(problem).toMatchObject({ status: response.status, detail: expect.stringMatching(/./) });
  return { status: response.status, problem: isRecord(problem) ? problem : null };
}

/** A value that a schema refuses, and the pointer (RFC 6901) to what is wrong in it. */
interface BadValue {
  value: unknown;
  pointer: string;
}

/** Values of which most are of a wrong type, too long, too large, or of no form that a text has. */
const WRONG = [{ "": [] }, [[]], 1.5, true, "\0", null, -1, 2 ** 53, "", "2027-02-30"];

/** One bad value for each thing that a schema says: types, words, forms, limits and members, at any depth. */
function badValues(schema: unknown): BadValue[] {
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

describe("every route", () => {
  test("says in JSON Schema what it takes and answers", () => {
    const schemas = routes.flatMap(({ query, body, answer }) => [
      ...(query === undefined ? [] : [query.schema()]),
      ...(typeof body === "function" ? [schemaOf(body)] : []),
      ...(typeof answer === "function" ? [schemaOf(answer)] : []),
    ]);
    // The validator throws for a keyword that it does not know.
    for (const schema of schemas) expect(schemaFaults(schema, 0)).toBeArray();
    expect(JSON.parse(JSON.stringify(schemas))).toEqual(schemas);
  });

  test("says in one line what it does, and is the only one of its method and path", () => {
    for (const { summary } of routes) expect(summary).toMatch(/^[A-Z][^\n]{3,100}[^\n.]$/);
    expect(new Set(all.map(([name]) => name)).size).toBe(all.length);
  });

  test("with a secret in its path is in no log", () => {
    expect(secretPaths(routes).toSorted()).toEqual([...SECRET_PATHS].toSorted());
  });

  test.each(writing)("%s is 403 from elsewhere or without the token", async (_, given) => {
    const other = stranger.cookies.get("XSRF-TOKEN") ?? "";
    for (const headers of [
      { "X-XSRF-TOKEN": "" },
      { "X-XSRF-TOKEN": other },
      { Origin: "https://evil.example" },
    ]) {
      expect((await ask(owner, given, { headers })).status).toBe(403);
    }
  });

  test.each(withJson)("%s takes nothing but JSON of its shape", async (_, given) => {
    const { body } = given;
    if (typeof body !== "function") return;
    expect((await ask(owner, given, { body: "{}" })).status).toBe(415);
    for (const { value, pointer } of badValues(schemaOf(body))) {
      // What each column means is only checked once the file is there.
      if (pointer.startsWith("/mapping/")) continue;
      const { status, problem } = await ask(owner, given, { json: value });
      const found = Array.isArray(problem?.["errors"]) ? problem["errors"] : [];
      const names = found.some(
        (error) => error.pointer.startsWith(pointer) || pointer.startsWith(error.pointer),
      );
      expect([value, pointer, status, names || found]).toEqual([value, pointer, 400, true]);
    }
  });

  test.each(withQuery)("%s takes no other query than it says", async (_, given) => {
    const client = given.role === "public" ? stranger : owner;
    const { properties = {} } = given.query?.schema() ?? {};
    const bad = Object.entries(properties ?? {}).flatMap(([name, schema]) =>
      badValues(schema).flatMap(({ value }) => {
        const text = String(value);
        // A text that is as good as the value, such as that of a number, is not bad.
        const isBad = typeof value !== "object" && text !== "" && !takes(schema, text);
        return isBad ? [[name, text] as const] : [];
      }),
    );
    for (const [name, text] of [...bad, ["unknown", "1"] as const]) {
      const query = `?${new URLSearchParams({ [name]: text })}`;
      const response = await client.request(pathOf(given) + query, { method: given.method });
      const { status, errors = [] } = await response.json();
      const pointers = errors.map(({ pointer }: { pointer: string }) => pointer);
      expect([name, text, status, ...pointers]).toContain(`/${name}`);
      expect([name, text, status]).toEqual([name, text, 400]);
    }
  });

  test("has changed nothing where it was refused", async () => {
    expect(await readTables()).toEqual(before);
  });
});
