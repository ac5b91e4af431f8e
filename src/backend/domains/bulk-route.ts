import type { BulkResult } from "../../shared/register-contract.ts";
import { json } from "../http/answer.ts";
import { badFields, problem } from "../http/problem.ts";
import { readJson } from "../http/read-body.ts";
import { changeMany } from "./bulk-change.ts";
import { TooManyTagsError } from "./bulk-edit.ts";
import { parseBulk } from "./bulk-input.ts";
import type { Errand } from "./domain-routes.ts";

/** Bytes of a body: 200,000 ids fit. */
const MAX_BYTES = 8 * 1024 * 1024;

/** `POST /api/domains/bulk`: all or nothing; 409 with `count` where another number matches now. */
export async function changeDomains({ database, request, email }: Errand): Promise<Response> {
  const body = await readJson(request, MAX_BYTES);
  if (body instanceof Response) return body;
  const bulk = parseBulk(body);
  if (Array.isArray(bulk)) return badFields(bulk);
  const author = { email, at: new Date().toISOString() };
  try {
    const outcome = await database.writeMany((sql) => changeMany(sql, bulk, author));
    if (outcome.kind === "count") return countChanged(outcome.count);
    const { matched, changed } = outcome;
    const result: BulkResult = { matched, changed };
    return json(result);
  } catch (error) {
    if (!(error instanceof TooManyTagsError)) throw error;
    return badFields([{ pointer: "/op/addTags", code: "length", detail: error.message }]);
  }
}

function countChanged(count: number): Response {
  const detail = `Nothing was changed: ${count} names match now, which is not what was expected`;
  return problem(409, detail, { count });
}
