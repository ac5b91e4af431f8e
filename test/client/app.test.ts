import { describe, expect, test } from "bun:test";
import { screenAt, titleOf } from "../../src/client/app.tsx";

describe("screenAt", () => {
  test.each([
    ["/home", "/home"],
    ["/domains", "/domains"],
    ["/domains/a.b.example", "/domains/:domain"],
    ["/domains/%E4%BE%8B.example", "/domains/:domain"],
    ["/domains/", undefined],
    ["/domains/a.example/b", undefined],
    ["/toString", undefined],
  ])("%s belongs to %p", (path, screen) => {
    expect(screenAt(path)).toBe(screen);
  });
});

describe("titleOf", () => {
  test.each([
    ["/home", "Home · Acre"],
    ["/domains/:domain", "Domain · Acre"],
    ["/domains/b%C3%BCcher.example", "bücher.example · Acre"],
    ["/domains/100%.example", "100%.example · Acre"],
    ["/nowhere", "Not found · Acre"],
  ])("calls %s %p", (path, title) => {
    expect(titleOf(path, "Acre")).toBe(title);
  });
});
