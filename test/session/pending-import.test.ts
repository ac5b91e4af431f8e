import { describe, expect, test } from "bun:test";
import { keepPendingImport, takePendingImport } from "../../src/session/pending-import.ts";

describe("pending import", () => {
  test("hands a kept file out once", () => {
    const file = new File(["one.example"], "names.txt");
    keepPendingImport(file);
    expect(takePendingImport()).toBe(file);
    expect(takePendingImport()).toBeNull();
  });

  test("keeps the last of two", () => {
    const last = new File(["two.example"], "names.txt");
    keepPendingImport(new File(["one.example"], "names.txt"));
    keepPendingImport(last);
    expect(takePendingImport()).toBe(last);
  });
});
