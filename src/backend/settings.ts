import type { SQL } from "bun";
import type { Parsed } from "../shared/parse.ts";
import {
  DEFAULT_SETTINGS,
  parseSettings,
  parseSettingsChange,
  type Settings,
} from "../shared/settings.ts";
import { NO_PARAMETERS } from "./http/read-input.ts";
import { badFields } from "./http/request-error.ts";
import { route, type Route } from "./http/route.ts";
import { readSetting, saveSetting } from "./setting-store.ts";

/** The setting that holds them. */
const NAME = "register";

export const settingsRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/settings",
    role: "owner",
    query: NO_PARAMETERS,
    answer: parseSettings,
    handle: ({ database }) => database.read(readSettings),
  }),
  // 400 for rates that no currency, or the same one, can have.
  route({
    method: "PATCH",
    path: "/api/settings",
    role: "owner",
    body: parseSettingsChange,
    answer: parseSettings,
    handle: ({ database, body }) => database.write((sql) => changeSettings(sql, body)),
  }),
];

/** What the owner has set for the whole register, or what holds until then. */
export async function readSettings(sql: SQL): Promise<Settings> {
  return (await readSetting(sql, NAME, parseSettings)) ?? DEFAULT_SETTINGS;
}

async function changeSettings(
  sql: SQL,
  change: Parsed<typeof parseSettingsChange>,
): Promise<Settings> {
  const before = await readSettings(sql);
  const after = { ...before, ...change };
  if (after.currency !== before.currency && change.rates === undefined) after.rates = {};
  checkRates(after);
  await saveSetting(sql, NAME, after);
  return after;
}

function checkRates({ currency, rates }: Settings): void {
  const codes = Object.keys(rates);
  if (currency === null && codes.length > 0) {
    const detail = "Choose the currency that the rates convert to.";
    throw badFields([{ pointer: "/currency", code: "required", detail }]);
  }
  if (currency !== null && codes.includes(currency)) {
    const detail = `One ${currency} is always one ${currency}: remove this rate.`;
    throw badFields([{ pointer: `/rates/${currency}`, code: "value", detail }]);
  }
}
