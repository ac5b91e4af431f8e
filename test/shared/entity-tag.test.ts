import { expect, test } from "bun:test";
import { matchesStrongly, matchesWeakly } from "../../src/shared/entity-tag.ts";

/** A header, and whether it matches the tag "a" strongly and weakly. */
const HEADERS: [header: string, strongly: boolean, weakly: boolean][] = [
  ["", false, false],
  ['"a"', true, true],
  ['W/"a"', false, true],
  ['w/"a"', false, false],
  ['"b", "a"', true, true],
  ['"b" , W/"a" ,"c"', false, true],
  [', "a",,', true, true],
  ["*", true, true],
  [" * ", true, true],
  ['"b"', false, false],
  ['"A"', false, false],
  ["a", false, false],
  ['"x,"a""', false, false],
  ['"b" "a"', false, false],
  ['junk"a"junk', false, false],
];

test.each(HEADERS)("%j matches strongly: %p, weakly: %p", (header, strongly, weakly) => {
  expect(matchesStrongly(header, '"a"')).toBe(strongly);
  expect(matchesWeakly(header, '"a"')).toBe(weakly);
});

test("nothing matches weakly without a header", () => {
  expect(matchesWeakly(null, '"a"')).toBe(false);
});
