import { describe, expect, test } from "bun:test";
import { createReadAccount } from "../../../src/backend/accounts/read-account.ts";
import { READERS } from "../../../src/backend/accounts/registrars/readers.ts";
import { findKnownRegistrar } from "../../../src/backend/domains/known-registrars.ts";
import {
  isAsked,
  LOOPBACK,
  READ_OPTIONS,
  playCase,
  readCases,
  type SeenRequest,
  TEST_FIELDS,
  useFakeRegistrars,
} from "../../support/fake-registrar.ts";

useFakeRegistrars();

const seenBy = new Map<string, SeenRequest[]>();

describe.each(READERS.map((reader) => [reader.registrar, reader] as const))(
  "%s",
  (name, reader) => {
    const fields = TEST_FIELDS[name] ?? {};

    test("is called as imports call it", () => {
      expect(findKnownRegistrar(reader.label)?.name).toBe(reader.label);
    });

    test.each(readCases(name).map((each) => [each.case, each] as const))(
      "reads %s",
      async (_, one) => {
        await using fake = playCase(name, one);
        const read = createReadAccount({
          outbound: LOOPBACK,
          apis: { [name]: { origin: fake.origin, intervalMs: 0 } },
        });
        const reading = await read(name, fields, READ_OPTIONS);
        seenBy.set(name, [...(seenBy.get(name) ?? []), ...fake.seen]);

        expect(reading).toMatchObject({ outcome: one.outcome });
        const told = reading.names.map(({ reason: _why, detailAt: _when, ...each }) => ({
          ...each,
          nameservers: each.nameservers?.toSorted() ?? null,
        }));
        expect(told).toEqual(one.names.map((each) => expect.objectContaining(each)));
        expect(reading.skipped).toEqual(
          one.skipped.map((each) => ({ name: each.name, reason: each.why })),
        );
        expect(reading.left).toEqual(
          one.left.map((each) => ({ name: each.name, reason: each.statusRaw })),
        );
        if (one.retryAfter !== undefined && one.retryAfter !== null) {
          expect(reading.retryAfterMs).toBe(one.retryAfter * 1_000);
        }
        if (one.said !== undefined) expect(reading.detail).toContain(one.said);

        const asked = one.exchanges.map(({ request }) =>
          fake.seen.findIndex((each) => isAsked(request, each)),
        );
        expect(asked).toEqual(asked.toSorted((a, b) => a - b));
        expect(asked).not.toContain(-1);
        for (const { request } of one.exchanges) {
          expect(new URL(request.url).origin).toBe(reader.origin(fields));
        }
      },
    );

    test("makes every call that it may make, and no other", () => {
      const seen = seenBy.get(name) ?? [];
      const isCall = (
        { method, path, command }: (typeof reader.calls)[number],
        each: SeenRequest,
      ) =>
        method === each.method &&
        new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(each.path) &&
        (command === undefined ||
          (command.in === "header"
            ? each.headers[command.name]
            : new URLSearchParams(each.body).get(command.name)) === command.value);
      for (const each of seen) {
        expect(reader.calls.filter((call) => isCall(call, each))).toHaveLength(1);
      }
      for (const call of reader.calls) expect(seen.some((each) => isCall(call, each))).toBe(true);
    });
  },
);
