import type { SQL } from "bun";
import type { Facet, Facets } from "../../shared/register-contract.ts";
import type { Database } from "../database/database.ts";
import { takeTurns } from "../database/take-turns.ts";

/** Values of one kind that are offered: more are found by typing. */
const LIMIT = 500;

/** What can be filtered by: every value in use, most used first. One short read for each kind. */
export async function listFacets(database: Database): Promise<Facets> {
  const kinds = { registrars, accounts, owners, tags, tlds };
  const facets: Facets = { registrars: [], accounts: [], owners: [], tags: [], tlds: [] };
  for (const kind of ["registrars", "accounts", "owners", "tags", "tlds"] as const) {
    facets[kind] = [...(await database.read(kinds[kind]))];
    await takeTurns();
  }
  return facets;
}

function registrars(sql: SQL): Promise<Facet[]> {
  return sql<Facet[]>`
    select r.label as value, used.names from registrars r join (
      select registrar_key as label_key, cast(count(*) as integer) as names from domains
      where registrar_key is not null group by registrar_key
    ) used on used.label_key = r.label_key
    order by used.names desc, r.label_key limit ${LIMIT}`;
}

function tags(sql: SQL): Promise<Facet[]> {
  return sql<Facet[]>`
    select t.label as value, used.names from tags t join (
      select tag_key as label_key, cast(count(*) as integer) as names from domain_tags
      group by tag_key
    ) used on used.label_key = t.label_key
    order by used.names desc, t.label_key limit ${LIMIT}`;
}

function accounts(sql: SQL): Promise<Facet[]> {
  return spellings(sql, "account", "account_key");
}

function owners(sql: SQL): Promise<Facet[]> {
  return spellings(sql, "owner", "owner_key");
}

/** Each name has its own spelling of these: that of the first name stands for all. */
function spellings(sql: SQL, spelling: string, key: string): Promise<Facet[]> {
  return sql<Facet[]>`
    select (select d.${sql(spelling)} from domains d where d.${sql(key)} = used.label_key
        order by d.name limit 1) as value, used.names
    from (
      select ${sql(key)} as label_key, cast(count(*) as integer) as names from domains
      where ${sql(key)} is not null group by ${sql(key)}
    ) used order by used.names desc, used.label_key limit ${LIMIT}`;
}

function tlds(sql: SQL): Promise<Facet[]> {
  return sql<Facet[]>`
    select tld as value, cast(count(*) as integer) as names from domains
    group by tld order by 2 desc, 1 limit ${LIMIT}`;
}
