import { describe, expect, test } from "bun:test";
import { READERS } from "../../../src/backend/accounts/registrars/readers.ts";
import { findKnownRegistrar } from "../../../src/backend/domains/known-registrars.ts";
import {
  answersOf,
  isAsked,
  readCases,
  readFrom,
  type SeenRequest,
  TEST_FIELDS,
  useFakeRegistrars,
} from "../../support/fake-registrar.ts";

useFakeRegistrars();

const seenBy = new Map<string, SeenRequest[]>();

describe.each([...READERS])("$registrar", (reader) => {
  const { registrar: name } = reader;
  const fields = TEST_FIELDS[name] ?? {};

  test("takes the fields by which credentials are stored", () => {
    const required = reader.fields.filter(({ optional }) => optional !== true);
    expect(required.map((field) => field.name)).toEqual(Object.keys(fields));
  });

  test("is called as imports call it", () => {
    expect(findKnownRegistrar(reader.label)?.name).toBe(reader.label);
  });

  test.each(readCases(name))("reads $case", async (one) => {
    const { seen, ...reading } = await readFrom(name, answersOf(name, one));
    seenBy.set(name, [...(seenBy.get(name) ?? []), ...seen]);

    expect(reading).toMatchObject({
      outcome: one.outcome,
      skipped: one.skipped.map((each) => ({ name: each.name, reason: each.why })),
      left: one.left.map((each) => ({ name: each.name, reason: each.statusRaw })),
      detail: expect.stringContaining(one.said ?? ""),
      ...(one.retryAfter && { retryAfterMs: one.retryAfter * 1_000 }),
    });
    const told = reading.names.map(({ nameservers, ...each }) => {
      return Object.assign(each, { nameservers: nameservers?.toSorted() ?? null });
    });
    expect(told).toEqual(one.names.map((each) => expect.objectContaining(each)));

    const asked = one.exchanges.map(({ request }) =>
      seen.findIndex((each) => isAsked(request, each)),
    );
    expect(asked).toEqual(asked.toSorted((a, b) => a - b));
    expect(asked).not.toContain(-1);
    for (const { request } of one.exchanges) {
      expect(new URL(request.url).origin).toBe(reader.origin(fields));
    }
  });

  test("makes every call that it may make, and no other", () => {
    const seen = seenBy.get(name) ?? [];
    const { calls, command } = reader;
    const callOf = ({ method, path }: SeenRequest) =>
      calls.filter((call) =>
        new RegExp(`^${call.replaceAll(/:\w+/g, "[^/]+")}$`).test(`${method} ${path}`),
      );
    for (const each of seen) expect(callOf(each)).toHaveLength(1);
    expect(new Set(seen.flatMap(callOf))).toEqual(new Set(calls));
    if (command === undefined) return;
    const commandOf = ({ headers, body }: SeenRequest) =>
      command.in === "header" ? headers[command.name] : new URLSearchParams(body).get(command.name);
    expect(new Set<unknown>(seen.map(commandOf))).toEqual(new Set(command.values));
  });
});
