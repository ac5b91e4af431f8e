import { json } from "../http/answer.ts";
import { badFields } from "../http/problem.ts";
import { isDay } from "./day.ts";
import type { Errand } from "./domain-routes.ts";
import { listFacets } from "./facets.ts";
import { readParameters } from "./parameters.ts";
import { summarise } from "./summary.ts";

/** `GET /api/summary?today=`; the day of UTC unless the client says which day it has. */
export async function showSummary({ database, url }: Errand): Promise<Response> {
  const { read, problems } = readParameters(url.searchParams, ["today"]);
  const given = read("today", "a day as YYYY-MM-DD", (text) => (isDay(text) ? text : null));
  if (problems.length > 0) return badFields(problems);
  const today = given ?? new Date().toISOString().slice(0, 10);
  return json(await database.read((sql) => summarise(sql, today)));
}

/** `GET /api/facets` */
export async function showFacets({ database, url }: Errand): Promise<Response> {
  const { problems } = readParameters(url.searchParams, []);
  if (problems.length > 0) return badFields(problems);
  return json(await listFacets(database));
}
