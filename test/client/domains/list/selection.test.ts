import { describe, expect, test } from "bun:test";
import { isSelected, toggleIds } from "../../../../src/client/domains/list/selection.ts";

describe("select", () => {
  test("leaves all that match as they are", () => {
    const all = toggleIds({ all: true }, ["a"], false);
    expect(isSelected(all, "a")).toBe(true);
  });
});
