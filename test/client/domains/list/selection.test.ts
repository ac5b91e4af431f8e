import { expect, test } from "bun:test";
import { toggleIds } from "../../../../src/client/domains/list/selection.ts";

test("toggleIds leaves all that match as they are", () => {
  expect(toggleIds(null, ["a"], false)).toBeNull();
});
