import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  readPastedText,
  readPendingImport,
  setPastedText,
  setPendingImport,
} from "../../../src/client/register/pending-import.tsx";
import { refreshSession, signOut } from "../../../src/client/session/session-store.ts";
import { hasUnsavedChanges } from "../../../src/client/ui/unsaved-changes.ts";
import { fakeApi } from "../../support/fake-api.ts";

const api = fakeApi();
const one = new File(["one.example"], "names.txt");

beforeEach(() => api.enter({ state: "signed-in", email: "ada@example.com" }));
afterEach(() => {
  setPendingImport([]);
  setPastedText("");
});

describe("pending import", () => {
  test("holds the last files until they are taken", () => {
    const last = new File(["two.example"], "last.txt");
    setPendingImport([one]);
    setPendingImport([last]);
    expect(readPendingImport()).toEqual([last]);
    setPendingImport([]);
    expect(readPendingImport()).toEqual([]);
  });

  test("counts as unsaved changes for as long as a file or a pasted text waits", () => {
    expect(hasUnsavedChanges()).toBe(false);
    setPendingImport([one]);
    setPastedText("one.example");
    expect(hasUnsavedChanges()).toBe(true);
    setPendingImport([]);
    expect(hasUnsavedChanges()).toBe(true);
    setPastedText(" ");
    expect(hasUnsavedChanges()).toBe(false);
  });

  test("goes when its person signs out", async () => {
    setPendingImport([one]);
    setPastedText("one.example");
    await signOut();
    expect(readPendingImport()).toEqual([]);
    expect(readPastedText()).toBe("");
  });

  test("waits for its person, and for nobody else, when a session ends on its own", async () => {
    const become = (email?: string) => {
      api.session = email ? { state: "signed-in", email } : { state: "signed-out" };
      return refreshSession();
    };
    setPendingImport([one]);
    await become();
    await become("ada@example.com");
    expect(readPendingImport()).toEqual([one]);
    await become();
    await become("grace@example.com");
    expect(readPendingImport()).toEqual([]);
    expect(hasUnsavedChanges()).toBe(false);
  });
});
