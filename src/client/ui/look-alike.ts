/**
 * Scripts of today's names, by Unicode's property. Those that one language writes together count as
 * one: UTS #39 §5.1, "Highly Restrictive".
 */
const SYSTEMS = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
] as const;

const SCRIPTS = (
  "Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Syriac Thaana Ethiopic Devanagari Bengali " +
  "Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer " +
  "Mongolian Cherokee Canadian_Aboriginal Han Hiragana Katakana Hangul Bopomofo"
).split(" ");

const patterns = SCRIPTS.map(
  (script) => [script, new RegExp(`^\\p{Script_Extensions=${script}}`, "u")] as const,
);

/** Shared by scripts: digits, hyphens, combining marks. */
const SHARED = /^[\p{Script=Common}\p{Script=Inherited}]/u;

/** Letters of other scripts that are drawn as a Latin one is, out of UTS #39's confusables. */
const LATIN_TWINS: Record<string, string> = Object.fromEntries(
  [
    ["асԁеһіјӏорԛѕԝхуѵ", "acdehijlopqswxyv"],
    ["οαρνικυχ", "oapvikux"],
    ["օսոհցք", "ounhgp"],
  ].flatMap(([twins = "", latin = ""]) => [...twins].map((twin, at) => [twin, latin[at] ?? ""])),
);

/** Why a name may not be the one that it looks like. */
export type LookAlike =
  | { kind: "mixed"; label: string; scripts: string[] }
  | { kind: "latin"; label: string; as: string };

/**
 * Looks for labels that pass for others: those that mix scripts which no language mixes, and those
 * of another script whose every letter looks Latin, unless the name ends in a script of its own.
 * `unicode` is the name as people read it.
 *
 * @see https://www.unicode.org/reports/tr39/ — sections 4 and 5
 */
export function findLookAlikes(unicode: string): LookAlike[] {
  const latin = /[.][a-z\d-]+$/.test(unicode);
  return unicode.split(".").flatMap((label): LookAlike[] => {
    const scripts = scriptsOf(label);
    if (scripts.length > 1 && !SYSTEMS.some((system) => covers(system, scripts))) {
      return [{ kind: "mixed", label, scripts }];
    }
    const as = [...label].map((letter) => LATIN_TWINS[letter] ?? keep(letter)).join("");
    return latin && as !== label && !as.includes("?") ? [{ kind: "latin", label, as }] : [];
  });
}

/** A letter that several scripts share counts for the one that is there already. */
function scriptsOf(label: string): string[] {
  const found = new Set<string>();
  for (const letter of label.normalize("NFC")) {
    if (SHARED.test(letter)) continue;
    const possible = patterns.filter(([, pattern]) => pattern.test(letter)).map(([name]) => name);
    if (!possible.some((name) => found.has(name))) found.add(possible[0] ?? "another script");
  }
  return [...found];
}

function covers(system: readonly string[], scripts: string[]): boolean {
  return scripts.every((script) => system.includes(script));
}

/** What both kinds of labels may hold as it is; a question mark for what gives the label away. */
function keep(letter: string): string {
  return /^[-\d]$/.test(letter) ? letter : "?";
}
