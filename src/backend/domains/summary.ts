import type { SQL } from "bun";
import type { Day } from "../../shared/contract.ts";
import type { MonthCost, Summary } from "../../shared/register-contract.ts";
import { NO_FILTER } from "./domain-filter.ts";
import { parseSort } from "./domain-sort.ts";
import { listLatestChanges } from "./latest-changes.ts";
import { countDomains, listDomains } from "./list-domains.ts";

/** Days that are soon, today's included. */
const SOON = 61;

const MONTHS = 12;
const ITEMS = 10;

/** What home shows: what needs a decision as of `today`, what is unknown, what the months cost. */
export async function summarise(sql: SQL, today: Day): Promise<Summary> {
  const attention = await listDomains(sql, {
    filter: {
      ...NO_FILTER,
      expiresBefore: addDays(today, SOON),
      autoRenew: "not-on",
      decision: "not-drop",
    },
    sort: parseSort("expires,name") ?? [],
    limit: ITEMS,
    after: null,
  });
  const { costs, unpriced } = await sumCosts(sql, today);
  return {
    today,
    total: await countDomains(sql, NO_FILTER),
    attention: { total: attention.total, items: attention.items },
    unknown: await countDomains(sql, { ...NO_FILTER, expiry: "unknown" }),
    conflicts: await countDomains(sql, { ...NO_FILTER, expiry: "conflict" }),
    costs,
    unpriced,
    changes: await listLatestChanges(sql, ITEMS),
  };
}

/** Renewals by month and currency, of names that are not to be dropped. */
async function sumCosts(sql: SQL, today: Day): Promise<Pick<Summary, "costs" | "unpriced">> {
  // Doubles add up on both databases where integers would overflow; whole cents are exact to 2^53.
  const rows = await sql<(MonthCost & { priced: number })[]>`
    select substr(expires_on, 1, 7) as month, renewal_currency as currency,
      case when renewal_minor is null then 0 else 1 end as priced,
      coalesce(sum(cast(renewal_minor as double precision)), 0) as minor,
      cast(count(*) as integer) as names
    from domains
    where expires_on >= ${firstOfMonth(today, 0)} and expires_on < ${firstOfMonth(today, MONTHS)}
      and coalesce(decision, '') <> 'drop'
    group by 1, 2, 3 order by 1, renewal_currency is null, 2`;
  const costs = rows
    .filter(({ priced }) => priced === 1)
    .map(({ month, currency, minor, names }) => ({ month, currency, minor, names }));
  const unpriced = rows.filter(({ priced }) => priced === 0);
  return { costs, unpriced: unpriced.reduce((sum, { names }) => sum + names, 0) };
}

function addDays(day: Day, days: number): Day {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

function firstOfMonth(day: Day, months: number): Day {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}
