import type { FieldProblem } from "../../shared/contract.ts";
import { decodeCursor, MAX_CURSOR, type Cursor } from "./domain-cursor.ts";
import { FILTER_PARAMETERS, readFilter, type DomainFilter } from "./domain-filter.ts";
import { parseSort, SORT_FIELDS, type SortKey } from "./domain-sort.ts";
import { readParameters, type ParameterReader } from "./parameters.ts";

export interface DomainQuery {
  filter: DomainFilter;
  sort: readonly SortKey[];
  limit: number;
  after: Cursor | null;
}

const DEFAULT_SORT = "expires,name";
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 200;

/**
 * Checks the parameters of `GET /api/domains`, all at once. An empty value is as good as none. An
 * unknown parameter, one that comes twice, and a cursor of another sort are complaints.
 */
export function parseDomainQuery(parameters: URLSearchParams): DomainQuery | FieldProblem[] {
  const known = [...FILTER_PARAMETERS, "sort", "limit", "after"];
  const reader = readParameters(parameters, known);
  const filter = readFilter(reader);
  const sort = readSort(reader);
  const sized = `a whole number from 1 to ${MAX_LIMIT}`;
  const limit = reader.read("limit", sized, parseLimit) ?? DEFAULT_LIMIT;
  const what = "the `next` of a page with the same sort";
  const after = reader.read("after", what, (text) => decodeCursor(text, sort), MAX_CURSOR);
  return reader.problems.length > 0 ? reader.problems : { filter, sort, limit, after };
}

/** Checks the parameters of `GET /api/domains.csv`, which has no pages: filters and sort. */
export function parseExportQuery(
  parameters: URLSearchParams,
): Pick<DomainQuery, "filter" | "sort"> | FieldProblem[] {
  const reader = readParameters(parameters, [...FILTER_PARAMETERS, "sort"]);
  const query = { filter: readFilter(reader), sort: readSort(reader) };
  return reader.problems.length > 0 ? reader.problems : query;
}

function readSort({ read }: ParameterReader): readonly SortKey[] {
  const sortable = `some of ${SORT_FIELDS.join(", ")}, each once, with - before it to descend`;
  return read("sort", sortable, parseSort) ?? parseSort(DEFAULT_SORT) ?? [];
}

function parseLimit(text: string): number | null {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MAX_LIMIT ? limit : null;
}
