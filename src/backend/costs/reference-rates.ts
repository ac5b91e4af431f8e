import { DAY_MS, HOUR_MS, isDay } from "../../shared/day.ts";
import { isCurrencyCode } from "../../shared/money.ts";
import { MAX_RATES, parseReferenceChoice, parseSettings } from "../../shared/settings.ts";
import { recordRequest } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import { readReference, readSettings, saveReference, type Reference } from "../domains/settings.ts";
import { route } from "../http/route.ts";
import type { Loop } from "../jobs/loop.ts";
import type { Outbound } from "../outbound/outbound.ts";

/** Published on each day that banks work, at about 16:00 in Frankfurt. */
const SOURCE = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml";

/** Some 30 currencies take 2 KB. */
const REQUEST = { timeoutMs: 10_000, maxBytes: 65_536 };

/** Units of a currency for a euro: of any two, one converts to the other by a rate that settings may have. */
const PER_EURO = { min: 0.001, max: 1e6 };

/** Asks the European Central Bank for its rates each day, and returns the route that turns this on or off. */
export function createReferenceRates(
  database: Database,
  given: { loop: Loop; outbound: Outbound; clock: (() => Date) | undefined },
  source = SOURCE,
) {
  const { loop, outbound, clock = () => new Date() } = given;

  /** Asks the European Central Bank if that is due. Without a good answer the last rates stay. */
  async function ask(signal: AbortSignal): Promise<void> {
    const now = clock();
    const { on, nextAt } = await database.read(readReference);
    const waitMs = Date.parse(nextAt) - now.getTime();
    // A later instant comes from a clock that was ahead.
    if (!on || (waitMs > 0 && waitMs <= DAY_MS)) return;
    const request = outbound.request(new URL(source), { ...REQUEST, signal });
    const answer = await request.catch(() => null);
    // A page that was closed, or a stop, is no answer of the bank's: the next round asks.
    if (answer === null && signal.aborted) return;
    const rates = answer?.status === 200 ? parseReferenceRates(answer.body) : null;
    const next = new Date(now.getTime() + (rates === null ? HOUR_MS : DAY_MS)).toISOString();
    await database.write((sql) => saveReference(sql, { ...rates, nextAt: next }));
  }
  loop.add({
    name: "Asking for exchange rates",
    pauseMs: 60_000,
    async round(signal) {
      await ask(signal);
      return false;
    },
  });
  return route("PUT /api/settings/reference", "owner", {
    summary: "Turn the daily rates of the European Central Bank on or off",
    body: parseReferenceChoice,
    answer: parseSettings,
    async handle(context) {
      const { on } = context.body;
      await context.database.write(async (sql) => {
        const detail = `exchange rates of the European Central Bank: ${on ? "on" : "off"}`;
        await recordRequest(sql, context, "settings-changed", { detail });
        await saveReference(sql, { on, nextAt: "" });
      });
      await ask(context.request.signal);
      return context.database.read(readSettings);
    },
  });
}

/** Null for what has no day, no rate, or a rate that none can be. */
export function parseReferenceRates(xml: string): Pick<Reference, "day" | "perEuro"> | null {
  const day = /<Cube time=["']([\d-]{10})["']/.exec(xml)?.[1] ?? "";
  const found = xml.matchAll(/<Cube currency=["'](\w{3})["'] rate=["']([^"']*)["']/g);
  const rates = [...found].map(([, code = "", rate]) => [code, Number(rate)] as const);
  const isGood = rates.every(
    ([code, rate]) => isCurrencyCode(code) && rate >= PER_EURO.min && rate <= PER_EURO.max,
  );
  if (!isDay(day) || !isGood || rates.length === 0 || rates.length >= MAX_RATES) return null;
  return { day, perEuro: { ...Object.fromEntries(rates), EUR: 1 } };
}
