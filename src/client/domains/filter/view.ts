import type { DomainFilters } from "../../../shared/register-contract.ts";

/** What the list can be narrowed by; each is a parameter of the address and of `GET /api/domains`. */
export const filterNames = [
  "registrar",
  "account",
  "owner",
  "tag",
  "tld",
  "decision",
  "autoRenew",
  "expiry",
  "expiresFrom",
  "expiresBefore",
] as const;

export type FilterName = (typeof filterNames)[number];

const sortKeys = [
  "name",
  "registrar",
  "account",
  "owner",
  "expires",
  "autoRenew",
  "decision",
] as const;

/** What the list can be sorted by. */
export type SortKey = (typeof sortKeys)[number];

/** What of the register is shown. All of it is in the address, so that a view can be kept and sent. */
export interface View {
  q: string;
  filters: Partial<Record<FilterName, string>>;
  sort: SortKey;
  descending: boolean;
}

/** Reads a view from a query string. What it does not know is left out. */
export function parseView(search: string): View {
  const params = new URLSearchParams(search);
  const filters: View["filters"] = {};
  for (const name of filterNames) {
    const value = params.get(name)?.trim();
    if (value) filters[name] = value;
  }
  const sort = params.get("sort") ?? "";
  const key = sort.replace("-", "");
  return {
    q: params.get("q") ?? "",
    filters,
    sort: sortKeys.find((known) => known === key) ?? "expires",
    descending: sort.startsWith("-"),
  };
}

/** The query string of a view, without what goes without saying. */
export function viewToSearch(view: View): string {
  const params = filterParams(view);
  if (view.sort !== "expires" || view.descending) params.set("sort", sortOf(view));
  return params.toString();
}

/** The query of `GET /api/domains` for a view; names come second where the sort leaves a tie. */
export function viewToQuery(view: View): string {
  const params = filterParams(view);
  params.set("sort", view.sort === "name" ? sortOf(view) : `${sortOf(view)},name`);
  return params.toString();
}

/** Where a spreadsheet of what the view shows is. */
export function exportPath(view: View): string {
  return `/api/domains.csv?${filterParams(view).toString()}`;
}

/** What the view narrows by, as a bulk change names it. */
export function viewToFilters(view: View): DomainFilters {
  // The server checks every value that the address brought; here they are passed on as they are.
  return Object.fromEntries(filterParams(view)) as DomainFilters;
}

/** Whether a view leaves anything out. */
export function isNarrowed({ q, filters }: View): boolean {
  return q.trim() !== "" || Object.keys(filters).length > 0;
}

function filterParams({ q, filters }: View): URLSearchParams {
  const params = new URLSearchParams();
  if (q.trim()) params.set("q", q.trim());
  for (const name of filterNames) {
    const value = filters[name];
    if (value) params.set(name, value);
  }
  return params;
}

function sortOf({ sort, descending }: View): string {
  return `${descending ? "-" : ""}${sort}`;
}
