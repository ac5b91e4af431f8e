import { recordRequest } from "../audit/audit.ts";
import type { SQL } from "bun";
import {
  DEFAULT_SETTINGS,
  MAX_RATES,
  parseSettings,
  parseSettingsChange,
  parseTypedSettings,
  type Settings,
  type SettingsChange,
} from "../../shared/settings.ts";
import * as p from "../../shared/parse.ts";
import { NO_PARAMETERS } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import { route, type Route } from "../http/route.ts";
import { readSetting, saveSetting } from "../database/setting-store.ts";

const NAME = "register";

export const settingsRoutes: readonly Route[] = [
  route("GET /api/settings", "limited", {
    summary: "Read the settings of the register",
    query: NO_PARAMETERS,
    answer: parseSettings,
    handle: ({ database }) => database.read(readSettings),
  }),
  // 400 for rates that no currency, or the same one, can have.
  route("PATCH /api/settings", "owner", {
    summary: "Change settings and exchange rates; null removes a rate",
    body: parseSettingsChange,
    answer: parseSettings,
    handle: (context) =>
      context.database.write(async (sql) => {
        await recordRequest(sql, context, "settings-changed");
        return changeSettings(sql, context.body);
      }),
  }),
];

export async function readSettings(sql: SQL): Promise<Settings> {
  const typed = (await readSetting(sql, NAME, parseTypedSettings)) ?? DEFAULT_SETTINGS;
  const { on, day, perEuro } = await readReference(sql);
  const main = perEuro[typed.currency ?? ""];
  const others = Object.entries(perEuro).filter(([code]) => code !== typed.currency);
  const rates = main === undefined || !on ? [] : others.map(([code, per]) => [code, main / per]);
  return { ...typed, reference: { on, day, rates: Object.fromEntries(rates) } };
}

const REFERENCE = "reference-rates";

/** `rates` are units of each currency for one euro. `nextAt` is an instant. */
export type Reference = p.Parsed<typeof parseReference>;

const parseReference = p.object({
  on: p.boolean,
  nextAt: p.text,
  day: p.nullable(p.text),
  perEuro: p.record(p.number),
});

export async function readReference(sql: SQL): Promise<Reference> {
  const stored = await readSetting(sql, REFERENCE, parseReference);
  return stored ?? { on: false, nextAt: "", day: null, perEuro: {} };
}

export async function saveReference(sql: SQL, change: Partial<Reference>): Promise<void> {
  await saveSetting(sql, REFERENCE, { ...(await readReference(sql)), ...change });
}

async function changeSettings(sql: SQL, change: SettingsChange): Promise<Settings> {
  const before = await readSettings(sql);
  const { leadDays = before.leadDays, currency = before.currency } = change;
  const rates = { ...(currency === before.currency && before.rates), ...change.rates };
  const known = Object.entries(rates).filter((pair): pair is [string, number] => pair[1] !== null);
  const after = { leadDays, currency, rates: Object.fromEntries(known) };
  checkRates(after);
  await saveSetting(sql, NAME, after);
  return readSettings(sql);
}

function checkRates({ currency, rates }: Pick<Settings, "currency" | "rates">): void {
  const codes = Object.keys(rates);
  if (codes.length > MAX_RATES) {
    const detail = `Expected at most ${MAX_RATES} rates, but got ${codes.length}.`;
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
