import type { SQL } from "bun";
import { REGISTRAR_STATUSES, type RegistrarStatus } from "../../shared/domain.ts";
import { memoize } from "../../shared/memoize.ts";
import { text } from "../../shared/parse.ts";
import type { Database } from "../database/database.ts";
import { readSetting, saveSetting } from "../database/setting-store.ts";
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

const BATCH_SIZE = 1000;

/** Folds stored status words again when the vocabulary has changed since. */
export async function refoldStatuses(database: Database): Promise<void> {
  const vocabulary = Bun.hash(JSON.stringify(statusWords)).toString(36);
  const foldedBy = await database.read((sql) => readSetting(sql, VOCABULARY, text));
  if (foldedBy === vocabulary) return;
  for (const table of ["domains", "import_rows"]) {
    const words = await database.read(
      (sql) => sql<{ status: string; key: string | null }[]>`
        select distinct status, status_key as key from ${sql(table)} where status is not null`,
    );
    const changed = words.filter(({ status, key }) => foldStatus(status) !== key);
    // Each statement reads the whole table, so it takes many words.
    for (const [key, alike] of Map.groupBy(changed, ({ status }) => foldStatus(status))) {
      for (let start = 0; start < alike.length; start += BATCH_SIZE) {
        const batch = alike.slice(start, start + BATCH_SIZE).map(({ status }) => status);
        await database.write(
          (sql: SQL) => sql`update ${sql(table)} set status_key = ${key}
            where status in ${sql(batch)}`,
        );
      }
    }
  }
  await database.write((sql) => saveSetting(sql, VOCABULARY, vocabulary));
}

const VOCABULARY = "status vocabulary";
