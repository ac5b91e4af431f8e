import type { SQL } from "bun";
import type { Facet, Facets } from "../../shared/register.ts";
import type { Database } from "../database/database.ts";
import { yieldToEventLoop } from "../event-loop.ts";

/** Values of one kind that the filter menu offers; others are typed. */
const MAX_FACETS = 500;

/** Every value that can be filtered by, most used first: one snapshot, which keeps nobody waiting. */
export function listFacets(database: Database): Promise<Facets> {
  return database.snapshot(async (sql) => {
    const read = async (query: Promise<Facet[]>) => {
      const facets = [...(await query)];
      await yieldToEventLoop();
      return facets;
    };
    const flags = await read(values(sql, "auto_renew"));
    return {
      registrars: await read(labels(sql, "registrars", "domains", "registrar_key")),
      accounts: await read(spellings(sql, "account", "account_key")),
      owners: await read(spellings(sql, "owner", "owner_key")),
      tags: await read(labels(sql, "tags", "domain_tags", "tag_key")),
      tlds: await read(values(sql, "tld")),
      decisions: await read(values(sql, "decision")),
      autoRenew: flags.map(({ value, names }) => ({ value: FLAG_WORDS[value] ?? value, names })),
      currencies: await read(values(sql, "renewal_currency", sql`renewal_minor is not null`)),
    };
  });
}

/** The registrars or tags that rows of `used` refer to by `key`. */
function labels(sql: SQL, table: string, used: string, key: string): Promise<Facet[]> {
  return sql<Facet[]>`
    select l.label as value, used.names from ${sql(table)} l join (
      select ${sql(key)} as label_key, cast(count(*) as integer) as names from ${sql(used)}
      where ${sql(key)} is not null group by ${sql(key)}
    ) used on used.label_key = l.label_key
    order by used.names desc, l.label_key limit ${MAX_FACETS}`;
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

/** How a filter writes a flag. */
const FLAG_WORDS: Readonly<Record<string, string>> = { 0: "false", 1: "true" };

/** The values of a column as the filter writes them, `-` where there is none. */
function values(sql: SQL, column: string, condition = sql`1 = 1`): Promise<Facet[]> {
  return sql<Facet[]>`
    select coalesce(cast(${sql(column)} as text), '-') as value, cast(count(*) as integer) as names
    from domains where ${condition} group by ${sql(column)} order by 2 desc, 1 limit ${MAX_FACETS}`;
}
