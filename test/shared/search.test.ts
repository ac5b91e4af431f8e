import { domainToASCII } from "node:url";
import { describe, expect, test } from "bun:test";
import { foldText, matchesWords, parseWords, sortName } from "../../src/shared/search.ts";

test.each([
  ["Zürich", "zurich"],
  ["STRASSE straße ẞ", "strasse strasse ss"],
  ["Ærø Łódź Đorđe İzmir ılık", "aero lodz dorde izmir ilik"],
  ["ΟΔΟΣ ὀδός", "οδοσ οδοσ"],
  ["ﬁ Ⅷ ½", "fi viii 1⁄2"],
  ["a\n\t b\u00a0c\u200dd\u00ade", "a b cde"],
  // What is no accent stays: vowels of other scripts are letters.
  ["कि 例子", "कि 例子"],
])("foldText %j", (text, folded) => {
  expect(foldText(text)).toBe(folded);
  // Part of a text folds to part of the folded text.
  for (let at = 0; at < text.length; at += 1) expect(folded).toContain(foldText(text.slice(at)));
});

const [not, is] = [true, false].map((each) => (text: string) => ({ not: each, text }));

test.each([
  ["acme  Gandi acme", [is?.("acme"), is?.("gandi")]],
  ['"two  Words" -Sold -"for sale"', [is?.("two words"), not?.("sold"), not?.("for sale")]],
  ["“two words” -„for sale“", [is?.("two words"), not?.("for sale")]],
  ['"not closed', [is?.("not closed")]],
  ['a"b" "c"d', [is?.('a"b"'), is?.("c"), is?.("d")]],
  ["a-b --c", [is?.("a-b"), not?.("-c")]],
  [' - "" -"" \u0301 ', []],
])("parseWords %j", (q, words) => {
  expect(parseWords(q)).toEqual(words.flatMap((word) => word ?? []));
});

test("matchesWords", () => {
  expect(matchesWords(parseWords("b a -c"), "a b")).toBe(true);
  expect(matchesWords(parseWords("b -a"), "a b")).toBe(false);
  expect(matchesWords([], "")).toBe(true);
});

describe("sortName", () => {
  test("puts a name where its letters are, and keeps those apart that fold alike", () => {
    const inOrder = "backer.de bäcker.de backer.de.com backer.dev c.de z.de 例.de".split(" ");
    const key = (unicode: string) => sortName(domainToASCII(unicode), unicode);
    const sorted = inOrder.toReversed().toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
    expect(sorted).toEqual(inOrder);
  });
});
