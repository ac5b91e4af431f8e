import { describe, expect, test } from "bun:test";
import {
  EMPTY_SELECTION,
  isSelected,
  toggleIds,
} from "../../../../src/client/domains/list/selection.ts";

describe("select", () => {
  test("adds names and takes them out again", () => {
    const two = toggleIds(EMPTY_SELECTION, ["a", "b"], true);
    const one = toggleIds(two, ["a", "c"], false);
    expect([isSelected(one, "a"), isSelected(one, "b")]).toEqual([false, true]);
  });

  test("leaves all that match as they are", () => {
    const all = toggleIds({ all: true }, ["a"], false);
    expect(isSelected(all, "a")).toBe(true);
  });
});
