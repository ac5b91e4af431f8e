import { beforeEach, describe, expect, test } from "bun:test";
import { isHeld, putAway } from "../../../src/client/hold-page.ts";
import { keepPasted, toPastedFile } from "../../../src/client/session/pasted-names.ts";
import {
  dropPendingImport,
  keepPendingImport,
  readLostImport,
  readPendingImport,
} from "../../../src/client/session/pending-import.ts";
import { refreshSession, signOut } from "../../../src/client/session/session-store.ts";
import { fakeApi } from "../../support/fake-api.ts";

const api = fakeApi();
const one = new File(["one.example"], "names.txt");

beforeEach(() => api.enter({ state: "signed-in", email: "ada@example.com" }));

describe("pending import", () => {
  test("keeps the last file until it is dropped", () => {
    const last = new File(["two.example"], "last.txt");
    keepPendingImport(one);
    keepPendingImport(last);
    expect(readPendingImport()).toBe(last);
    expect(readLostImport()).toBe("last.txt");
    dropPendingImport();
    expect(readPendingImport()).toBeNull();
    expect(readLostImport()).toBeNull();
  });

  test("keeps the page from a new version for as long as a file waits", () => {
    expect(isHeld()).toBe(false);
    keepPendingImport(one);
    expect(isHeld()).toBe(true);
    dropPendingImport();
    expect(isHeld()).toBe(false);
  });

  test("goes when its person signs out", async () => {
    keepPendingImport(one);
    await signOut();
    expect(readPendingImport()).toBeNull();
  });

  test("waits for its person, and for nobody else, when a session ends on its own", async () => {
    const become = (email?: string) => {
      api.session = email ? { state: "signed-in", email } : { state: "signed-out" };
      return refreshSession();
    };
    keepPendingImport(one);
    await become();
    await become("ada@example.com");
    expect(readPendingImport()).toBe(one);
    await become();
    await become("grace@example.com");
    expect(readPendingImport()).toBeNull();
    expect(readLostImport()).toBeNull();
  });

  // Here is no database, as in some private windows.
  test("says what a reload would lose where nothing can be kept", async () => {
    expect(await putAway()).toBe("");
    keepPendingImport(one);
    expect(await putAway()).toContain("“names.txt” cannot be kept for it: choose it again");
    keepPendingImport(toPastedFile("one.example"));
    expect(await putAway()).toContain("paste it again");
    keepPasted("one.example\n");
    expect(await putAway()).toBe("");
    dropPendingImport();
    expect(await putAway()).toBe("");
  });
});
