import type { SQL } from "bun";
import { firstOfMonth, type Day } from "../../shared/day.ts";
import {
  attentionFilter,
  type Facet,
  type Facets,
  type MonthCost,
  type Summary,
} from "../../shared/register.ts";
import { DEFAULT_SORT } from "../../shared/view.ts";
import { yieldToEventLoop, type Database } from "../database/database.ts";
import { listLatestChanges } from "./history.ts";
import { listDomains } from "./list-domains.ts";

const MONTHS = 12;
const ITEMS = 10;

/** What home shows: what needs a decision as of `today`, what is unknown, what the months cost. */
export async function summarise(sql: SQL, today: Day): Promise<Summary> {
  const { total, items } = await listDomains(sql, {
    filter: attentionFilter(today),
    sort: DEFAULT_SORT,
    limit: ITEMS,
    after: null,
  });
  return {
    today,
    ...(await countAll(sql)),
    attention: { total, items },
    ...(await sumCosts(sql, today)),
    changes: await listLatestChanges(sql, ITEMS),
  };
}

async function countAll(sql: SQL): Promise<Pick<Summary, "total" | "unknown" | "conflicts">> {
  const [counts] = await sql<Pick<Summary, "total" | "unknown" | "conflicts">[]>`
    select cast(count(*) as integer) as total,
      cast(count(*) - count(expires_on) as integer) as unknown,
      cast(coalesce(sum(expires_conflict), 0) as integer) as conflicts
    from domains`;
  return counts ?? { total: 0, unknown: 0, conflicts: 0 };
}

/** Renewals by month and currency, of domains that are not to be dropped. */
async function sumCosts(sql: SQL, today: Day): Promise<Pick<Summary, "costs" | "unpriced">> {
  // Doubles add up on both databases where integers would overflow; whole cents are exact to 2^53.
  const rows = await sql<(MonthCost & { priced: number })[]>`
    select substr(expires_on, 1, 7) as month, renewal_currency as currency,
      case when renewal_minor is null then 0 else 1 end as priced,
      coalesce(sum(cast(renewal_minor as double precision)), 0) as minor,
      cast(count(*) as integer) as names
    from domains
    where expires_on >= ${firstOfMonth(today)} and expires_on < ${firstOfMonth(today, MONTHS)}
      and coalesce(decision, '') <> 'drop'
    group by 1, 2, 3 order by 1, renewal_currency is null, 2`;
  const costs = rows
    .filter(({ priced }) => priced === 1)
    .map(({ month, currency, minor, names }) => ({ month, currency, minor, names }));
  const unpriced = rows.filter(({ priced }) => priced === 0);
  return { costs, unpriced: unpriced.reduce((sum, { names }) => sum + names, 0) };
}

/** Values of one kind that the filter menu offers; others are typed. */
const MAX_FACETS = 500;

/** Every value that can be filtered by, most used first. One short read for each kind. */
export async function listFacets(database: Database): Promise<Facets> {
  const read = async (query: (sql: SQL) => Promise<Facet[]>) => {
    const facets = [...(await database.read(query))];
    await yieldToEventLoop();
    return facets;
  };
  return {
    registrars: await read(registrars),
    accounts: await read((sql) => spellings(sql, "account", "account_key")),
    owners: await read((sql) => spellings(sql, "owner", "owner_key")),
    tags: await read(tags),
    tlds: await read(tlds),
  };
}

function registrars(sql: SQL): Promise<Facet[]> {
  return sql<Facet[]>`
    select r.label as value, used.names from registrars r join (
      select registrar_key as label_key, cast(count(*) as integer) as names from domains
      where registrar_key is not null group by registrar_key
    ) used on used.label_key = r.label_key
    order by used.names desc, r.label_key limit ${MAX_FACETS}`;
}

function tags(sql: SQL): Promise<Facet[]> {
  return sql<Facet[]>`
    select t.label as value, used.names from tags t join (
      select tag_key as label_key, cast(count(*) as integer) as names from domain_tags
      group by tag_key
    ) used on used.label_key = t.label_key
    order by used.names desc, t.label_key limit ${MAX_FACETS}`;
}

/** Each domain has its own spelling of these: the one of the first domain stands for all. */
function spellings(sql: SQL, spelling: string, key: string): Promise<Facet[]> {
  return sql<Facet[]>`
    select d.${sql(spelling)} as value, used.names from domains d join (
      select min(name) as name, ${sql(key)} as label_key, cast(count(*) as integer) as names
      from domains where ${sql(key)} is not null group by ${sql(key)}
    ) used on used.name = d.name
    order by used.names desc, used.label_key limit ${MAX_FACETS}`;
}

function tlds(sql: SQL): Promise<Facet[]> {
  return sql<Facet[]>`
    select tld as value, cast(count(*) as integer) as names from domains
    group by tld order by 2 desc, 1 limit ${MAX_FACETS}`;
}
