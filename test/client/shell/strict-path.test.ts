import { describe, expect, test } from "bun:test";
import { strictPath } from "../../../src/client/shell/strict-path.ts";

describe("strictPath", () => {
  test.each([
    ["/home", "/home", true],
    ["/home", "/home/", false],
    ["/home", "/HOME", false],
    ["/home", "/homes", false],
    ["/", "/", true],
    ["/", "", false],
    ["*", "/any/thing", true],
    ["/domains/:name", "/domains/a.example", true],
    ["/domains/:name", "/domains/a/b", false],
    ["/domains/:name", "/domains/", false],
  ])("%s against %s: %p", (route, path, matches) => {
    expect(strictPath(route).pattern.exec(path) !== null).toBe(matches);
  });

  test("names its captures in order", () => {
    const { pattern, keys } = strictPath("/domains/:name/:part");
    expect(keys).toEqual(["name", "part"]);
    expect(pattern.exec("/domains/a.example/history")?.slice(1)).toEqual(["a.example", "history"]);
  });
});
