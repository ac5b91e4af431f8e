import { FIELD_NAMES, FIELDS, isField, type Field } from "./fields.ts";
import { activeFilters, type Filter, filterValues, onceOnly, parseFilter } from "./filter.ts";
import * as p from "./parse.ts";
import { VIEW_LIMITS } from "./register.ts";

/** What the list shows: in the screen's address, the API, bulk changes and saved views. */
export interface View {
  filter: Filter;
  sort: readonly SortKey[];
}

/** What the list can be sorted by beside its fields, with their labels. */
const OTHER_SORTS = {
  tld: { label: "TLD", column: "tld" },
  /** Per year, by currency; a registrar's list price where a domain has none of its own. */
  price: { label: "Price per year", column: null },
  added: { label: "Added", column: "created_at" },
  changed: { label: "Last changed", column: "updated_at" },
} as const;

/** What the list can be sorted by: those, and every field with one column to compare. */
type SortField =
  | keyof typeof OTHER_SORTS
  | { [F in Field]: (typeof FIELDS)[F] extends { sortedBy: string } ? F : never }[Field];

/** One key of a sort. Domains without a value come last in either direction. */
export interface SortKey {
  field: SortField;
  descending: boolean;
}

function isOtherSort(text: string): text is keyof typeof OTHER_SORTS {
  return Object.hasOwn(OTHER_SORTS, text);
}

/** The column of `domains` that a key compares; null for the price, which is no column. */
export function sortColumn(field: SortField): string | null {
  return isOtherSort(field) ? OTHER_SORTS[field].column : FIELDS[field].sortedBy;
}

export function sortLabel(field: SortField): string {
  return isOtherSort(field) ? OTHER_SORTS[field].label : FIELDS[field].label;
}

function isSortField(text: string): text is SortField {
  return isOtherSort(text) || (isField(text) && "sortedBy" in FIELDS[text]);
}

export const SORT_FIELDS: readonly SortField[] = [
  ...FIELD_NAMES,
  ...Object.keys(OTHER_SORTS),
].filter(isSortField);

const BY_NAME: SortKey = { field: "name", descending: false };

/** The earliest expiry comes first. */
export const DEFAULT_SORT: readonly SortKey[] = [{ field: "expires", descending: false }, BY_NAME];

/** Reads `expires,-name`: each once, `-` to descend. The name comes last. Null: invalid. */
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

/** Unknown, repeated and bad parameters become problems; those in `besides` are read elsewhere. */
export function parseView(
  parameters: URLSearchParams,
  besides: readonly string[] = [],
): { view: View; problems: p.FieldProblem[] } {
  const problems: p.FieldProblem[] = [];
  const entries: [string, unknown][] = [];
  let sort = DEFAULT_SORT;
  for (const [name, pairs] of Map.groupBy(parameters, ([key]) => key)) {
    const [value = "", ...more] = pairs.map(([, each]) => each);
    if (besides.includes(name)) continue;
    if (name !== "sort") {
      entries.push([name, [value, ...more]]);
    } else if (more.length > 0) {
      problems.push({ pointer: "/sort", code: "repeated", detail: onceOnly(more.length + 1) });
    } else if (value !== "") {
      const parsed = parseSort(value);
      const what = `some of ${SORT_FIELDS.join(", ")}, each once, with - before it to descend`;
      if (parsed !== null) sort = parsed;
      else problems.push({ pointer: "/sort", code: "value", detail: p.expected(what, value) });
    }
  }
  const { filter, problems: more } = parseFilter(entries);
  return { view: { filter, sort }, problems: [...problems, ...more] };
}

/** Leaves out what has lapsed, unless asked or searched for, archived, or of the change or import shown. */
export function withoutLapsed(view: View): View {
  const { q, lapsed, archived, change, import: importId } = view.filter;
  const asksForAny = q ?? lapsed ?? archived ?? change ?? importId;
  return asksForAny ? view : { ...view, filter: { ...view.filter, lapsed: ["false"] } };
}

/** The filters that the list offers by name, as chips with the number of domains that each finds. */
export const QUICK_FILTERS = {
  "To do": { work: ["any"], expires: ["next-7"] },
  Expired: { expires: ["expired"] },
  "30 days": { expires: ["next-30"] },
  "2 dates": { expires: ["conflict"] },
  "On hold": { status: ["on-hold"] },
  "Auto-renew off": { autoRenew: ["false"] },
  "No price": { price: ["none"] },
  "Needs a decision": { work: ["undecided"] },
  Lapsed: { lapsed: ["true"] },
} as const satisfies Readonly<Record<string, Filter>>;

/** The parameters of a view; the default sort is left out. */
export function formatView({ filter, sort }: View): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const name of activeFilters(filter)) {
    for (const value of filterValues(filter, name)) parameters.append(name, value);
  }
  const order = formatSort(sort);
  if (order !== formatSort(DEFAULT_SORT)) parameters.set("sort", order);
  return parameters;
}

/** Reads the text of a view, in the form in which `formatView` writes it. @throws {ParseError} */
export const parseQuery = p.described(
  (value) => {
    const max = VIEW_LIMITS.query;
    if (typeof value !== "string" || value.length > max) {
      return p.refuse("length", p.expected(`a query of at most ${max} characters`, value));
    }
    const { view, problems } = parseView(new URLSearchParams(value));
    const [problem] = problems;
    if (problem !== undefined) return p.refuse("value", `${problem.pointer}: ${problem.detail}`);
    return String(formatView(view));
  },
  () => ({ type: "string", maxLength: VIEW_LIMITS.query }),
);
