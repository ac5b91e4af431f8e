import {
  parseChangedRegistrar,
  parseRegistrars,
  type ListPrice,
  type Registrar,
} from "../../shared/registrars.ts";
import { MAX_YEARS, parseCurrency } from "../../shared/money.ts";
import * as p from "../../shared/parse.ts";
import { LIMITS, limitedText, requiredLabel } from "../../shared/text.ts";
import type { Job } from "../database/database.ts";
import { isCurrent } from "./list/filter-condition.ts";
import { suffixOf } from "./list/list-price.ts";
import { findKnownRegistrar } from "./known-registrars.ts";
import { parseDomainName } from "./domain-name.ts";
import { NO_PARAMETERS } from "../http/read-input.ts";
import { EVERYTHING, route, type Route } from "../http/route.ts";
import { changeRegistrar } from "./write/change-registrar.ts";

const MAX_REGISTRARS = 500;
const MAX_PRICES = 2000;
const MAX_URL_LENGTH = 2000;

/** A link that opens in the browser, without a password, which all would see. */
const parseLoginUrl = p.described(
  (value) => {
    const given = limitedText({ max: MAX_URL_LENGTH })(value).trim();
    const url = URL.parse(given);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      return p.refuse("value", "Enter a link that starts with https://.");
    }
    if (url.username !== "" || url.password !== "") {
      return p.refuse("value", "Enter a link without a user name and password.");
    }
    return url.href;
  },
  () => ({ type: "string", maxLength: MAX_URL_LENGTH, pattern: "^https?://" }),
);

/** What follows the name of a domain, as people write it: `.com`, `COM`, `co.uk`, `рф`. */
const parseTld = p.described(
  (value) => {
    if (typeof value !== "string") return p.refuse("type", p.expected("a TLD", value));
    const typed = value.trim().replace(/^\./, "");
    const name = parseDomainName(`name.${typed}`);
    if ("code" in name)
      return p.refuse("value", "Enter what follows the name, such as com or co.uk.");
    return name.name.slice("name.".length);
  },
  () => ({ type: "string" }),
);

const parsePrices = p.list(
  p.exactObject({
    tld: parseTld,
    minor: p.integer(0, Number.MAX_SAFE_INTEGER),
    currency: parseCurrency,
    years: p.integer(1, MAX_YEARS),
  }),
  { max: MAX_PRICES },
);

const parseOnePriceEach = p.mapped(parsePrices, (prices) => {
  const seen = new Set<string>();
  for (const [index, { tld }] of prices.entries()) {
    if (seen.has(tld)) {
      const pointer = `/${index}/tld`;
      throw new p.ParseError([
        { pointer, code: "repeated", detail: `.${tld} is on the list twice.` },
      ]);
    }
    seen.add(tld);
  }
  return prices;
});

const parseRegistrarChange = p.exactObject({
  name: p.optional(
    requiredLabel(LIMITS.label, () => p.refuse("required", "Enter the name of the registrar.")),
  ),
  loginUrl: p.optional(p.nullable(parseLoginUrl)),
  prices: p.optional(parseOnePriceEach),
  pricesBefore: p.optional(parseOnePriceEach),
});

export const registrarRoutes: readonly Route[] = [
  route("GET /api/registrars", "viewer", {
    summary: "List the registrars and their prices",
    query: NO_PARAMETERS,
    answer: parseRegistrars,
    handle: async ({ database }) => ({ items: await database.readMany(readRegistrars, null) }),
  }),
  // 404 for one that has no domain.
  route("PATCH /api/registrars/:key", "editor", {
    summary: "Rename a registrar, or change its login link and prices",
    body: parseRegistrarChange,
    maxBytes: 512 * 1024,
    answer: parseChangedRegistrar,
    handle: ({ database, user, params: { key }, body: change }) =>
      database.writeMany(changeRegistrar, { key, change, by: user }),
  }),
];

export const readRegistrars: Job<null, Registrar[]> = {
  name: "list registrars",
  async run(sql) {
    const rows = await sql<Pick<Registrar, "key" | "name" | "loginUrl" | "names">[]>`
    select r.label_key as key, r.label as name, r.login_url as "loginUrl", used.names
    from registrars r join (
      select registrar_key, cast(count(*) as integer) as names from domains
      where registrar_key is not null and ${isCurrent(sql, EVERYTHING)} group by registrar_key
    ) used on used.registrar_key = r.label_key
    order by used.names desc, r.label_key limit ${MAX_REGISTRARS}`;
    const unpriced = await sql<{ key: string; tld: string; names: number }[]>`
    select registrar_key as key, ${suffixOf(sql)} as tld, cast(count(*) as integer) as names
    from domains
    where registrar_key is not null and renewal_minor is null and ${isCurrent(sql, EVERYTHING)}
    group by 1, 2 order by 3 desc, 2`;
    const prices = await sql<(ListPrice & { key: string })[]>`
    select registrar_key as key, tld, cast(minor as double precision) as minor, currency, years
    from registrar_prices order by tld`;
    const items = rows.map((row): Registrar => {
      const loginUrl = row.loginUrl ?? findKnownRegistrar(row.name)?.url ?? null;
      return Object.assign(row, { loginUrl, unpriced: [], prices: [] });
    });
    const byKey = new Map(items.map((item) => [item.key, item]));
    for (const { key, ...count } of unpriced) byKey.get(key)?.unpriced.push(count);
    for (const { key, ...price } of prices) byKey.get(key)?.prices.push(price);
    return items;
  },
};
