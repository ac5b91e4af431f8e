import { chunks } from "../database/bulk-rows.ts";
import { hasRows, type Job } from "../database/database.ts";
import { yieldIfBusy } from "../database/event-loop.ts";
import { MAX_CHEAPER, type Cheaper } from "../../shared/costs.ts";
import type { Day } from "../../shared/day.ts";
import { unitsOf } from "../../shared/money.ts";
import type { ListPrice } from "../../shared/registrars.ts";
import { addUp, type Rates } from "../../shared/total.ts";
import { isCurrent, unsoldCondition } from "../domains/list/filter-condition.ts";
import { EVERYTHING } from "../http/route.ts";
import { pricedBy, suffixOf } from "../domains/list/list-price.ts";
import { readSettings } from "../domains/settings.ts";

/** Domains of a registrar that end and cost alike. */
interface Priced extends Omit<ListPrice, "years"> {
  registrar: string;
  /** What follows their names: `co.uk`. */
  suffix: string;
  years: number | null;
  names: number;
}

type Listed = ListPrice & { registrar: string };

/** Suffixes whose prices are read at once: each has one of every registrar. */
const LISTED_AT_ONCE = 50;

/** What would cost less each year at another registrar in use, the largest saving first. */
export const readCheaper: Job<{ today: Day }, { items: Cheaper[] }> = {
  name: "compare prices",
  async run(sql, { today }) {
    if (!(await hasRows(sql`select 1 from registrar_prices limit 1`))) return { items: [] };
    const { join, minor, currency, years } = pricedBy(sql);
    const priced = await sql<Priced[]>`
      select registrars.label as registrar, domains.tld as tld, ${suffixOf(sql)} as suffix,
        cast(${minor} as double precision) as minor, ${currency} as currency, ${years} as years,
        cast(count(*) as integer) as names
      from domains join registrars on registrars.label_key = domains.registrar_key ${join}
      where ${unsoldCondition(sql)} and ${isCurrent(sql, EVERYTHING)} and coalesce(decision, '') <> 'drop'
        and expires_earliest >= ${today} and ${minor} is not null and ${currency} is not null
      group by 1, 2, 3, 4, 5, 6`;
    const lists: Listed[] = [];
    const ends = new Set(priced.flatMap(({ suffix, tld }) => [suffix, tld]));
    // Of all lists of all registrars at once, the rows alone would keep the thread.
    for (const batch of chunks([...ends], LISTED_AT_ONCE)) {
      lists.push(
        ...(await sql<Listed[]>`
          select label as registrar, tld, cast(minor as double precision) as minor, currency, years
          from registrar_prices join registrars on label_key = registrar_key
          where tld in ${sql(batch)} and exists (
            select 1 from domains where registrar_key = label_key and ${isCurrent(sql, EVERYTHING)})`),
      );
    }
    const items = await findCheaper(priced, lists, await readSettings(sql));
    return { items: items.slice(0, MAX_CHEAPER) };
  },
};

/** Compares prices of one currency, or of two where the register's rates convert both. */
export async function findCheaper(
  priced: readonly Priced[],
  lists: readonly Listed[],
  settings: Rates,
): Promise<Cheaper[]> {
  const byTld = new Map<string, Offer[]>();
  for (const { tld, registrar: at, minor, years, currency } of lists) {
    const offer = { at, price: { minor: minor / years, currency } };
    byTld.getOrInsertComputed(tld, () => []).push(offer);
    await yieldIfBusy();
  }
  const offers = new Map<string, Offer[][]>();
  const found = new Map<string, Cheaper>();
  for (const { registrar, suffix, tld, minor, currency, years, names } of priced) {
    await yieldIfBusy();
    const now = { minor: (minor * names) / (years ?? 1), currency };
    const listed = byTld.has(suffix) ? suffix : tld;
    const ofCurrencies = offers.getOrInsertComputed(listed, () =>
      offersOf(byTld.get(suffix) ?? [], byTld.get(tld) ?? []),
    );
    let best: Pick<Cheaper, "at" | "price" | "saving"> | undefined;
    for (const ofCurrency of ofCurrencies) {
      const offer = ofCurrency.find(({ at }) => at !== registrar);
      if (offer === undefined) continue;
      const saving = subtract(now, { ...offer.price, minor: offer.price.minor * names }, settings);
      if (saving !== null && saving.minor > (best?.saving.minor ?? 0)) best = { ...offer, saving };
    }
    if (best === undefined) continue;
    const { at, price, saving } = best;
    const from = unitsOf({ minor: minor / (years ?? 1), currency });
    const none = { names: 0, now: { minor: 0, currency }, saving: { ...saving, minor: 0 } };
    const key = JSON.stringify([registrar, suffix, currency]);
    const row = found.getOrInsert(key, { registrar, tld, suffix, from, at, price, ...none });
    row.names += names;
    row.from = Math.min(row.from, from);
    row.now.minor += now.minor;
    row.saving.minor += saving.minor;
  }
  return [...found.values()].toSorted((one, other) => unitsOf(other.saving) - unitsOf(one.saving));
}

type Amount = Cheaper["saving"];
type Offer = Pick<Cheaper, "at" | "price">;

/** A price for each registrar, of the suffix rather than the TLD, by currency and the lowest first. */
function offersOf(ofSuffix: readonly Offer[], ofTld: readonly Offer[]): Offer[][] {
  const own = new Set(ofSuffix.map(({ at }) => at));
  const offers = [...ofSuffix, ...ofTld.filter(({ at }) => !own.has(at))];
  offers.sort((one, other) => one.price.minor - other.price.minor);
  return [...Map.groupBy(offers, ({ price }) => price.currency).values()];
}

/** Null where nothing tells how the two compare. */
function subtract(from: Amount, amount: Amount, settings: Rates) {
  const total = addUp([from, { ...amount, minor: -amount.minor }], settings);
  if (total?.missing.length === 0) return { minor: total.minor, currency: total.currency };
  if (from.currency !== amount.currency) return null;
  return { minor: from.minor - amount.minor, currency: from.currency };
}
