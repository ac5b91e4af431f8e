import { recordRequest } from "../audit/audit.ts";
import type { SQL } from "bun";
import {
  DEFAULT_SETTINGS,
  MAX_RATES,
  parseSettings,
  parseSettingsChange,
  type Settings,
  type SettingsChange,
} from "../../shared/settings.ts";
import { NO_PARAMETERS } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import { route, type Route } from "../http/route.ts";
import { readSetting, saveSetting } from "../database/setting-store.ts";

const NAME = "register";

export const settingsRoutes: readonly Route[] = [
  route("GET /api/settings", {
    summary: "Read the settings of the register",
    role: "viewer",
    query: NO_PARAMETERS,
    answer: parseSettings,
    handle: ({ database }) => database.read(readSettings),
  }),
  // 400 for rates that no currency, or the same one, can have.
  route("PATCH /api/settings", {
    summary: "Change settings and exchange rates; null removes a rate",
    role: "owner",
    body: parseSettingsChange,
    answer: parseSettings,
    handle: (context) =>
      context.database.write(async (sql) => {
        await recordRequest(sql, context, "settings-changed");
        return changeSettings(sql, context.body);
      }),
  }),
];

/** What the owner has set for the whole register, or what holds until then. */
export async function readSettings(sql: SQL): Promise<Settings> {
  return (await readSetting(sql, NAME, parseSettings)) ?? DEFAULT_SETTINGS;
}

async function changeSettings(sql: SQL, change: SettingsChange): Promise<Settings> {
  const before = await readSettings(sql);
  const { leadDays = before.leadDays, currency = before.currency } = change;
  const rates = { ...(currency === before.currency && before.rates), ...change.rates };
  const known = Object.entries(rates).flatMap(([code, rate]) => {
    return rate === null ? [] : [[code, rate] as const];
  });
  const after = { leadDays, currency, rates: Object.fromEntries(known) };
  checkRates(after);
  await saveSetting(sql, NAME, after);
  return after;
}

function checkRates({ currency, rates }: Settings): void {
  const codes = Object.keys(rates);
  if (codes.length > MAX_RATES) {
    const detail = `Expected at most ${MAX_RATES} rates, but these are ${codes.length}.`;
    throw badFields([{ pointer: "/rates", code: "length", detail }]);
  }
  if (currency === null && codes.length > 0) {
    const detail = "Choose the currency that the rates convert to.";
    throw badFields([{ pointer: "/currency", code: "required", detail }]);
  }
  if (currency !== null && codes.includes(currency)) {
    const detail = `One ${currency} is always one ${currency}: remove this rate.`;
    throw badFields([{ pointer: `/rates/${currency}`, code: "value", detail }]);
  }
}
