import { describe, expect, test } from "bun:test";
import { parseImport } from "../../../src/client/import/parse-import.ts";
import { parseRow } from "../../../src/client/import/parse-row.ts";
import { columnOf, importOf, rowOf } from "../../support/import-samples.ts";

/** As it comes over the wire. */
const wire = (value: object): unknown => JSON.parse(JSON.stringify(value));

describe("parseImport", () => {
  test("reads every part of an import", () => {
    const full = importOf({
      state: "undone",
      format: "GoDaddy",
      columns: [columnOf(null, { secret: true }), columnOf("A", { field: "tags", samples: ["x"] })],
      ambiguous: [{ code: "no-name" }, { code: "field", field: "name", columns: [0, 1] }],
      dateOrder: "ymd",
      defaults: { registrar: "R", account: "A", owner: "O", tags: ["t"], currency: "EUR" },
      undo: { restored: 1, removed: 2, kept: [{ name: "a", unicode: "b", fields: ["owner"] }] },
    });
    expect(parseImport(wire(full))).toEqual(full);
  });

  test("refuses a question that it cannot ask", () => {
    const strange = { ...importOf(), ambiguous: [{ code: "colour" }] };
    expect(() => parseImport(wire(strange))).toThrow(TypeError);
    const unknown = { ...importOf(), ambiguous: [{ code: "field", field: "x", columns: [] }] };
    expect(() => parseImport(wire(unknown))).toThrow(TypeError);
  });

  test.each([[null], [[]], ["text"], [{}]])("refuses %p", (json) => {
    expect(() => parseImport(json)).toThrow(TypeError);
  });
});

describe("parseRow", () => {
  test("reads every part of a row", () => {
    const full = rowOf("a.example", {
      class: "changed",
      values: {
        expires: "2027-01-05",
        autoRenew: false,
        renewal: { minor: 1, currency: null, years: 2 },
        registrar: "R",
        account: "A",
        owner: "O",
        tags: ["t"],
        decision: "drop",
        notes: "n",
      },
      changes: [{ field: "owner", before: null, after: "O" }],
      problems: [{ field: "expires", code: "unreadable-date", detail: "Expected a date" }],
      repeats: 3,
    });
    expect(parseRow(wire(full))).toEqual(full);
  });

  test("leaves out what it does not know", () => {
    const row = { ...rowOf("a.example"), values: { colour: "red", decision: "maybe" } };
    expect(parseRow(wire(row)).values).toEqual({});
  });
});
