/** Scripts that one language mixes: UTS #39 §5.1, "Highly Restrictive". */
const ALLOWED_MIXTURES = [
  new Set(["Latin", "Han", "Hiragana", "Katakana"]),
  new Set(["Latin", "Han", "Bopomofo"]),
  new Set(["Latin", "Han", "Hangul"]),
];

/** Scripts in modern use, by the name of their Unicode property. */
const SCRIPTS = (
  "Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Syriac Thaana Ethiopic Devanagari Bengali " +
  "Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer " +
  "Mongolian Cherokee Canadian_Aboriginal Han Hiragana Katakana Hangul Bopomofo"
).split(" ");

const patterns = SCRIPTS.map(
  (script) => [script, new RegExp(`^\\p{Script_Extensions=${script}}`, "u")] as const,
);

/** Characters of no script of their own: digits, hyphens, combining marks. */
const SCRIPTLESS = /^[\p{Script=Common}\p{Script=Inherited}]/u;

/** Letters of other scripts that look like a Latin letter, from the confusables of UTS #39. */
const LATIN_TWINS: Record<string, string> = Object.fromEntries(
  [
    ["асԁеһіјӏорԛѕԝхуѵ", "acdehijlopqswxyv"],
    ["οαρνικυχ", "oapvikux"],
    ["օսոհցք", "ounhgp"],
  ].flatMap(([twins = "", latin = ""]) => [...twins].map((twin, at) => [twin, latin[at] ?? ""])),
);

export type LookAlike =
  | { kind: "mixed"; label: string; scripts: string[] }
  | { kind: "latin"; label: string; as: string };

/**
 * Finds labels that look like others: mixtures of scripts that no language uses, and labels whose
 * letters all look Latin, unless the top-level domain is written in that script too.
 *
 * @see https://www.unicode.org/reports/tr39/ — sections 4 and 5
 */
export function findLookAlikes(unicode: string): LookAlike[] {
  const latin = /[.][a-z\d-]+$/.test(unicode);
  return unicode.split(".").flatMap((label): LookAlike[] => {
    const scripts = scriptsOf(label);
    if (scripts.size > 1 && !ALLOWED_MIXTURES.some((system) => scripts.isSubsetOf(system))) {
      return [{ kind: "mixed", label, scripts: [...scripts] }];
    }
    // A question mark stands for a letter without a Latin twin.
    const as = label.replace(/[^-\d]/gu, (letter) => LATIN_TWINS[letter] ?? "?");
    return latin && as !== label && !as.includes("?") ? [{ kind: "latin", label, as }] : [];
  });
}

/** The scripts of a label. A letter of several scripts counts as one already found. */
function scriptsOf(label: string): Set<string> {
  const found = new Set<string>();
  for (const letter of label.normalize("NFC")) {
    if (SCRIPTLESS.test(letter)) continue;
    const possible = patterns.filter(([, pattern]) => pattern.test(letter)).map(([name]) => name);
    if (!possible.some((name) => found.has(name))) found.add(possible[0] ?? "another script");
  }
  return found;
}

/** Loaded on demand, as few registers have such names. */
export default function LookAlikeNote({ unicode }: { unicode: string }) {
  if (findLookAlikes(unicode).length === 0) return null;
  return (
    <b>
      {/* Heard after the name, which it would run into. */}
      <span className="unseen">, </span>Possible lookalike
    </b>
  );
}
