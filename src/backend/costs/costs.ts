import type { SQL } from "bun";
import { type Fragment, type Job, readColumn } from "../database/database.ts";
import type {
  CostGroup,
  CostKind,
  CostPeriod,
  CostReport,
  CostRow,
  Sale,
} from "../../shared/costs.ts";
import { firstOfMonth, type Day } from "../../shared/day.ts";
import type { Domain, Money } from "../../shared/domain.ts";
import type { Settings } from "../../shared/settings.ts";
import { addUp } from "../../shared/total.ts";
import { dueBefore } from "../domains/overview.ts";
import type { Sight } from "../http/route.ts";
import { inSight, isCurrent } from "../domains/list/filter-condition.ts";
import { pricedBy } from "../domains/list/list-price.ts";
import { readDomains } from "../domains/list/read-domains.ts";
import { readSettings } from "../domains/settings.ts";

const MAX_SALES = 200;

/** What a report is about; `from` and `to` are months, both included. */
export interface CostQuery {
  what: CostKind;
  by: CostPeriod;
  group: CostGroup;
  from: string;
  to: string;
  today: Day;
  sight: Sight;
}

/** A sum as it is read: of one month, and for renewals of one period of years. */
interface Sum extends Omit<CostRow, "period"> {
  key: string | null;
  month: string;
  years: number;
  unpriced: number;
}

/** Adds up the costs of a report; `maxGroups` are listed, those with most names. */
export const readCosts: Job<CostQuery & { maxGroups: number }, CostReport> = {
  name: "report costs",
  async run(sql, { maxGroups, ...query }) {
    const { group, from, to } = query;
    const sums = await readSums(sql, query, "none");
    const rows = group === "none" ? [] : toRows(await readSums(sql, query, group), query);
    const groups = [...Map.groupBy(rows, (row) => row.group)];
    const namesOf = ([, ofGroup]: (typeof groups)[number]) => sumOf(ofGroup, "names");
    const ranked = groups.toSorted((one, other) => namesOf(other) - namesOf(one));
    return {
      from,
      to,
      rows: ranked.slice(0, maxGroups).flatMap(([, ofGroup]) => ofGroup),
      totals: toRows(sums, query),
      left: Math.max(0, ranked.length - maxGroups),
      unpriced: sumOf(sums, "unpriced"),
      lastYear: await reportLastYear(sql, query),
      sales: await listSales(sql, query.sight),
    };
  },
};

function sumOf<K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number {
  return rows.reduce((sum, row) => sum + row[key], 0);
}

/** Sums as rows of the report's periods; a renewal recurs as long as the report goes on. */
function toRows(sums: readonly Sum[], { what, by, from, to }: CostQuery): CostRow[] {
  const rows = new Map<string, CostRow>();
  for (const { key, month: first, years, group, currency, minor, renewing, names } of sums) {
    if (names === 0) continue;
    for (let month = first; month <= to; month = monthAfter(month, 12 * years)) {
      if (month >= from) {
        const period = periodOf(month, by);
        const id = JSON.stringify([key, currency, period]);
        const none = { period, group, currency, minor: 0, renewing: 0, names: 0 };
        const row = rows.getOrInsert(id, none);
        row.minor += minor;
        row.renewing += renewing;
        row.names += names;
      }
      if (what !== "renewals") break;
    }
  }
  return [...rows.values()];
}

function periodOf(month: string, by: CostPeriod): string {
  return by === "month" ? month : month.slice(0, 4);
}

function yearAfter(period: string): string {
  return `${Number(period.slice(0, 4)) + 1}${period.slice(4)}`;
}

async function reportLastYear(sql: SQL, query: CostQuery): Promise<CostReport["lastYear"]> {
  const what = query.what === "renewals" ? "paid" : query.what;
  const [from, to] = [monthAfter(query.from, -12), monthAfter(query.to, -12)];
  const before = { ...query, what, from, to } as const;
  // A renewal is known where a day was known before it.
  const [oldest] = await readColumn<string | null>(sql`
    select min(observed_at) from observations
    where kind = 'expires' ${inSight(sql, query.sight, "domain_id")}`);
  const since = what === "paid" ? (oldest ?? "9999").slice(0, 7) : "";
  const unknown = new Set<string>();
  for (let month = from; month <= to; month = monthAfter(month, 1)) {
    const isKnown = month > since && month < query.today.slice(0, 7);
    if (!isKnown) unknown.add(yearAfter(periodOf(month, query.by)));
  }
  const sums = await readSums(sql, before, "none");
  const rows = toRows(sums, before);
  for (const row of rows) row.period = yearAfter(row.period);
  return {
    totals: rows.filter(({ period }) => !unknown.has(period)),
    unknown: [...unknown],
    unpriced: sumOf(sums, "unpriced"),
  };
}

export function monthAfter(month: string, months: number): string {
  return firstOfMonth(month, months).slice(0, 7);
}

async function readSums(sql: SQL, query: CostQuery, group: CostGroup): Promise<Sum[]> {
  const { from, where, month, years, minor, currency, renewing } = sourceOf(sql, query);
  const [key, label, join] = GROUPED[group].map((text) => sql.unsafe(text));
  // Doubles add up on both databases where integers would overflow; whole cents are exact to 2^53.
  // An owner may be spelled otherwise in another month: the report has one spelling.
  return sql<Sum[]>`
    select ${key} as key, min(min(${label})) over (partition by ${key}) as "group",
      substr(${month}, 1, 7) as month, ${years} as years,
      ${currency} as currency, coalesce(sum(cast(${minor} as double precision)), 0) as minor,
      coalesce(sum(cast(${minor} as double precision) * ${renewing}), 0) as renewing,
      cast(count(${minor}) as integer) as names,
      cast(count(*) - count(${minor}) as integer) as unpriced
    from ${from} ${join} where ${where} and ${isCurrent(sql, query.sight, "domains")}
    group by 1, 3, 4, 5 order by 3, 5, 2 nulls last`;
}

/** Where a kind of cost is read from; every source has the table `domains` in it. */
function sourceOf(sql: SQL, { what, from, to, today }: CostQuery) {
  const price = pricedBy(sql);
  const end = firstOfMonth(to, 1);
  const within = (column: Fragment) => sql`${column} >= ${`${from}-01`} and ${column} < ${end}`;
  const once = { years: sql`1`, renewing: sql`0` };
  if (what === "renewals") {
    return {
      from: sql`domains ${price.join}`,
      where: sql`${dueBefore(sql, today, end)} and coalesce(decision, '') <> 'drop'`,
      month: sql`expires_earliest`,
      minor: price.minor,
      currency: price.currency,
      years: sql`coalesce(${price.years}, 1)`,
      renewing: sql`coalesce(auto_renew, 0)`,
    };
  }
  if (what === "paid") {
    const years = sql`coalesce(${price.years}, 1)`;
    return {
      from: sql`renewals_paid paid join domains on domains.id = paid.domain_id ${price.join}`,
      where: within(sql`paid.reported_on`),
      month: sql`paid.reported_on`,
      // Whole numbers: half a cent is rounded up on both databases, as it is in a sale.
      minor: sql`(2 * ${price.minor} * paid.years + ${years}) / (2 * ${years})`,
      currency: price.currency,
      ...once,
    };
  }
  const [day, minor, currency] =
    what === "purchases"
      ? [sql`purchased_on`, sql`purchase_minor`, sql`purchase_currency`]
      : [sql`sold_on`, sql`sold_minor`, sql`sold_currency`];
  const where = sql`${within(day)} and ${minor} is not null`;
  return { from: sql`domains`, where, month: day, minor, currency, ...once };
}

/** SQL texts: what the rows of a group have in common, the label that they show, and where that is. */
const GROUPED: Readonly<Record<CostGroup, readonly [key: string, label: string, join: string]>> = {
  none: ["cast(null as text)", "cast(null as text)", ""],
  registrar: [
    "domains.registrar_key",
    "registrars.label",
    "left join registrars on registrars.label_key = domains.registrar_key",
  ],
  tag: [
    "domain_tags.tag_key",
    "tags.label",
    `left join domain_tags on domain_tags.domain_id = domains.id
      left join tags on tags.label_key = domain_tags.tag_key`,
  ],
  owner: ["owner_key", "owner", ""],
  tld: ["domains.tld", "domains.tld", ""],
};

async function listSales(sql: SQL, sight: Sight): Promise<Sale[]> {
  const ids = await readColumn(sql`
    select id from domains where sold_minor is not null and ${isCurrent(sql, sight)}
    order by sold_on desc nulls last, sort_name limit ${MAX_SALES}`);
  if (ids.length === 0) return [];
  const paid = await sql<{ id: string; years: number }[]>`
    select domain_id as id, cast(sum(years) as integer) as years
    from renewals_paid where domain_id in ${sql(ids)} group by domain_id`;
  const yearsPaid = new Map(paid.map(({ id, years }) => [id, years]));
  const settings = await readSettings(sql);
  const domains = await readDomains(sql, ids, sight);
  return domains.map((domain) => toSale(domain, yearsPaid.get(domain.id) ?? 0, settings));
}

function toSale(domain: Domain, years: number, settings: Settings): Sale {
  const { name, unicode, soldOn, soldPrice, purchasePrice } = domain;
  const sold = soldPrice ?? { minor: 0, currency: null };
  const price = domain.renewal ?? domain.listPrice;
  let renewals: Money | null = { minor: 0, currency: sold.currency };
  if (years > 0) {
    renewals = price && {
      minor: Math.round((price.minor * years) / (price.years ?? 1)),
      currency: price.currency,
    };
  }
  const profit = profitOf(sold, [purchasePrice, renewals], settings);
  return { name, unicode, soldOn, sold, purchase: purchasePrice, renewals, profit };
}

/** What is left of a sale, in its own currency or else by the owner's rates; null where unknown. */
function profitOf(sold: Money, spent: readonly (Money | null)[], settings: Settings): Money | null {
  const amounts = [sold];
  for (const cost of spent) {
    if (cost === null) return null;
    amounts.push({ minor: -cost.minor, currency: cost.currency });
  }
  for (const terms of [{ currency: sold.currency, rates: {} }, settings]) {
    const total = addUp(amounts, terms);
    if (total?.missing.length === 0) return { minor: total.minor, currency: total.currency };
  }
  return null;
}
