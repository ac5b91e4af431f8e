import {
  COST_GROUPS,
  COST_KINDS,
  MAX_COST_GROUPS,
  MAX_COST_MONTHS,
  parseCheaperReport,
  parseCostReport,
  type CostRow,
} from "../../shared/costs.ts";
import { isDay, parseDay, utcToday } from "../../shared/day.ts";
import { described, expected, keyOf, optional, refuse } from "../../shared/parse.ts";
import { recordRequest } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import { toLine } from "../domains/list/csv-export.ts";
import { formatAmount } from "../domains/field-kinds.ts";
import { queryOf } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import { csvFile } from "../http/responses.ts";
import { route, type Route } from "../http/route.ts";
import { parseReferenceChoice, parseSettings } from "../../shared/settings.ts";
import { readSettings, saveReference } from "../domains/settings.ts";
import type { Loop } from "../jobs/loop.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { askReference } from "./reference-rates.ts";
import { readCheaper } from "./cheaper.ts";
import { monthAfter, readCosts, type CostQuery } from "./costs.ts";

/** A month as `2027-05`, in a year that a day may be in. */
const parseMonth = described(
  (value) => {
    if (typeof value === "string" && isDay(`${value}-01`)) return value;
    return refuse("month", expected("a month as YYYY-MM", value));
  },
  () => ({ type: "string", pattern: "^\\d{4}-\\d{2}$" }),
);

const parseToday = queryOf({ today: optional(parseDay) });

const parseQuery = queryOf({
  what: optional(keyOf(COST_KINDS)),
  by: optional(keyOf(MAX_COST_MONTHS)),
  group: optional(keyOf(COST_GROUPS)),
  from: optional(parseMonth),
  to: optional(parseMonth),
  today: optional(parseDay),
});

/** Where reference rates come from: for tests that have a bank of their own. */
export interface CostsOptions {
  source?: string;
}

interface Given {
  loop: Loop;
  outbound: Outbound;
  clock: (() => Date) | undefined;
}

export function createCosts(
  database: Database,
  { source }: CostsOptions,
  { loop, outbound, clock = () => new Date() }: Given,
) {
  const ask = (signal: AbortSignal) =>
    askReference(database, { outbound, now: clock(), signal, source });
  loop.add({
    name: "Asking for exchange rates",
    pauseMs: 60_000,
    async round(signal) {
      await ask(signal);
      return false;
    },
  });
  const choose = route("PUT /api/settings/reference", "owner", {
    summary: "Turn the daily rates of the European Central Bank on or off",
    body: parseReferenceChoice,
    answer: parseSettings,
    async handle(context) {
      const { body, request } = context;
      const { on } = body;
      await context.database.write(async (sql) => {
        const detail = `exchange rates of the European Central Bank: ${on ? "on" : "off"}`;
        await recordRequest(sql, context, "settings-changed", { detail });
        await saveReference(sql, { on, nextAt: "" });
      });
      await ask(request.signal);
      return context.database.read(readSettings);
    },
  });
  return { routes: [...costRoutes, choose] };
}

const costRoutes: readonly Route[] = [
  route("GET /api/costs", "viewer", {
    summary: "Report costs by month or year",
    query: parseQuery,
    answer: parseCostReport,
    handle: ({ database, query }) =>
      database.readMany(readCosts, { ...completeQuery(query), maxGroups: MAX_COST_GROUPS }),
  }),
  route("GET /api/costs/cheaper", "viewer", {
    summary: "List what other registrars’ price lists would renew for less",
    query: parseToday,
    answer: parseCheaperReport,
    handle: ({ database, query: { today = utcToday() } }) =>
      database.readMany(readCheaper, { today }),
  }),
  route("GET /api/costs.csv", "viewer", {
    summary: "Export the sums of the cost report, in whole units of their currency",
    query: parseQuery,
    answer: "text/csv",
    async handle(context) {
      const { database, query } = context;
      const complete = completeQuery(query);
      const about = { subject: "Costs" };
      await database.write((sql) => recordRequest(sql, context, "exported", about));
      const fileName = `costs-${complete.from}-${complete.to}.csv`;
      return csvFile(fileName, writeCosts(database, complete));
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
 * @throws {RequestError} 400
 */
function completeQuery({ today = utcToday(), ...given }: ReturnType<typeof parseQuery>): CostQuery {
  const { what = "renewals", by = "month", group = "none" } = given;
  const month = today.slice(0, 7);
  const isAhead = what === "renewals";
  const {
    from = isAhead ? month : monthAfter(month, -11),
    to = isAhead ? monthAfter(month, 11) : month,
  } = given;
  if (to < from || to > monthAfter(from, MAX_COST_MONTHS[by] - 1)) {
    const detail = `Choose a month from ${from} on, at most ${MAX_COST_MONTHS[by] / 12} years later.`;
    throw badFields([{ pointer: "/to", code: "range", detail }]);
  }
  return { what, by, group, from, to, today };
}
