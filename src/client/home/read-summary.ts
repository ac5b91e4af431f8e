import type { MonthCost } from "../../shared/register-contract.ts";
import { callApi } from "../session/call-api.ts";
import { parseList, parseRecord, textOrNull } from "../../shared/parse-json.ts";
import { dayFromToday } from "../ui/expiry-date.tsx";

/** What home shows of one name. `day` is its expiry, null where nobody knows it. */
export interface Row {
  id: string;
  name: string;
  unicode: string;
  registrar: string | null;
  autoRenew: unknown;
  day: string | null;
}

/** One change; `name` is as people write it. */
export interface LateChange {
  id: string;
  at: string;
  by: string;
  action: string;
  name: string;
  fields: string[];
}

/** What home makes of `GET /api/summary`. */
export interface HomeSummary {
  total: number;
  attention: { total: number; items: Row[] };
  unknown: number;
  conflicts: number;
  costs: MonthCost[];
  unpriced: number;
  changes: LateChange[];
}

/** Reads the summary as of this device's today. @throws {HttpError} */
export function readSummary(signal: AbortSignal): Promise<HomeSummary> {
  return callApi("/api/summary", { query: { today: dayFromToday(0) }, signal, parse });
}

/** Reads a name out of a domain. @throws {TypeError} for anything else. */
export function parseRow(json: unknown): Row {
  const { id, name, unicode, registrar, autoRenew, expires } = parseRecord(json);
  return {
    id: String(id),
    name: String(name),
    unicode: String(unicode),
    registrar: textOrNull(registrar),
    autoRenew,
    day: expires ? textOrNull(parseRecord(expires).date) : null,
  };
}

function parse(body: unknown): HomeSummary {
  const summary = parseRecord(body);
  const attention = parseRecord(summary.attention);
  return {
    total: Number(summary.total),
    attention: { total: Number(attention.total), items: parseList(attention.items, parseRow) },
    unknown: Number(summary.unknown),
    conflicts: Number(summary.conflicts),
    costs: parseList(summary.costs, (cost) => {
      const { month, currency, minor, names } = parseRecord(cost);
      return {
        month: String(month),
        currency: textOrNull(currency),
        minor: Number(minor),
        names: Number(names),
      };
    }),
    unpriced: Number(summary.unpriced),
    changes: parseList(summary.changes, (change) => {
      const { id, at, by, action, name, fields } = parseRecord(change);
      return {
        id: String(id),
        at: String(at),
        by: String(by),
        action: String(action),
        name: String(name),
        fields: parseList(fields, (each) => String(parseRecord(each).field)),
      };
    }),
  };
}
