import { afterEach, describe, expect, test } from "bun:test";
import {
  formatAmount,
  formatDate,
  formatDateTime,
  formatDay,
  formatDomainCount,
  formatMonth,
} from "../../../src/client/ui/format.ts";
import {
  applyPreferences,
  preferences,
  setPreference,
} from "../../../src/client/ui/preferences.ts";

const root = document.documentElement;

/** Changes a preference as another tab would. */
function storeElsewhere(name: string, value: string) {
  localStorage.setItem(`preference-${name}`, value);
  window.dispatchEvent(new StorageEvent("storage", { key: `preference-${name}` }));
}

afterEach(() => {
  localStorage.clear();
  window.dispatchEvent(new StorageEvent("storage"));
});

applyPreferences();

describe("setPreference", () => {
  test("applies theme and rows to the page, keeps them, and tells who watches", () => {
    const told: string[] = [];
    const stop = preferences.watch(() => told.push(preferences.get().theme));
    setPreference("theme", "dark");
    setPreference("rows", "compact");
    stop();
    setPreference("theme", "light");
    expect(told).toEqual(["dark", "dark"]);
    expect({ ...root.dataset }).toMatchObject({ theme: "light", rows: "compact" });
    expect(localStorage.getItem("preference-theme")).toBe("light");
  });

  test("follows other tabs, and takes what it does not know for the default", () => {
    storeElsewhere("theme", "dark");
    expect(root.dataset["theme"]).toBe("dark");
    storeElsewhere("theme", "sepia");
    expect(root.dataset["theme"]).toBe("system");
    const before = preferences.get();
    window.dispatchEvent(new StorageEvent("storage", { key: "session-changed" }));
    expect(preferences.get()).toBe(before);
  });
});

describe("formats", () => {
  test("follow the choice of dates", () => {
    const instant = new Date(2027, 0, 5, 14, 3).toISOString();
    setPreference("dates", "en-GB");
    expect(formatDay("2027-01-05")).toBe("5 January 2027");
    expect(formatDateTime(instant)).toBe("5 Jan 2027, 14:03");
    setPreference("dates", "de-DE");
    expect(formatMonth("2027-05")).toBe("Mai 2027");
    setPreference("dates", "iso");
    expect(formatDay("2027-01-05")).toBe("2027-01-05");
    expect(formatMonth("2027-05")).toBe("2027-05");
    expect(formatMonth("2027-05", "shortMonth")).toBe("May");
    expect(formatMonth("2027-05", "narrowMonth")).toBe("M");
    expect(formatDate(instant)).toBe("2027-01-05");
  });

  test("follow the choice of numbers", () => {
    setPreference("numbers", "de-DE");
    expect(formatDomainCount(4000)).toBe("4.000 domains");
    expect(formatAmount(3_190_100, "EUR")).toBe("31.901,00\u00a0€");
    expect(formatAmount(3200, null)).toBe("32,00 (no currency)");
  });
});
