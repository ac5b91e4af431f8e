import type { SQL } from "bun";
import type { Sale } from "../../shared/costs.ts";
import type { Domain, Money } from "../../shared/domain.ts";
import { addUp, type Settings } from "../../shared/settings.ts";
import { readDomains } from "../domains/read-domains.ts";
import { readSettings } from "../settings.ts";
import { renewalsPaid } from "./renewals-paid.ts";

const MAX_SALES = 200;

/** The domains that were sold, the latest first, with their profit where it is known. */
export async function listSales(sql: SQL): Promise<Sale[]> {
  const sold = await sql<{ id: string }[]>`
    select id from domains where sold_minor is not null
    order by sold_on desc nulls last, name limit ${MAX_SALES}`;
  if (sold.length === 0) return [];
  const ids = sold.map(({ id }) => id);
  const paid = await sql<{ id: string; years: number }[]>`
    select domain_id as id, cast(sum(years) as integer) as years
    from ${renewalsPaid(sql, sql`and domain_id in ${sql(ids)}`)} paid group by domain_id`;
  const yearsPaid = new Map(paid.map(({ id, years }) => [id, years]));
  const settings = await readSettings(sql);
  const domains = await readDomains(sql, ids);
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
