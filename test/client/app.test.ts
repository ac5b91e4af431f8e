import { act, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { createElement } from "react";
import { DEFAULT_BRAND } from "../../src/shared/brand.ts";
import { App, createAreas, documentTitle } from "../../src/client/app.tsx";
import { screenAt } from "../../src/client/screens.ts";
import { areas } from "../../src/client/areas.ts";
import { formatDay } from "../../src/client/ui/format.ts";
import { lazyCode } from "../../src/client/ui/lazy-code.ts";
import { applyPreferences, setPreference } from "../../src/client/ui/preferences.ts";

afterEach(() => localStorage.clear());

describe("App", () => {
  test("writes what it shows in another format as soon as that is chosen, in another tab too", async () => {
    applyPreferences();
    setPreference("dates", "iso");
    history.replaceState(null, "", "/home");
    const home = lazyCode(async () => ({ default: () => formatDay("2027-01-31") }));
    const all = { ...createAreas(areas), home };
    await act(async () => render(createElement(App, { path: "/home", brand: "Acre", areas: all })));
    expect(screen.getByText("2027-01-31")).toBeDefined();
    act(() => {
      localStorage.setItem("preference-dates", "de-DE");
      window.dispatchEvent(new StorageEvent("storage", { key: "preference-dates" }));
    });
    expect(screen.getByText("31. Januar 2027")).toBeDefined();
    act(() => setPreference("dates", "browser"));
  });
});

describe("the texts of the screens", () => {
  test("leave the product's name to BRAND", async () => {
    const client = join(import.meta.dir, "../../src/client");
    const named: string[] = [];
    for await (const path of new Glob("**/*.{ts,tsx,html}").scan(client)) {
      const text = await Bun.file(join(client, path)).text();
      if (text.includes(DEFAULT_BRAND)) named.push(path);
    }
    expect(named).toEqual([]);
  });
});

describe("screenAt", () => {
  test.each([
    ["/home", "/home"],
    ["/domains", "/domains"],
    ["/domains/a.b.example", "/domains/:domain"],
    ["/domains/%E4%BE%8B.example", "/domains/:domain"],
    ["/domains/", undefined],
    ["/domains/a.example/b", undefined],
    ["/toString", undefined],
  ])("%s belongs to %p", (path, pattern) => {
    expect(screenAt(path)).toBe(pattern);
  });
});

describe("documentTitle", () => {
  test.each([
    ["/home", "Home · Acre"],
    ["/domains/:domain", "Domain · Acre"],
    ["/domains/b%C3%BCcher.example", "bücher.example · Acre"],
    ["/domains/100%.example", "100%.example · Acre"],
    ["/nowhere", "Not found · Acre"],
  ])("calls %s %p", (path, title) => {
    expect(documentTitle(path, "Acre")).toBe(title);
  });
});
