import { ANY_DAY, isDay } from "./day.ts";
import { DECISION_LABELS, type RegistrarStatus } from "./domain.ts";
import { FIELDS, LABEL_FIELDS, recordOf } from "./fields.ts";
import { formatTerm, parseNextDays, parsePriceRange, parseTerm } from "./filter-term.ts";
import { FINDINGS } from "./findings.ts";
import type { Severity } from "./check-summary.ts";
import { isCurrencyCode } from "./money.ts";
import { expected, MAX_PROBLEMS, quotable, type FieldProblem } from "./parse.ts";
import { foldLabel, LIMITS, textFault, UUID } from "./text.ts";

/** Characters of a filter's value: a label of 200, its marks, and a name of 253 to search for. */
export const MAX_VALUE_LENGTH = 260;
const SHOWN_TEXT = `up to ${MAX_VALUE_LENGTH} visible characters`;

/** The kinds of filters, with what each takes beside its choices: `price` is per year. */
const KINDS = {
  search: SHOWN_TEXT,
  label: SHOWN_TEXT,
  tld: "a TLD such as com",
  currency: "a currency such as EUR",
  day: ANY_DAY,
  id: "an id",
  person: "the id of a person",
  expiry: "next- and a number of days",
  price: "a range such as 10..50",
  choice: "",
} as const;

/** What each parameter of a filter accepts, and what a person reads of it. */
interface FilterSpec {
  label: string;
  kind: keyof typeof KINDS;
  /** The words in the address that it knows, and what they are on the screen. */
  choices?: Readonly<Record<string, string>>;
  /** It has one value; any other may have several, see `Filter`. */
  single?: true;
}

export const FILTERS = {
  /** Words that all have to be there, see `parseWords`. */
  q: { label: "Search", kind: "search", single: true },
  ...recordOf(LABEL_FIELDS, (field) => ({ label: FIELDS[field].label, kind: "label" as const })),
  /** Whose work it is: beside these words the id of a person. `me` is the person who asks. */
  person: { label: FIELDS.person.label, kind: "person", choices: { me: "Me", none: "Unassigned" } },
  tag: { label: "Tag", kind: "label" },
  tld: { label: "TLD", kind: "tld" },
  decision: {
    label: FIELDS.decision.label,
    kind: "choice",
    choices: { ...DECISION_LABELS, "!drop": "Not dropped" },
  },
  autoRenew: {
    label: FIELDS.autoRenew.label,
    kind: "choice",
    choices: { true: "On", false: "Off", "-": "Unknown", "!true": "Off or unknown" },
  },
  status: {
    label: FIELDS.status.label,
    kind: "choice",
    choices: {
      active: "Active",
      cancelled: "Cancelled",
      "on-hold": "On hold",
      redemption: "In redemption",
      "transferring-in": "Transferring in",
      "transferring-out": "Transferring out",
      "pending-delete": "Pending delete",
      "-": "Unknown",
    } satisfies Record<RegistrarStatus | "-", string>,
  },
  /** What is to be done as of today, see `workOf`. */
  work: {
    label: "To do",
    kind: "choice",
    choices: {
      any: "Anything",
      expired: "Expired",
      undecided: "Undecided",
      todo: "Renew, transfer or turn off",
      renew: "Renew",
      transfer: "Transfer",
      "switch-off": "Turn off auto-renew",
      trouble: "On hold, cancelled or broken",
      look: "Look at",
    },
  },
  /** Whether it was dropped and is gone, see `isLapsed`. */
  lapsed: { label: "Lapsed", kind: "choice", choices: { true: "Yes", false: "No" } },
  sold: { label: "Sold", kind: "choice", choices: { true: "Yes", false: "No" } },
  /** Without it, what is archived is left out, but for the domains of a change or an import. */
  archived: {
    label: "Archived",
    kind: "choice",
    choices: { true: "Yes", any: "Yes or no", proposed: "Proposed" },
  },
  /** Relative to today; beside these words `next-` and any number of days up to 9999. */
  expires: {
    label: FIELDS.expires.label,
    kind: "expiry",
    choices: {
      expired: "Expired",
      "next-7": "Next 7 days",
      "next-30": "Next 30 days",
      "next-60": "Next 60 days",
      "next-90": "Next 90 days",
      "next-365": "Next 365 days",
      known: "Known",
      none: "None",
      conflict: "Conflicting",
    },
  },
  finding: {
    label: "Finding",
    kind: "choice",
    choices: {
      any: "Any",
      critical: "Critical",
      high: "High",
      medium: "Medium",
      low: "Low",
      ...Object.fromEntries(Object.entries(FINDINGS).map(([code, { label }]) => [code, label])),
    } satisfies Record<Severity | "any", string>,
  },
  handled: {
    label: "Reminders",
    kind: "choice",
    choices: { open: "Open", acknowledged: "Acknowledged", snoozed: "Snoozed" },
  },
  /** From this day on; leaves out domains without a day. */
  expiresFrom: { label: "Expires from", kind: "day", single: true },
  /** Strictly before this day; leaves out domains without a day. */
  expiresBefore: { label: "Expires before", kind: "day", single: true },
  /** Per year, in units of its currency: beside these words `10..50`, `10..` and `..50`. */
  price: { label: "Renewal price", kind: "price", choices: { known: "Known", none: "None" } },
  currency: { label: "Currency", kind: "currency" },
  /** The first change of each of some entries of the history: the domains of these entries. */
  change: { label: "Change", kind: "id" },
  /** The id of an import: the domains that it added or changed. */
  import: { label: "Import", kind: "id", single: true },
} as const satisfies Readonly<Record<string, FilterSpec>>;

type FixedName = keyof typeof FILTERS;

/** The filter of a custom field, as the list's column of it: `custom.` and the field's name. */
export type CustomName = `custom.${string}`;

export type FilterName = FixedName | CustomName;

/** One of the values has to match, and none of those that begin with `!`: see `parseTerm`. */
export type Filter = {
  [N in FixedName]?: (typeof FILTERS)[N] extends { single: true } ? string : readonly string[];
} & { readonly [N in CustomName]?: readonly string[] };

export type ListFilterName = {
  [N in FixedName]: (typeof FILTERS)[N] extends { single: true } ? never : N;
}[FixedName];

function isFixedName(text: string): text is FixedName {
  return Object.hasOwn(FILTERS, text);
}

export const FILTER_NAMES: readonly FixedName[] = Object.keys(FILTERS).filter(isFixedName);

const CUSTOM = "custom.";

/** Values of custom fields in one filter: each is looked for in the texts of every domain. */
const MAX_CUSTOM_VALUES = 10;

export function toCustomName(field: string): CustomName {
  return `${CUSTOM}${field}`;
}

export function isCustomName(text: string): text is CustomName {
  if (!text.startsWith(CUSTOM)) return false;
  const field = customFieldOf(text);
  return foldLabel(field) !== "" && textFault(field, { max: LIMITS.customName }) === null;
}

export function customFieldOf(name: string): string {
  return name.slice(CUSTOM.length);
}

/** The filters that narrow, in the order of the table; those of custom fields come last, by name. */
export function activeFilters(filter: Filter): FilterName[] {
  const custom = Object.keys(filter).filter(isCustomName).toSorted();
  return [...FILTER_NAMES.filter((name) => filter[name] !== undefined), ...custom];
}

function specOf(name: FilterName): FilterSpec {
  return isFixedName(name) ? FILTERS[name] : { label: customFieldOf(name), kind: "label" };
}

export function filterLabel(name: FilterName): string {
  return specOf(name).label;
}

export function filterValues(filter: Filter, name: FilterName): readonly string[] {
  const values = filter[name] ?? [];
  return typeof values === "string" ? [values] : values;
}

/** What a person reads of one value of a filter: `Not GoDaddy`, `Contains “gan”`, `None`. */
export function filterValueInWords(name: FilterName, value: string): string {
  const { kind, choices = {} } = specOf(name);
  const wordsOf = (word: string) => (Object.hasOwn(choices, word) ? choices[word] : undefined);
  const choice = kind === "search" ? value : wordsOf(value);
  if (choice !== undefined) return choice;
  const { not, match, text } = parseTerm(value);
  const next = kind === "expiry" ? parseNextDays(text) : null;
  const range = kind === "price" ? parsePriceRange(text) : null;
  if (match === "none") return not ? "Any" : "None";
  if (match === "contains") return `${not ? "Doesn’t contain" : "Contains"} “${text}”`;
  let words = wordsOf(text);
  if (next !== null) words = `Next ${next} days`;
  else if (range?.from === null) words = `Up to ${range.to}`;
  else if (range?.to === null) words = `${range.from} or more`;
  else if (range !== null) words = `${range.from}–${range.to}`;
  if (words === undefined) return not ? `Not ${text}` : text;
  return not ? `Not ${words.charAt(0).toLowerCase()}${words.slice(1)}` : words;
}

/** Values of one filter; each may be searched for in every domain. */
const MAX_VALUES = 50;

/** Reads a filter from its members, each a text or a list of texts. */
export function parseFilter(entries: Iterable<readonly [string, unknown]>): {
  filter: Filter;
  problems: FieldProblem[];
} {
  const problems: FieldProblem[] = [];
  const filter: Record<string, string | string[]> = {};
  let customValues = 0;
  for (const [name, given] of entries) {
    if (problems.length >= MAX_PROBLEMS) break;
    const pointer = quotable(name.slice(0, 100)).replaceAll("~", "~0").replaceAll("/", "~1");
    const refuse = (code: string, detail: string) =>
      problems.push({ pointer: `/${pointer}`, code, detail });
    if (!isFixedName(name) && !isCustomName(name)) {
      const known = `${FILTER_NAMES.join(", ")}, or ${CUSTOM} with the name of a custom field`;
      refuse("unknown", `Unknown parameter; expected only ${known}`);
      continue;
    }
    const spec = specOf(name);
    const values: unknown[] = Array.isArray(given) ? given : [given];
    const bad = values.find((value) => typeof value !== "string");
    const texts = [...new Set(values.filter((value) => typeof value === "string"))];
    if (isCustomName(name)) customValues += values.length;
    const most = spec.single ? 1 : MAX_VALUES;
    if (bad !== undefined) refuse("type", expected("a string", bad));
    else if (values.length > most) refuse("repeated", onceOnly(values.length, most));
    else if (customValues > MAX_CUSTOM_VALUES) {
      refuse("length", `Expected at most ${MAX_CUSTOM_VALUES} values of custom fields`);
    } else {
      const accepted = texts.filter((text) => accepts(spec, text));
      const wrong = texts.find((text) => text !== "" && !accepted.includes(text));
      if (wrong !== undefined) refuse("value", expected(describe(spec), wrong));
      const [first] = accepted;
      if (first !== undefined) filter[name] = spec.single ? first : accepted;
    }
  }
  // Each member was checked against the specification of its name.
  return { filter: filter as Filter, problems };
}

export function onceOnly(came: number, most = 1): string {
  return `Expected this ${most === 1 ? "once" : `at most ${most} times`}, but got it ${came} times`;
}

/** Replaces `me` with a person's id, for filters that are stored or read without that person. */
export function withPerson(filter: Filter, id: string): Filter {
  if (filter.person === undefined) return filter;
  const people = filter.person.map(parseTerm).map((term) => {
    return formatTerm({ ...term, text: term.text === "me" ? id : term.text });
  });
  return { ...filter, person: people };
}

export function isNarrowed(filter: Filter): boolean {
  return Object.keys(filter).length > 0;
}

function accepts({ kind, choices = {} }: FilterSpec, value: string): boolean {
  if (value === "" || textFault(value, { max: MAX_VALUE_LENGTH }) !== null) return false;
  if (kind === "search") return foldLabel(value) !== "";
  if (kind === "day") return isDay(value);
  if (kind === "id") return /^[\w-]{1,64}$/.test(value);
  if (Object.hasOwn(choices, value)) return true;
  const { match, text } = parseTerm(value);
  if (kind === "label") return match === "none" || foldLabel(text) !== "";
  if (match === "contains") return false;
  if (kind === "currency") return match === "none" || isCurrencyCode(text);
  if (kind === "tld") return match === "is" && foldLabel(text) !== "";
  return (
    Object.hasOwn(choices, match === "none" ? "-" : text) ||
    (kind === "person" && UUID.test(text)) ||
    (kind === "expiry" && parseNextDays(text) !== null) ||
    (kind === "price" && parsePriceRange(text) !== null)
  );
}

function describe({ kind, choices }: FilterSpec): string {
  const words = choices && `one of ${Object.keys(choices).join(", ")}`;
  return [words, KINDS[kind]].filter(Boolean).join(", or ");
}
