import { describe, expect, test } from "bun:test";
import { keepPendingImport, takePendingImport } from "../../src/session/pending-import.ts";

describe("pending import", () => {
  test("hands a kept file out once", () => {
    const file = new File(["one.example"], "names.txt");
    keepPendingImport(file);
    expect(takePendingImport()).toBe(file);
    expect(takePendingImport()).toBeNull();
  });

  test("keeps the page from a new version for as long as a file waits", () => {
    const goes = () => dispatchEvent(new Event("new-version", { cancelable: true }));
    expect(goes()).toBe(true);
    keepPendingImport(new File(["one.example"], "names.txt"));
    expect(goes()).toBe(false);
    takePendingImport();
    expect(goes()).toBe(true);
  });

  test("keeps the last of two", () => {
    const last = new File(["two.example"], "names.txt");
    keepPendingImport(new File(["one.example"], "names.txt"));
    keepPendingImport(last);
    expect(takePendingImport()).toBe(last);
  });
});
