import * as p from "./parse.ts";
import { headerOf, IMPORT_FIELD_NAMES, UNREAD_HEADERS } from "./fields.ts";

/** Characters, in UTF-16 units as `<input maxlength>` counts them, or items of a domain. */
export const LIMITS = {
  label: 200,
  tag: 50,
  tags: 50,
  nameservers: 20,
  notes: 10_000,
  customName: 60,
  customText: 1000,
  customFields: 30,
} as const;

/** Unicode's class Cc, and marks of the writing direction, which in a label hide what it says. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
/** Longer texts keep those marks, as word processors write them: they are shown by themselves. */
const CONTROL_EXCEPT_LINES = /[^\P{Cc}\t\n\r]/u;

/** Visible ASCII without a blank at either end, or nothing: most labels. */
const PLAIN = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/** How labels compare: NFKC without invisible characters (UAX #44 §5.7.2), in lower case. */
export function foldLabel(label: string): string {
  if (PLAIN.test(label)) return label.toLowerCase();
  const visible = label.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}+/gu, "");
  return visible.trim().toLowerCase();
}

/** Whether a text shows nothing: white space, format characters (Cf), fillers. */
export function isBlank(given: string): boolean {
  return /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(given);
}

interface TextFault {
  code: "length" | "characters";
  detail: string;
}

/** What is wrong with a text: too long, control characters, or half a surrogate pair; else null. */
export function textFault(
  given: string,
  { max, multiline = false }: { max: number; multiline?: boolean },
): TextFault | null {
  if (given.length > max) {
    return { code: "length", detail: `Use at most ${max} characters; this has ${given.length}` };
  }
  const control = multiline ? CONTROL_EXCEPT_LINES : CONTROL;
  if (given.isWellFormed() && !control.test(given)) return null;
  return { code: "characters", detail: "Remove the control characters from this text" };
}

/** As `textFault`, but also limits the folded text, where one character may become eighteen. */
export function labelFault(label: string, max: number): TextFault | null {
  const fault = textFault(label, { max });
  if (fault !== null) return fault;
  const folded = label.normalize("NFKC").length;
  if (folded <= max) return null;
  const detail = `Use at most ${max} characters; in normal form (NFKC) this has ${folded}`;
  return { code: "length", detail };
}

/** A text of at most `max` characters, exactly as it came. */
export function limitedText(limits: { max: number; multiline?: boolean }): p.Parser<string> {
  return p.described(
    (value) => {
      if (typeof value !== "string") return p.refuse("type", p.expected("a string", value));
      const fault = textFault(value, limits);
      return fault === null ? value : p.refuse(fault.code, fault.detail);
    },
    () => ({ type: "string", maxLength: limits.max }),
  );
}

/** A trimmed label in composed form (NFC); null and blank both mean "none". */
export function parseLabel(max: number = LIMITS.label): p.Parser<string | null> {
  return p.mapped(p.nullable(limitedText({ max })), (given) => {
    const composed = given?.normalize("NFC").trim() ?? "";
    if (isBlank(composed)) return null;
    const fault = labelFault(composed, max);
    return fault === null ? composed : p.refuse(fault.code, fault.detail);
  });
}

/** Notes: several lines, as they came; notes that show nothing become "". */
export const parseNotes = p.mapped(limitedText({ max: LIMITS.notes, multiline: true }), (given) =>
  isBlank(given) ? "" : given,
);

/** A label that has to be there: `parseLabel`, without null and blank. */
export function requiredLabel(max: number, refuseBlank: (value: unknown) => never) {
  const read = parseLabel(max);
  return p.described(
    (value) => read(value) ?? refuseBlank(value),
    () => ({ type: "string", minLength: 1, maxLength: max }),
  );
}

const parseTagList = p.list(
  requiredLabel(LIMITS.tag, (item) =>
    p.refuse("required", p.expected(`a tag of 1 to ${LIMITS.tag} characters`, item)),
  ),
  { max: LIMITS.tags },
);

/** At most 50 tags of 50 characters. */
export const parseTags = p.mapped(parseTagList, uniqueLabels);

/** Labels that fold to one form become one, in the spelling that came first. */
export function uniqueLabels(labels: readonly string[]): string[] {
  const unique = new Map<string, string>();
  for (const label of labels) {
    const key = foldLabel(label);
    if (!unique.has(key)) unique.set(key, label);
  }
  return [...unique.values()];
}

const parseCustomTexts = p.record(limitedText({ max: LIMITS.customText, multiline: true }));

/** As `parseCustomFields`, for a change: a text that shows nothing stands for "remove this field". */
export const parseCustomChange = p.described(readCustomChange, () => ({
  ...p.schemaOf(parseCustomTexts),
  propertyNames: { minLength: 1, maxLength: LIMITS.customName },
  maxProperties: LIMITS.customFields,
}));

/** At most 30, in the order of their names. A text that shows nothing removes its field. */
export const parseCustomFields = p.mapped(parseCustomChange, (given) => {
  const fields = Object.entries(given).filter(([, content]) => !isBlank(content));
  const fault = customCountFault(fields.length);
  return fault === null ? sortCustomFields(fields) : p.refuse("length", fault);
});

function readCustomChange(value: unknown): Record<string, string> {
  const fields = new Map<string, readonly [name: string, text: string]>();
  for (const [typed, content] of Object.entries(parseCustomTexts(value))) {
    const name = parseLabel(LIMITS.customName)(typed);
    if (name === null) return p.refuse("required", "Give each custom field a name");
    if (isReservedName(name)) {
      return p.refuse("reserved", `Every domain has ${name}: give the custom field another name`);
    }
    if (fields.has(foldLabel(name)))
      return p.refuse("repeated", `Two custom fields are named ${name}`);
    fields.set(foldLabel(name), [name, content]);
  }
  return Object.fromEntries(fields.values());
}

/** Why a domain cannot have this many custom fields; else null. */
export function customCountFault(count: number): string | null {
  if (count <= LIMITS.customFields) return null;
  return `Use at most ${LIMITS.customFields} custom fields; these are ${count}`;
}

/** What separates the parts of `customKey`: control characters, which no text can have. */
const [FIELD_END, TEXT_START] = ["\u001e", "\u001d"];

/** Custom fields, folded, for filters. */
export function customKey(fields: Readonly<Record<string, string>>): string | null {
  const keys = Object.entries(fields).map(([name, content]) => customKeyOf(name, content));
  return keys.length === 0 ? null : keys.join("");
}

/** The part of `customKey` of one field; without a text, what comes before that. */
export function customKeyOf(name: string, content?: string): string {
  const start = FIELD_END + foldLabel(name) + TEXT_START;
  return start + (content === undefined ? "" : foldLabel(content) + FIELD_END);
}

/** Whether a custom field of this name would be a second column of that name in the export. */
export function isReservedName(name: string): boolean {
  const read = IMPORT_FIELD_NAMES.filter((field) => field !== "custom");
  const headers = read.map(headerOf);
  return [...headers, ...Object.values(UNREAD_HEADERS)].map(foldLabel).includes(foldLabel(name));
}

/** The fields after a change. Names keep their spelling; a text that shows nothing removes its field. */
export function changeCustomFields(
  fields: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string>>,
): Record<string, string> {
  const changed = new Map(Object.entries(fields).map((field) => [foldLabel(field[0]), field]));
  for (const [name, content] of Object.entries(change)) {
    const key = foldLabel(name);
    if (isBlank(content)) changed.delete(key);
    else changed.set(key, [changed.get(key)?.[0] ?? name, content]);
  }
  return sortCustomFields(changed.values());
}

export function sortCustomFields(fields: Iterable<readonly [name: string, text: string]>) {
  return Object.fromEntries([...fields].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Tags as a person types them: separated by commas, each once. */
export function splitTags(typed: string): string[] {
  const split = typed.split(",").map((tag) => tag.trim());
  return [...new Set(split)].filter((tag) => tag !== "");
}

/**
 * For a pattern with the flag `u`: an address of RFC 5321 without quotes, in any script (RFC 6531),
 * at a host name, of at most 254 characters. No `%`, which old mail servers take for a route.
 */
export const EMAIL_ADDRESS = String.raw`(?![^>]{255})[\p{L}\p{M}\p{N}!#$&'*+/=?^_\x60{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$&'*+/=?^_\x60{|}~-]+)*@(?!-)[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*`;

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
