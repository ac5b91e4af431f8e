import { REGISTRAR_STATUSES, type RegistrarStatus } from "../../shared/domain.ts";
import { memoize } from "../../shared/memoize.ts";
import statusWords from "./status-words.json" with { type: "json" };

/** Worst first. What is in redemption is "pending delete" too (RFC 3915 §2), and can still be saved. */
const BY_URGENCY = [
  "redemption",
  "pending-delete",
  "cancelled",
  "on-hold",
  "transferring-out",
  "transferring-in",
] as const satisfies readonly RegistrarStatus[];

/** Words of registrars and EPP (RFC 5731, RFC 3915) in many languages; behind ` *`, anything. */
const PHRASES = REGISTRAR_STATUSES.flatMap((status) =>
  statusWords[status]
    .join(", ")
    .split(", ")
    .map((phrase) => ({ status, word: foldStatusWord(phrase), isBeginning: phrase.endsWith("*") })),
);
const WORDS = new Map(PHRASES.map(({ word, status }) => [word, status]));
const BEGINNINGS = PHRASES.filter(({ isBeginning }) => isBeginning).toSorted(
  (one, other) => other.word.length - one.word.length,
);

/**
 * Null: unknown. Of several words the worst counts: `ok, clientHold` is on hold. An unknown one
 * among them is worse than "active", and raises no alarm.
 */
export const foldStatus = memoize((cell: string): RegistrarStatus | null => {
  const found = cell.replace(EPP_URL, "").split(SEPARATORS).flatMap(readPart);
  const known = found.length > 0 && found.every((each) => each !== null);
  return BY_URGENCY.find((status) => found.includes(status)) ?? (known ? "active" : null);
});

/** The end of `clientHold https://icann.org/epp#clientHold`, as RDAP and WHOIS write it. */
const EPP_URL = /\(?https?:\/\/\S*/g;
const SEPARATORS = /[,;|/()[\]"\n]|\s-\s/;

/** Reads a phrase as a whole; failing that word by word, if every word is known. */
function readPart(part: string): (RegistrarStatus | null)[] {
  const phrase = foldStatusWord(part);
  if (phrase === "") return [];
  const whole = readPhrase(phrase) ?? readPhrase(phrase.replace(DAY_BEHIND, ""));
  if (whole !== null) return [whole];
  const words = part
    .trim()
    .split(/\s+/)
    .map((word) => readPhrase(foldStatusWord(word)));
  return words.includes(null) ? [null] : words;
}

/** "Gekündigt zum 31.12.2026" */
const DAY_BEHIND = /(?: \p{L}{1,4})?(?: \d+)+$/u;

function readPhrase(phrase: string): RegistrarStatus | null {
  const beginning = BEGINNINGS.find(({ word }) => phrase.startsWith(`${word} `));
  return WORDS.get(phrase) ?? beginning?.status ?? null;
}

/** Without case, accents and punctuation: `clientHold`, `CLIENT_HOLD` and "Client hold" are one. */
function foldStatusWord(word: string): string {
  return word
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .replace(/[łŁ]/g, "l")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Tells apart vocabularies: another one may fold what is stored otherwise. */
export const VOCABULARY = Bun.hash(JSON.stringify(statusWords)).toString(36);
