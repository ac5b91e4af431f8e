import { IMPORT_FIELD_NAMES, type ImportField } from "../../../shared/fields.ts";
import * as p from "../../../shared/parse.ts";
import headerWords from "../data/header-words.json" with { type: "json" };
import { foldMarks } from "../values/cell-shapes.ts";

/** Longer headers are looked at to here: combining marks make normalisation quadratic. */
const MAX_FOLDED_LENGTH = 300;

/** Longer cells are sentences of a preamble; so are those of more words. */
const MAX_HEADER_LENGTH = 60;
const MAX_HEADER_WORDS = 7;

/** Makes "date d echeance" of "Date d’échéance", and "renewal date" of "renewalDate". */
export function foldHeader(header: string): string {
  return foldMarks(header.slice(0, MAX_FOLDED_LENGTH))
    .replaceAll("ß", "ss")
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]+/gu, " ")
    .trim();
}

/**
 * Low confidence: the field is meant only if no column is more certain and the values agree. `spelling`:
 * the name in another form (Unicode, punycode). `unused`: understood, but of no use for the register.
 */
export type HeaderMeaning =
  | { kind: "field"; field: ImportField; confidence: "high" | "low" }
  | { kind: "spelling" | "unused" | "secret" };

type HeaderTest = (folded: string) => boolean;

/**
 * `data/header-words.json`, in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish and
 * Japanese. `secret` are patterns of columns that are never read; too many is safer than too few.
 * `words` are tests by name, `rules` say what a header means: the first whose test holds decides.
 *
 * A test is the name of another or has one member. `has`: one of the words is in the header; blanks
 * separate them, `_` joins a phrase, `*` is any ending. `is`: the header is one of the phrases, which
 * commas separate; a leading "domain" or "my" is dropped. Words are compared without diacritics.
 */
const { secret, words, rules } = p.object({
  secret: p.record(p.list(p.text)),
  words: p.record(p.anything),
  rules: p.list(p.anything),
})(headerWords);

const parseTest = p.exactObject({
  /** Of a rule only: why it stands where it does, and what it means. */
  note: p.optional(p.text),
  means: p.optional(p.oneOf(["spelling", "unused", ...IMPORT_FIELD_NAMES])),
  confidence: p.optional(p.oneOf(["high", "low"])),
  has: p.optional(p.list(p.text)),
  is: p.optional(p.list(p.text)),
  matches: p.optional(p.text),
  not: p.optional(p.anything),
  all: p.optional(p.list(p.anything)),
  any: p.optional(p.list(p.anything)),
});

const SECRET_HEADERS = Object.values(secret)
  .flat()
  .map((pattern) => new RegExp(pattern));

const TESTS = new Map<string, HeaderTest>();
for (const [name, test] of Object.entries(words)) TESTS.set(name, compile(test));

const HEADER_RULES = rules.map((rule) => ({ meaning: meaningOf(rule), test: compile(rule) }));

function meaningOf(rule: unknown): HeaderMeaning {
  const { means: field, confidence } = parseTest(rule);
  if (field === "spelling" || field === "unused") return { kind: field };
  if (field === undefined || confidence === undefined) {
    throw new TypeError("A rule for headers needs a field and a confidence");
  }
  return { kind: "field", field, confidence };
}

function compile(test: unknown): HeaderTest {
  if (typeof test === "string") return wordTest(test);
  const { has, is, matches, not, all, any } = parseTest(test);
  if (has) {
    const alternatives = foldMarks(has.join(" ")).replaceAll("*", "\\S*").replaceAll(" ", "|");
    return matching(`(?:^| )(?:${alternatives.replaceAll("_", " ")})(?: |$)`);
  }
  if (is) {
    const known = new Set(foldMarks(is.join(", ")).split(", "));
    return (folded) => known.has(folded) || known.has(folded.replace(/^(?:domain|my|your) /, ""));
  }
  if (matches) return matching(matches);
  if (not !== undefined) {
    const inner = compile(not);
    return (folded) => !inner(folded);
  }
  const inner = (all ?? any ?? []).map(compile);
  if (inner.length === 0) throw new TypeError("A header is tested for nothing");
  return all
    ? (folded) => inner.every((each) => each(folded))
    : (folded) => inner.some((each) => each(folded));
}

function matching(source: string): HeaderTest {
  const pattern = new RegExp(source);
  return (folded) => pattern.test(folded);
}

function wordTest(name: string): HeaderTest {
  const test = TESTS.get(name);
  if (test === undefined) throw new TypeError(`No words are called ${name}`);
  return test;
}

export function readHeader(header: string): HeaderMeaning | null {
  const folded = foldHeader(header);
  // A cell with separators in it is a whole row, looked at with the wrong one.
  if (folded === "" || folded.length > MAX_HEADER_LENGTH || /[;\t|]/.test(header)) return null;
  if (SECRET_HEADERS.some((pattern) => pattern.test(folded))) return { kind: "secret" };
  if (folded.split(" ").length > MAX_HEADER_WORDS) return null;
  return HEADER_RULES.find(({ test }) => test(folded))?.meaning ?? null;
}

/** What registries call the column of what precedes the suffix of a name, and that of the suffix. */
export const isSecondLevelHeader = wordTest("secondLevelHeader");
export const isTopLevelHeader = wordTest("topLevelHeader");

export const isExtensionHeader = wordTest("extensionHeader");

export const isMarketHeader = wordTest("marketHeader");
