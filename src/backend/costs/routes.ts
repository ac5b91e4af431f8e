import {
  COST_GROUPS,
  COST_KINDS,
  MAX_COST_GROUPS,
  MAX_COST_MONTHS,
  type CostRow,
} from "../../shared/costs.ts";
import { isDay, parseDay, utcToday } from "../../shared/day.ts";
import { exactObject, expected, keyOf, optional, refuse } from "../../shared/parse.ts";
import type { Database } from "../database/database.ts";
import { toLine } from "../domains/csv-export.ts";
import { formatAmount } from "../domains/field-kinds.ts";
import { parseParameters } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import { csvFile, json } from "../http/responses.ts";
import type { RequestContext, Route } from "../http/router.ts";
import { monthAfter, reportCosts, type CostQuery } from "./costs.ts";

export const costRoutes: readonly Route[] = [
  { path: "/api/costs", methods: { GET: showCosts } },
  { path: "/api/costs.csv", methods: { GET: exportCosts } },
];

async function showCosts({ database, url }: RequestContext): Promise<Response> {
  const query = readCostQuery(url.searchParams);
  return json(await database.read((sql) => reportCosts(sql, query, MAX_COST_GROUPS)));
}

/** `GET /api/costs.csv`: the sums of the report, in whole units of their currency. */
async function exportCosts({ database, url, request }: RequestContext): Promise<Response> {
  const query = readCostQuery(url.searchParams);
  const fileName = `costs-${query.from}-${query.to}.csv`;
  return csvFile(request, fileName, writeCosts(database, query));
}

async function* writeCosts(database: Database, query: CostQuery): AsyncGenerator<string> {
  const { what, by, group } = query;
  const report = await database.read((sql) => reportCosts(sql, query, Number.POSITIVE_INFINITY));
  const columns: [header: string, cell: (row: CostRow) => string][] = [
    [by === "month" ? "Month" : "Year", ({ period }) => period],
  ];
  if (group !== "none") columns.push([COST_GROUPS[group], (row) => row.group ?? ""]);
  columns.push(
    ["Currency", ({ currency }) => currency ?? ""],
    [COST_KINDS[what], formatAmount],
    ["Domains", ({ names }) => String(names)],
  );
  if (what === "renewals") {
    const renewing = (row: CostRow) => formatAmount({ ...row, minor: row.renewing });
    columns.push(["Renews automatically", renewing]);
  }
  const rows = group === "none" ? report.totals : report.rows;
  const lines = [
    columns.map(([header]) => header),
    ...rows.map((row) => columns.map(([, cell]) => cell(row))),
  ];
  yield `\ufeff${lines.map(toLine).join("")}`;
}

const parseQuery = exactObject({
  what: optional(keyOf(COST_KINDS)),
  by: optional(keyOf(MAX_COST_MONTHS)),
  group: optional(keyOf(COST_GROUPS)),
  from: optional(parseMonth),
  to: optional(parseMonth),
  today: optional(parseDay),
});

/** A month as `2027-05`, in a year that a day may be in. */
function parseMonth(value: unknown): string {
  if (typeof value === "string" && isDay(`${value}-01`)) return value;
  return refuse("month", expected("a month as YYYY-MM", value));
}

/**
 * Reads the parameters. Without `from` and `to`, coming renewals are those of 12 months or of this
 * year and the next four, and everything else that of as long up to now.
 *
 * @throws {RequestError} 400
 */
function readCostQuery(parameters: URLSearchParams): CostQuery {
  const { today = utcToday(), ...given } = parseParameters(parameters, parseQuery);
  const { what = "renewals", by = "month", group = "none" } = given;
  const month = today.slice(0, 7);
  const year = Number(today.slice(0, 4));
  const first = by === "month" ? monthAfter(month, -11) : `${year - 4}-01`;
  const last = by === "month" ? monthAfter(month, 11) : `${year + 4}-12`;
  const isAhead = what === "renewals";
  const { from = isAhead ? month : first, to = isAhead ? last : month } = given;
  if (to < from || to > monthAfter(from, MAX_COST_MONTHS[by] - 1)) {
    const detail = `Choose a month from ${from} on, at most ${MAX_COST_MONTHS[by] / 12} years later.`;
    throw badFields([{ pointer: "/to", code: "range", detail }]);
  }
  return { what, by, group, from, to, today };
}
