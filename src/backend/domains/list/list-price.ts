import type { SQL } from "bun";
import { type Fragment, isPostgres } from "../../database/database.ts";
import type { Renewal } from "../../../shared/domain.ts";

/** What follows the name of a domain: `co.uk`. */
export function suffixOf(sql: SQL): Fragment {
  const position = isPostgres(sql) ? sql`strpos` : sql`instr`;
  return sql`substr(domains.name, ${position}(domains.name, '.') + 1)`;
}

/**
 * What renewals cost: the domain's own price, else its registrar's for what follows its name, else
 * for its TLD. Put `join` behind `from domains`, and write `domains.tld` and
 * `domains.registrar_key`, as its tables have these columns, too.
 */
export function pricedBy(sql: SQL): Record<"join" | "minor" | "currency" | "years", Fragment> {
  const price = (column: string) => sql`coalesce(domains.${sql(`renewal_${column}`)},
    of_suffix.${sql(column)}, of_tld.${sql(column)})`;
  return {
    join: sql`left join registrar_prices of_suffix on domains.renewal_minor is null
      and of_suffix.registrar_key = domains.registrar_key and of_suffix.tld = ${suffixOf(sql)}
      left join registrar_prices of_tld on domains.renewal_minor is null and of_suffix.tld is null
      and of_tld.registrar_key = domains.registrar_key and of_tld.tld = domains.tld`,
    minor: price("minor"),
    currency: price("currency"),
    years: price("years"),
  };
}

/** The price per year, as `pricedBy` finds it, on `domains` alone: a condition or an order has no join. */
export function yearlyPrice(sql: SQL): Record<"minor" | "currency", Fragment> {
  const price = (own: Fragment, listed: Fragment) => {
    const of = (tld: Fragment) => sql`(select ${listed} from registrar_prices listed
      where listed.registrar_key = domains.registrar_key and listed.tld = ${tld})`;
    // Most registrars have no list, and nothing is looked up for their domains.
    return sql`case when renewal_minor is not null then ${own}
      when registrar_key in (select registrar_key from registrar_prices)
      then coalesce(${of(suffixOf(sql))}, ${of(sql`domains.tld`)}) end`;
  };
  return {
    minor: price(
      sql`cast(renewal_minor as double precision) / coalesce(renewal_years, 1)`,
      sql`cast(listed.minor as double precision) / listed.years`,
    ),
    currency: price(sql`renewal_currency`, sql`listed.currency`),
  };
}

/** The list prices of domains that have no price of their own, by id. */
export async function readListPrices(
  sql: SQL,
  ids: readonly string[],
): Promise<Map<string, Renewal>> {
  if (ids.length === 0) return new Map();
  const { join, minor, currency, years } = pricedBy(sql);
  const rows = await sql<(Renewal & { id: string })[]>`
    select domains.id, cast(${minor} as double precision) as minor, ${currency} as currency,
      ${years} as years
    from domains ${join}
    where domains.renewal_minor is null and ${minor} is not null and domains.id in ${sql(ids)}`;
  return new Map(rows.map(({ id, ...price }) => [id, price]));
}
