import type { SQL } from "bun";
import type { Renewal } from "../../shared/domain.ts";
import { isPostgres } from "../database/database.ts";
import type { Fragment } from "./filter-condition.ts";

/** What follows the name of a domain: `co.uk`. */
export function suffixOf(sql: SQL): Fragment {
  const position = isPostgres(sql) ? sql`strpos` : sql`instr`;
  return sql`substr(domains.name, ${position}(domains.name, '.') + 1)`;
}

/** The TLD of the list price that a domain has: a price for co.uk goes before one for uk. */
function listedTld(sql: SQL): Fragment {
  return sql`(select each.tld from registrar_prices each
    where each.registrar_key = domains.registrar_key and each.tld in (domains.tld, ${suffixOf(sql)})
    order by length(each.tld) desc limit 1)`;
}

/**
 * Parts of a query about what renewals cost: a domain without a price of its own costs what its
 * registrar lists for its TLD. Put `join` behind `from domains`; its table has columns of the same
 * names, so write `domains.tld` and `domains.registrar_key`.
 */
export function pricedBy(sql: SQL): Record<"join" | "minor" | "currency" | "years", Fragment> {
  return {
    join: sql`left join registrar_prices listed on domains.renewal_minor is null
      and listed.registrar_key = domains.registrar_key and listed.tld = ${listedTld(sql)}`,
    minor: sql`coalesce(domains.renewal_minor, listed.minor)`,
    currency: sql`coalesce(domains.renewal_currency, listed.currency)`,
    years: sql`coalesce(domains.renewal_years, listed.years)`,
  };
}

/**
 * What a domain costs per year, in the currency's smallest unit, and that currency, as `pricedBy` finds
 * them, but as expressions on `domains` alone: a condition or an order has no place for a join.
 */
export function yearlyPrice(sql: SQL): Record<"minor" | "currency", Fragment> {
  const listed = (column: Fragment) => sql`(select ${column} from registrar_prices listed
    where listed.registrar_key = domains.registrar_key and listed.tld = ${listedTld(sql)})`;
  const perYear = sql`cast(listed.minor as double precision) / listed.years`;
  return {
    minor: sql`case when renewal_minor is null then ${listed(perYear)}
      else cast(renewal_minor as double precision) / coalesce(renewal_years, 1) end`,
    currency: sql`case when renewal_minor is null then ${listed(sql`listed.currency`)}
      else renewal_currency end`,
  };
}

/** The list prices of domains that have no price of their own, by id. */
export async function readListPrices(
  sql: SQL,
  ids: readonly string[],
): Promise<Map<string, Renewal>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; minor: number; currency: string; years: number }[]>`
    select domains.id, cast(listed.minor as double precision) as minor, listed.currency, listed.years
    from domains join registrar_prices listed
      on listed.registrar_key = domains.registrar_key and listed.tld = ${listedTld(sql)}
    where domains.id in ${sql(ids)}`;
  return new Map(rows.map(({ id, ...price }) => [id, price]));
}
