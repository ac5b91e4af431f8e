import type { FieldProblem } from "../../shared/contract.ts";
import { json } from "../http/answer.ts";
import { badFields, problem } from "../http/problem.ts";
import type { Errand } from "./domain-routes.ts";
import { listChanges } from "./history.ts";
import { readParameters } from "./parameters.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 200;
const CHANGE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `GET /api/domains/:id/history?limit=&after=`: newest first; a deleted domain keeps its own. */
export async function showHistory({ database, url }: Errand, id: string): Promise<Response> {
  const page = parsePage(url.searchParams);
  if (Array.isArray(page)) return badFields(page);
  const changes = await database.read((sql) => listChanges(sql, id, page));
  return changes === null ? problem(404, "There is no domain with this id") : json(changes);
}

function parsePage(
  parameters: URLSearchParams,
): { limit: number; after: string | null } | FieldProblem[] {
  const { read, problems } = readParameters(parameters, ["limit", "after"]);
  const limit = read("limit", `a whole number from 1 to ${MAX_LIMIT}`, parseLimit);
  const after = read("after", "the `next` of the page before", parseChangeId);
  return problems.length > 0 ? problems : { limit: limit ?? DEFAULT_LIMIT, after };
}

function parseLimit(text: string): number | null {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MAX_LIMIT ? limit : null;
}

function parseChangeId(text: string): string | null {
  return CHANGE_ID.test(text) ? text : null;
}
