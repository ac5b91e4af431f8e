import type { FieldProblem } from "../../shared/contract.ts";
import type { RowClass } from "../../shared/import-contract.ts";
import { readParameters } from "../domains/parameters.ts";
import type { RowQuery } from "./list-rows.ts";

const CLASSES = [
  "new",
  "changed",
  "same",
  "duplicate",
  "invalid",
  "missing",
] as const satisfies readonly RowClass[];

const PARAMETERS = ["class", "after", "limit"];
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 200;

/** Checks the parameters of `GET /api/imports/:id/rows`, all at once; an empty one is as good as none. */
export function parseRowQuery(parameters: URLSearchParams): RowQuery | FieldProblem[] {
  const { problems } = readParameters(parameters, PARAMETERS);
  const word = parameters.get("class") || null;
  const only = CLASSES.find((each) => each === word) ?? null;
  if (word !== only) {
    const detail = `Expected one of ${CLASSES.join(", ")}`;
    problems.push({ pointer: "/class", code: "choice", detail });
  }
  const after = parameters.get("after") || null;
  if (after !== null && !/^(?:\d{12}|missing-[a-z0-9.-]{1,253})$/.test(after)) {
    const detail = "Expected the `next` of the page before";
    problems.push({ pointer: "/after", code: "value", detail });
  }
  const limit = parameters.get("limit") || String(DEFAULT_LIMIT);
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT) {
    const detail = `Expected a whole number from 1 to ${MAX_LIMIT}`;
    problems.push({ pointer: "/limit", code: "value", detail });
  }
  return problems.length > 0 ? problems : { class: only, after, limit: Number(limit) };
}
