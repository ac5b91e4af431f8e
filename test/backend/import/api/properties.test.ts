import { describe, expect } from "bun:test";
import * as fc from "fast-check";
import { type Domain, UNKNOWN_VALUES } from "../../../../src/shared/domain.ts";
import { foldLabel } from "../../../../src/shared/text.ts";
import { FIELD_NAMES, FIELDS, importFieldsOf } from "../../../../src/shared/fields.ts";
import {
  listCustomNames,
  toHeader,
  toLines,
} from "../../../../src/backend/domains/list/csv-export.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { addDomain, deleteDomain, patchDomain } from "../../../support/domains.ts";
import { importFile, undoImport } from "../../../support/import-client.ts";
import { importAll } from "../../../support/import-source.ts";
import { once as test } from "../../../support/owner-test.ts";

const NAMES = ["a.example", "b.example", "xn--mnchen-3ya.example", "d.example.org", "e.example"];
const RUNS = 5;

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const day = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
/** Also of what CSV, spreadsheets and our own marks trip over. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...`'=+-@＝",;\\| aü💶#0.`, "N/A", "sep="), minLength: 1 }),
);
const label = text
  .map((each) => each.normalize("NFC").trim())
  .filter((each) => !/\p{Cc}/u.test(each) && foldLabel(each) !== "");
const notes = fc.oneof(
  fc.constantFrom("=1+1", "'", "-", '"quoted", and;more', " x ", "line\r\nline\n\ttab", "n/a"),
  text.filter((each) => foldLabel(each) !== "" && !/[^\P{Cc}\t\n\r]/u.test(each)),
);

const money = fc.record({
  minor: fc.oneof(fc.nat(10 ** 9), fc.constant(Number.MAX_SAFE_INTEGER)),
  currency: optional(fc.constantFrom("EUR", "USD", "JPY", "KWD", "XQZ")),
});

/** What a field can hold, by its kind. */
const VALUES = {
  label: optional(label),
  status: optional(label),
  tags: fc.uniqueArray(label, {
    maxLength: 3,
    selector: (tag) => tag.normalize("NFKC").trim().toLowerCase(),
  }),
  choice: optional(fc.constantFrom("keep", "drop", "transfer", "watch")),
  flag: optional(fc.boolean()),
  expiry: optional(day),
  day: optional(day),
  price: optional(
    fc
      .tuple(money, optional(fc.integer({ min: 1, max: 100 })))
      .map(([{ minor, currency }, years]) => ({ minor, currency, years })),
  ),
  money: optional(money),
  hosts: fc.subarray(["ns1.hoster.example", "ns2.hoster.example", "ns.other.example"]),
  notes,
  // Of people who have accounts, not of the file alone.
  person: fc.constant(null),
  custom: fc.dictionary(fc.constantFrom("Client", "=Cost", "City", "Auth code", 'a; "b"'), notes, {
    maxKeys: 3,
  }),
} as const;

/** Everything that an import can say of a domain, whatever its name. */
const domain = fc.record(
  Object.fromEntries(
    FIELD_NAMES.flatMap((field) => {
      const { kind } = FIELDS[field];
      const isRead = importFieldsOf(field).length > 0 && kind !== "name" && kind !== "handled";
      return isRead ? [[field, VALUES[kind]]] : [];
    }),
  ),
);

const register = fc
  .tuple(fc.subarray(NAMES), fc.array(domain, { minLength: 5, maxLength: 5 }))
  .map(([names, domains]) => names.map((name, index) => ({ ...domains[index], name })));

/** A file with some of the columns, some of the cells blank. */
const file = fc
  .array(
    fc.tuple(
      fc.constantFrom(...NAMES),
      fc.constantFrom("", "Hoster", "HOSTER", "Other"),
      fc.oneof(fc.constant(""), day),
      fc.constantFrom("", "yes", "no", "perhaps"),
      fc.constantFrom("", "x", "x;y", "y;Client"),
      fc.constantFrom("", "12.50 EUR", "1,000.00 USD"),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((rows) =>
    [
      "Domain;Registrar;Expires;Auto-renew;Tags;Renewal price",
      ...rows.map((row) => row.map(cell).join(";")),
    ].join("\n"),
  );

const edit = fc.record(
  { owner: optional(label), expires: optional(day), tags: fc.constant(["edited"]), notes },
  { requiredKeys: [] },
);

function cell(value: string): string {
  return value.includes(";") ? `"${value}"` : value;
}

async function listAll(client: ApiClient): Promise<Domain[]> {
  const path = "/api/domains?archived=any&sort=name&limit=200";
  return (await (await client.request(path)).json()).items;
}

/** All domains, with all that was said of them, but for what counts and clocks say. */
async function stateOf(client: ApiClient) {
  const details = (await listAll(client)).map(({ id }) => client.json(`/api/domains/${id}`));
  return (await Promise.all(details)).map((each) => {
    const { version: _, updatedAt: __, ...rest } = Object(each);
    return rest;
  });
}

async function fill(client: ApiClient, domains: readonly { name: string }[]): Promise<void> {
  for (const { id } of await listAll(client)) await deleteDomain(client, id);
  for (const each of domains) await addDomain(client, each);
}

const isBlank = (value: unknown) => ["null", '""', "[]", "{}"].includes(JSON.stringify(value));

describe("an import", () => {
  test("of an export reads all that was written, but for what is unknown", async () => {
    const property = fc.asyncProperty(fc.array(domain, { minLength: 1 }), async (written) => {
      const name = { name: "a.example", unicode: "a.example" };
      const domains = written.map((fields): Domain => {
        const report = { date: fields["expires"], source: "=1", observedAt: "", alternatives: [] };
        const expires = fields["expires"] ? report : null;
        return Object.assign({ ...UNKNOWN_VALUES, ...name, id: "1", version: 1 }, fields, {
          expires,
        });
      });
      const custom = listCustomNames(domains.map((each) => each.custom));
      const { analysis, rows } = await importAll(toHeader(custom) + toLines(domains, custom));
      expect(analysis).toMatchObject({ layout: "freehold", ambiguous: [] });
      const said = Object.entries(written).map(([, fields]) =>
        Object.fromEntries(Object.entries(fields).filter(([, value]) => !isBlank(value))),
      );
      expect<unknown>(rows.map(({ values }) => values)).toEqual(said);
      expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test("of the register's own export changes nothing", async (client) => {
    const property = fc.asyncProperty(register, async (domains) => {
      await fill(client, domains);
      const before = await listAll(client);
      const csv = await (await client.request("/api/domains.csv?archived=any")).arrayBuffer();
      if (domains.length === 0) return;
      const { counts } = await importFile(client, new Uint8Array(csv));
      expect(counts).toMatchObject({ same: domains.length, new: 0, changed: 0, invalid: 0 });
      expect(await listAll(client)).toEqual(before);
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  test("changes nothing a second time, and leaves everything as it was once undone", async (client) => {
    const property = fc.asyncProperty(register, file, file, async (domains, one, other) => {
      await fill(client, domains);
      const before = await stateOf(client);
      const first = await importFile(client, one);
      const between = await stateOf(client);
      const listed = await listAll(client);
      expect((await importFile(client, one)).counts).toMatchObject({ new: 0, changed: 0 });
      expect(await listAll(client)).toEqual(listed);
      expect(await stateOf(client)).toEqual(between);
      const second = await importFile(client, other);
      expect((await undoImport(client, second.id)).undo?.kept).toEqual([]);
      expect(await stateOf(client)).toEqual(between);
      expect((await undoImport(client, first.id)).undo?.kept).toEqual([]);
      expect(await stateOf(client)).toEqual(before);
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  test("that is undone keeps what was edited since, and lists it", async (client) => {
    const property = fc.asyncProperty(register, file, edit, async (domains, content, change) => {
      await fill(client, domains);
      const before: Domain[] = await stateOf(client);
      const done = await importFile(client, content);
      const imported: Domain[] = await stateOf(client);
      const [target] = imported;
      if (target === undefined) return;
      await patchDomain(client, target.id, change, "*");
      const edited = (await stateOf(client))[0];
      const { undo } = await undoImport(client, done.id);
      const after: Domain[] = await stateOf(client);
      const kept = undo?.kept.find(({ name }) => name === target.name)?.fields ?? [];
      const was = before.find(({ id }) => id === target.id);
      const is = after.find(({ id }) => id === target.id);
      for (const field of ["owner", "tags", "notes"] as const) {
        const isEdited = !Bun.deepEquals(edited[field], target[field]);
        // What a person wrote stays; whatever else the import did to a name that was there is gone.
        if (isEdited) expect(is?.[field]).toEqual(edited[field]);
        else if (was !== undefined) expect(is?.[field]).toEqual(was[field]);
      }
      if (is !== undefined && was === undefined) expect(kept).not.toEqual([]);
      const others = (all: Domain[]) => all.filter(({ id }) => id !== target.id);
      expect(others(after)).toEqual(others(before));
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});
