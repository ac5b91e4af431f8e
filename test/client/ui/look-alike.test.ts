import { describe, expect, test } from "bun:test";
import { findLookAlikes } from "../../../src/client/ui/look-alike.tsx";

describe("findLookAlikes", () => {
  const ORDINARY = `example.com bücher.example straße-1.example пример.рф привет.com 例子.測試 東京タワーの日.jp
    abc日本.jp 한국漢字.kr مثال.إختبار παράδειγμα.δοκιμή оса.рф नमस्ते.भारत 123.example`;
  test.each(ORDINARY.split(/\s+/))("finds nothing in %s", (name) => {
    expect(findLookAlikes(name)).toEqual([]);
  });

  test.each([
    ["pаypal.com", "pаypal", ["Latin", "Cyrillic"]],
    ["gοogle.com", "gοogle", ["Latin", "Greek"]],
    ["shop.аpple.example", "аpple", ["Cyrillic", "Latin"]],
    ["漢字ж.example", "漢字ж", ["Han", "Cyrillic"]],
    ["ひらがな한.example", "ひらがな한", ["Hiragana", "Hangul"]],
  ])("marks %s as mixed", (name, label, scripts) => {
    expect(findLookAlikes(name)).toEqual([{ kind: "mixed", label, scripts }]);
  });

  test.each([
    ["аррӏе.com", "аррӏе", "apple"],
    ["хуѵ-1.example", "хуѵ-1", "xyv-1"],
    ["οικ.com", "οικ", "oik"],
  ])("marks %s as one that looks Latin", (name, label, as) => {
    expect(findLookAlikes(name)).toEqual([{ kind: "latin", label, as }]);
  });
});
