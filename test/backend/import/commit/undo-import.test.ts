import { describe, expect, test } from "bun:test";
import type { Domain } from "../../../../src/shared/domain.ts";
import {
  planRevert,
  type ImportedChange,
} from "../../../../src/backend/import/commit/undo-import.ts";
import { blankDomain } from "../../../../src/backend/import/preview/plan-row.ts";

const NAME = { name: "a.example", unicode: "a.example", tld: "example" };

const domain = (given: Partial<Domain>): Domain => ({ ...blankDomain("id", NAME), ...given });

const done = (of: Partial<ImportedChange>): ImportedChange => ({
  rowKey: "000000000001",
  class: "changed",
  domainId: "id",
  changes: [],
  observed: false,
  ...of,
});

const ADDED = done({
  class: "new",
  changes: [
    { field: "name", before: null, after: "a.example" },
    { field: "registrar", before: null, after: "GoDaddy" },
  ],
});

const CHANGED = done({
  changes: [
    { field: "owner", before: "Kim", after: "Pat" },
    { field: "tags", before: ["a"], after: ["a", "b"] },
  ],
});

describe("planRevert", () => {
  test("removes what the import added, however its labels are spelt by now", () => {
    expect(planRevert(ADDED, domain({ registrar: "godaddy" })).kind).toBe("remove");
  });

  test("keeps a name that was added and edited since, with what was edited", () => {
    const edited = domain({ registrar: null, notes: "mine" });
    expect(planRevert(ADDED, edited)).toMatchObject({ kind: "keep", kept: ["registrar", "notes"] });
  });

  test("gives back each field that is still what the import made of it", () => {
    const verdict = planRevert(CHANGED, domain({ owner: "Ada", tags: ["b", "a"], notes: "mine" }));
    expect(verdict).toMatchObject({
      kind: "restore",
      back: true,
      kept: ["owner"],
      restored: { owner: "Ada", tags: ["a"], notes: "mine" },
    });
  });

  test("gives nothing back where all of it was edited since", () => {
    const verdict = planRevert(CHANGED, domain({ owner: null, tags: [] }));
    expect(verdict).toMatchObject({ kind: "restore", back: false, kept: ["owner", "tags"] });
  });
});
