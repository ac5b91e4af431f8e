import { afterEach, describe, expect, test } from "bun:test";
import { pastedText, pendingFiles } from "../../../src/client/register/pending-import.tsx";
import { refreshSession, signOut } from "../../../src/client/session/session-store.ts";
import { hasUnsavedChanges } from "../../../src/client/ui/unsaved-changes.ts";
import { fakeApi } from "../../support/fake-api.ts";

const api = fakeApi("/home");
const one = new File(["one.example"], "names.txt");

afterEach(() => {
  pendingFiles.set([]);
  pastedText.set("");
});

describe("pending import", () => {
  test("goes when its person signs out", async () => {
    pendingFiles.set([one]);
    pastedText.set("one.example");
    await signOut();
    expect(pendingFiles.get()).toEqual([]);
    expect(pastedText.get()).toBe("");
  });

  test("waits for its person, and for nobody else, when a session ends on its own", async () => {
    const become = (email?: string) => {
      api.session = email ? { state: "signed-in", email } : { state: "signed-out" };
      return refreshSession();
    };
    pendingFiles.set([one]);
    await become();
    await become("ada@example.com");
    expect(pendingFiles.get()).toEqual([one]);
    await become();
    await become("grace@example.com");
    expect(pendingFiles.get()).toEqual([]);
    expect(hasUnsavedChanges()).toBe(false);
  });
});
