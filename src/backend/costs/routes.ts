import {
  COST_GROUPS,
  COST_KINDS,
  MAX_COST_GROUPS,
  MAX_COST_MONTHS,
  parseCheaperReport,
  parseCostReport,
  parseStatement,
  type CostRow,
} from "../../shared/costs.ts";
import { isDay, parseDay, utcToday } from "../../shared/day.ts";
import * as p from "../../shared/parse.ts";
import type { Database } from "../database/database.ts";
import { toLine } from "../domains/list/csv-export.ts";
import { formatAmount } from "../domains/field-kinds.ts";
import { exportFile, viewOf } from "../domains/routes.ts";
import { queryOf } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import { route, type Route, type Sight } from "../http/route.ts";
import { refuseHidden } from "../domains/list/shown.ts";
import { readCheaper } from "./cheaper.ts";
import { monthAfter, readCosts, type CostQuery } from "./costs.ts";
import {
  parseStatementFile,
  parseStatementQuery,
  readStatement,
  writeStatement,
} from "./statement.ts";

/** A month as `2027-05`, in a year that a day may be in. */
const parseMonth = p.described(
  (value) => {
    if (typeof value === "string" && isDay(`${value}-01`)) return value;
    return p.refuse("month", p.expected("a month from 1985-01 to 2199-12", value));
  },
  () => ({ type: "string", pattern: "^\\d{4}-\\d{2}$" }),
);

const parseToday = queryOf({ today: p.optional(parseDay) });

const parseQuery = queryOf({
  what: p.optional(p.keyOf(COST_KINDS)),
  by: p.optional(p.keyOf(MAX_COST_MONTHS)),
  group: p.optional(p.keyOf(COST_GROUPS)),
  from: p.optional(parseMonth),
  to: p.optional(parseMonth),
  today: p.optional(parseDay),
});

export const costRoutes: readonly Route[] = [
  route("GET /api/costs", "limited", {
    summary: "Report costs by month or year",
    query: parseQuery,
    answer: parseCostReport,
    handle: ({ database, query, sight }) =>
      database.readMany(readCosts, { ...completeQuery(query, sight), maxGroups: MAX_COST_GROUPS }),
  }),
  route("GET /api/costs/cheaper", "viewer", {
    summary: "List what other registrars’ price lists would renew for less",
    query: parseToday,
    answer: parseCheaperReport,
    handle: ({ database, query: { today = utcToday() } }) =>
      database.readMany(readCheaper, { today }),
  }),
  route("GET /api/costs.csv", "limited", {
    summary: "Export the sums of the cost report, in whole units of their currency",
    query: parseQuery,
    answer: "text/csv",
    handle(context) {
      const query = completeQuery(context.query, context.sight);
      const fileName = `costs-${query.from}-${query.to}.csv`;
      const lines = writeCosts(context.database, query);
      return exportFile(context, { subject: "Costs" }, fileName, lines);
    },
  }),
  route("GET /api/costs/statement", "limited", {
    summary: "List the domains of a view as a statement for their owner",
    query: parseStatementQuery,
    answer: parseStatement,
    handle: (context) => context.database.readMany(readStatement, viewOf(context)),
  }),
  route("GET /api/costs/statement.csv", "limited", {
    summary: "Export a statement, with its sums by month",
    query: parseStatementFile,
    answer: "text/csv",
    handle(context) {
      const view = viewOf(context);
      const lines = writeStatement(context.database, view);
      return exportFile(context, { subject: "Statement" }, `statement-${view.today}.csv`, lines);
    },
  }),
];

async function* writeCosts(database: Database, query: CostQuery): AsyncGenerator<string> {
  const { what, by, group } = query;
  const report = await database.readMany(readCosts, { ...query, maxGroups: Infinity });
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

/**
 * Fills in what was not asked for. Without `from` and `to`, coming renewals are those of 12 months, and
 * everything else that of the 12 months up to now.
 *
 * @throws {RequestError} 400, or 403 for purchases, whose prices a limited viewer does not see.
 */
function completeQuery(
  { today = utcToday(), ...given }: ReturnType<typeof parseQuery>,
  sight: Sight,
): CostQuery {
  const { what = "renewals", by = "month", group = "none" } = given;
  if (what === "purchases") refuseHidden(["purchasePrice"], sight);
  const month = today.slice(0, 7);
  const isAhead = what === "renewals";
  const {
    from = isAhead ? month : monthAfter(month, -11),
    to = isAhead ? monthAfter(month, 11) : month,
  } = given;
  const last = monthAfter(from, MAX_COST_MONTHS[by] - 1);
  if (to < from || to > last) {
    const detail = `Choose a month from ${from} to ${last}.`;
    throw badFields([{ pointer: "/to", code: "range", detail }]);
  }
  return { what, by, group, from, to, today, sight };
}
