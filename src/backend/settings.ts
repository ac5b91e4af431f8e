import type { SQL } from "bun";
import { exactObject } from "../shared/parse.ts";
import {
  DEFAULT_SETTINGS,
  parseSettings,
  parseSettingsChange,
  type Settings,
} from "../shared/settings.ts";
import { parseParameters, readJson } from "./http/read-input.ts";
import { badFields } from "./http/request-error.ts";
import { json } from "./http/responses.ts";
import type { RequestContext, Route } from "./http/router.ts";
import { readSetting, saveSetting } from "./setting-store.ts";

/** The setting that holds them. */
const NAME = "register";

export const settingsRoute: Route = {
  path: "/api/settings",
  methods: { GET: showSettings, PATCH: changeSettings },
};

/** What the owner has set for the whole register, or what holds until then. */
export async function readSettings(sql: SQL): Promise<Settings> {
  return (await readSetting(sql, NAME, parseSettings)) ?? DEFAULT_SETTINGS;
}

async function showSettings({ database, url }: RequestContext): Promise<Response> {
  parseParameters(url.searchParams, exactObject({}));
  return json(await database.read(readSettings));
}

/** `PATCH /api/settings`: 400 for rates that no currency, or the same one, can have. */
async function changeSettings(context: RequestContext): Promise<Response> {
  const change = await readJson(context, parseSettingsChange);
  return json(
    await context.database.write(async (sql) => {
      const before = await readSettings(sql);
      const after = { ...before, ...change };
      if (after.currency !== before.currency && change.rates === undefined) after.rates = {};
      checkRates(after);
      await saveSetting(sql, NAME, after);
      return after;
    }),
  );
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
