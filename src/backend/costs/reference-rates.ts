import type { Database } from "../database/database.ts";
import { DAY_MS, isDay } from "../../shared/day.ts";
import { isCurrencyCode } from "../../shared/money.ts";
import { MAX_RATES } from "../../shared/settings.ts";
import { readReference, saveReference, type Reference } from "../domains/settings.ts";
import type { Outbound } from "../outbound/outbound.ts";

/** Published on each day that banks work, at about 16:00 in Frankfurt. */
const SOURCE = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml";

/** Some 30 currencies take 2 KB. */
const REQUEST = { timeoutMs: 10_000, maxBytes: 65_536 };

const RETRY_MS = 60 * 60_000;

/** Units of a currency for a euro: of any two, one converts to the other by a rate that settings may have. */
const PER_EURO = { min: 0.001, max: 1e6 };

interface Asking {
  outbound: Outbound;
  now: Date;
  signal: AbortSignal;
  source?: string | undefined;
}

/** Asks the European Central Bank if that is due. Without a good answer the last rates stay. */
export async function askReference(database: Database, asking: Asking): Promise<void> {
  const { outbound, now, signal, source = SOURCE } = asking;
  const { on, nextAt } = await database.read(readReference);
  const waitMs = Date.parse(nextAt) - now.getTime();
  // A later instant comes from a clock that was ahead.
  if (!on || (waitMs > 0 && waitMs <= DAY_MS)) return;
  const request = outbound.request(new URL(source), { ...REQUEST, signal });
  const answer = await request.catch(() => null);
  const rates = answer?.status === 200 ? parseReferenceRates(answer.body) : null;
  const next = new Date(now.getTime() + (rates === null ? RETRY_MS : DAY_MS)).toISOString();
  await database.write((sql) => saveReference(sql, { ...rates, nextAt: next }));
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
