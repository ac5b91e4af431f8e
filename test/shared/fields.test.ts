import { describe, expect, test } from "bun:test";
import { COLUMNS } from "../../src/backend/domains/columns.ts";
import {
  FIELD_NAMES,
  FIELDS,
  fieldInWords,
  fieldsOf,
  IMPORT_LABELS,
  importFieldsOf,
  isField,
  isImportField,
} from "../../src/shared/fields.ts";

describe("FIELDS", () => {
  test("names each column and each meaning of a file's column once", () => {
    const columns = FIELD_NAMES.flatMap((field): readonly string[] => COLUMNS[field]);
    const meanings = FIELD_NAMES.flatMap(importFieldsOf);
    expect(new Set(columns).size).toBe(columns.length);
    expect(Object.keys(IMPORT_LABELS).toSorted()).toEqual(meanings.toSorted());
  });

  test("sorts by columns that it has", () => {
    for (const field of FIELD_NAMES) {
      const spec = FIELDS[field];
      if ("sortedBy" in spec) expect([...COLUMNS[field]].map(String)).toContain(spec.sortedBy);
    }
  });
});

describe("fieldsOf", () => {
  test("lists the fields of a kind in the order of the table", () => {
    expect(fieldsOf("label")).toEqual(["registrar", "account", "owner"]);
    expect(fieldsOf("flag", "choice")).toEqual(["autoRenew", "decision", "locked", "privacy"]);
  });
});

describe("fieldInWords", () => {
  test("writes labels for the inside of a sentence, and unknown fields as they are", () => {
    expect(fieldInWords("autoRenew")).toBe("auto-renew");
    expect(fieldInWords("renewal")).toBe("renewal price");
    expect(fieldInWords("nameServers")).toBe("nameServers");
  });
});

test("isField and isImportField know nothing that every object has", () => {
  for (const text of ["toString", "__proto__", ""]) {
    expect(isField(text) || isImportField(text)).toBe(false);
  }
});
