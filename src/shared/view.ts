import { isDay } from "./day.ts";
import { FIELD_NAMES, FIELDS, type Field } from "./fields.ts";
import { expected, MAX_PROBLEMS, quotable } from "./parse.ts";
import type { FieldProblem } from "./problem.ts";
import { foldLabel, textFault } from "./text.ts";

/**
 * What the list shows: a filter and a sort. One form serves the address of the screen, the query of
 * `GET /api/domains` and `/api/domains.csv`, bulk changes and the SQL.
 */
export interface View {
  filter: Filter;
  sort: readonly SortKey[];
}

/** What each parameter of a filter accepts, and what a person reads of it. */
interface FilterSpec {
  label: string;
  /** `label` is compared folded, `tld` without its dot. */
  kind: "label" | "tld" | "day" | "choice";
  /** Of a choice: the words in the address, and on the screen. */
  choices?: Readonly<Record<string, string>>;
}

/** All filters, combined by "and". */
export const FILTERS = {
  q: { label: "Search", kind: "label" },
  registrar: { label: FIELDS.registrar.label, kind: "label" },
  account: { label: FIELDS.account.label, kind: "label" },
  owner: { label: FIELDS.owner.label, kind: "label" },
  tag: { label: "Tag", kind: "label" },
  tld: { label: "TLD", kind: "tld" },
  decision: {
    label: FIELDS.decision.label,
    kind: "choice",
    choices: {
      keep: "Keep",
      watch: "Watch",
      transfer: "Transfer",
      drop: "Drop",
      none: "Undecided",
      "not-drop": "Not dropped",
    },
  },
  autoRenew: {
    label: FIELDS.autoRenew.label,
    kind: "choice",
    choices: { true: "On", false: "Off", unknown: "Unknown", "not-on": "Off or unknown" },
  },
  expiry: {
    label: "Expiry date",
    kind: "choice",
    choices: { known: "Known", unknown: "None", conflict: "Conflicting" },
  },
  /** From this day on; leaves out domains without a day. */
  expiresFrom: { label: "Expires from", kind: "day" },
  /** Strictly before this day; leaves out domains without a day. */
  expiresBefore: { label: "Expires before", kind: "day" },
} as const satisfies Readonly<Record<string, FilterSpec>>;

export type FilterName = keyof typeof FILTERS;

type FilterValue<S> = S extends { choices: infer C } ? keyof C & string : string;

/** What the list is narrowed to; an absent member narrows nothing. */
export type Filter = { [N in FilterName]?: FilterValue<(typeof FILTERS)[N]> };

function isFilterName(text: string): text is FilterName {
  return Object.hasOwn(FILTERS, text);
}

export const FILTER_NAMES: readonly FilterName[] = Object.keys(FILTERS).filter(isFilterName);

/** What a person reads of a filter's value. */
export function filterValueInWords(name: FilterName, value: string): string {
  const { choices }: FilterSpec = FILTERS[name];
  return choices?.[value] ?? value;
}

/** What the list can be sorted by: the TLD, and every field with one column to compare. */
export type SortField =
  "tld" | { [F in Field]: (typeof FIELDS)[F] extends { sortedBy: string } ? F : never }[Field];

/** One key of a sort. Domains without a value come last in either direction. */
export interface SortKey {
  field: SortField;
  descending: boolean;
}

/** The column of `domains` that a key compares. */
export function sortColumn(field: SortField): string {
  return field === "tld" ? "tld" : FIELDS[field].sortedBy;
}

function isSortField(text: string): text is SortField {
  return (
    text === "tld" || FIELD_NAMES.some((field) => field === text && "sortedBy" in FIELDS[field])
  );
}

export const SORT_FIELDS: readonly SortField[] = [...FIELD_NAMES, "tld"].filter(isSortField);

const BY_NAME: SortKey = { field: "name", descending: false };

/** What is soonest comes first. */
export const DEFAULT_SORT: readonly SortKey[] = [{ field: "expires", descending: false }, BY_NAME];

/**
 * Reads `expires,-name`: each field once, `-` before it to descend. The name comes last unless it is
 * there: it decides every tie. Null for anything else.
 */
export function parseSort(text: string): readonly SortKey[] | null {
  const keys: SortKey[] = [];
  for (const part of text.split(",")) {
    const descending = part.startsWith("-");
    const field = part.slice(descending ? 1 : 0);
    if (!isSortField(field) || keys.some((key) => key.field === field)) return null;
    keys.push({ field, descending });
  }
  return keys.some(({ field }) => field === "name") ? keys : [...keys, BY_NAME];
}

/** The shortest text that `parseSort` reads as this sort. */
export function formatSort(sort: readonly SortKey[]): string {
  const last = sort.at(-1);
  const implied = sort.length > 1 && last?.field === "name" && !last.descending;
  const keys = implied ? sort.slice(0, -1) : sort;
  return keys.map(({ field, descending }) => (descending ? `-${field}` : field)).join(",");
}

/**
 * Reads a view from parameters; an empty one is as good as none. What is unknown, repeated or bad is
 * left out and among the problems. `besides` names parameters that are read elsewhere.
 */
export function parseView(
  parameters: URLSearchParams,
  besides: readonly string[] = [],
): { view: View; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const entries: [string, unknown][] = [];
  let sort = DEFAULT_SORT;
  for (const [name, pairs] of Map.groupBy(parameters, ([key]) => key)) {
    const value = pairs[0]?.[1] ?? "";
    if (besides.includes(name)) continue;
    if (pairs.length > 1) {
      const detail = `Expected this once, but got it ${pairs.length} times`;
      problems.push({ pointer: `/${name.slice(0, 100)}`, code: "repeated", detail });
    } else if (name !== "sort") {
      entries.push([name, value]);
    } else if (value !== "") {
      const parsed = parseSort(value);
      const what = `some of ${SORT_FIELDS.join(", ")}, each once, with - before it to descend`;
      if (parsed !== null) sort = parsed;
      else problems.push({ pointer: "/sort", code: "value", detail: expected(what, value) });
    }
  }
  const { filter, problems: more } = parseFilter(entries);
  return { view: { filter, sort }, problems: [...problems, ...more] };
}

/** Characters of a filter's value. */
const MAX_VALUE = 1000;

/** Reads a filter from its members, as `parseView` does; a bulk change names its filter so. */
export function parseFilter(entries: Iterable<readonly [string, unknown]>): {
  filter: Filter;
  problems: FieldProblem[];
} {
  const problems: FieldProblem[] = [];
  const filter: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (problems.length >= MAX_PROBLEMS) break;
    const pointer = `/${quotable(name.slice(0, 100)).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!isFilterName(name)) {
      const detail = `Unknown parameter; expected only ${FILTER_NAMES.join(", ")}`;
      problems.push({ pointer, code: "unknown", detail });
    } else if (typeof value !== "string") {
      problems.push({ pointer, code: "type", detail: expected("a string", value) });
    } else if (value !== "") {
      const spec: FilterSpec = FILTERS[name];
      if (accepts(spec, value)) filter[name] = value;
      else problems.push({ pointer, code: "value", detail: expected(describe(spec), value) });
    }
  }
  // Each member was checked against the specification of its name.
  return { filter: filter as Filter, problems };
}

/** The parameters of a view, without a sort that goes without saying. */
export function formatView({ filter, sort }: View): URLSearchParams {
  const parameters = new URLSearchParams(Object.entries(filter));
  const order = formatSort(sort);
  if (order !== formatSort(DEFAULT_SORT)) parameters.set("sort", order);
  return parameters;
}

/** Whether a filter leaves anything out. */
export function isNarrowed(filter: Filter): boolean {
  return Object.keys(filter).length > 0;
}

function accepts({ kind, choices }: FilterSpec, value: string): boolean {
  if (textFault(value, { max: MAX_VALUE }) !== null) return false;
  if (kind === "day") return isDay(value);
  if (kind === "choice") return Object.hasOwn(choices ?? {}, value);
  return foldLabel(value) !== "";
}

function describe({ kind, label, choices }: FilterSpec): string {
  if (kind === "day") return "a calendar day as YYYY-MM-DD";
  if (kind === "choice") return `one of ${Object.keys(choices ?? {}).join(", ")}`;
  return `text for ${label}`;
}
