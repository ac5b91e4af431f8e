import type { SQL } from "bun";
import {
  type ChangedRegistrar,
  type ListPrice,
  parseChangedRegistrar,
  parseRegistrars,
  type Registrar,
  type RegistrarInput,
} from "../../shared/registrars.ts";
import { MAX_YEARS, parseCurrency } from "../../shared/money.ts";
import * as p from "../../shared/parse.ts";
import { foldLabel, LIMITS, limitedText, requiredLabel } from "../../shared/text.ts";
import { insertRows } from "../database/bulk-rows.ts";
import { hasRows, type Job, readColumn } from "../database/database.ts";
import { RequestError } from "../http/request-error.ts";
import { isCurrent } from "./list/filter-condition.ts";
import { suffixOf } from "./list/list-price.ts";
import { findKnownRegistrar } from "./known-registrars.ts";
import { parseDomainName } from "./domain-name.ts";
import { NO_PARAMETERS } from "../http/read-input.ts";
import { EVERYTHING, route, type Route } from "../http/route.ts";
import { changeMany } from "./write/bulk.ts";
import type { Maker } from "./write/history.ts";
import { ensureLabels } from "./labels.ts";
import { carryRename } from "./write/renames.ts";

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

const parsePrice = p.exactObject({
  tld: parseTld,
  minor: p.integer(0, Number.MAX_SAFE_INTEGER),
  currency: parseCurrency,
  years: p.integer(1, MAX_YEARS),
});

const parsePrices = p.mapped(p.list(parsePrice, { max: MAX_PRICES }), (prices) => {
  const seen = new Set<string>();
  for (const [index, { tld }] of prices.entries()) {
    if (seen.has(tld)) {
      const detail = `.${tld} is on the list twice.`;
      throw new p.ParseError([{ pointer: `/${index}/tld`, code: "repeated", detail }]);
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
  prices: p.optional(parsePrices),
  pricesBefore: p.optional(parsePrices),
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

/** Another name changes all domains, too. @throws {RequestError} 404 */
export const changeRegistrar: Job<
  { key: string; change: RegistrarInput; by: Maker },
  ChangedRegistrar
> = {
  name: "change registrar",
  async run(sql, { key, change, by }) {
    const { name, loginUrl, prices, pricesBefore } = change;
    if (!(await hasRows(sql`select 1 from domains where registrar_key = ${key} limit 1`))) {
      throw new RequestError(404, "No domain is at this registrar: it may have another name now.");
    }
    const changed =
      name === undefined ? { key, moved: 0, operation: null } : await rename(sql, key, name, by);
    if (loginUrl !== undefined) {
      await sql`update registrars set login_url = ${loginUrl} where label_key = ${changed.key}`;
    }
    if (prices !== undefined) {
      const before = new Map(pricesBefore?.map((price) => [price.tld, price]));
      const edited = prices.filter((price) => !Bun.deepEquals(price, before.get(price.tld)));
      for (const { tld } of prices) before.delete(tld);
      const tlds = [...edited.map(({ tld }) => tld), ...before.keys()];
      await sql`delete from registrar_prices where registrar_key = ${changed.key}
        ${pricesBefore === undefined ? sql`` : sql`and tld in ${sql(tlds)}`}`;
      const rows = edited.map(({ tld, minor, currency, years }) => {
        return { registrar_key: changed.key, tld, minor, currency, years };
      });
      await insertRows(sql, "registrar_prices", rows);
    }
    return changed;
  },
};

/**
 * Moves all domains to the new name, which may exist. What the old one had stays with it, unseen,
 * for an undo. Reports keep the name of their source, which the next export has again.
 */
async function rename(sql: SQL, key: string, name: string, by: Maker): Promise<ChangedRegistrar> {
  const next = foldLabel(name);
  if (next === key) {
    await sql`update registrars set label = ${name} where label_key = ${key}`;
    return { key, moved: 0, operation: null };
  }
  await ensureLabels(sql, "registrars", [[name, null]]);
  await sql`update registrars set login_url = (
      select other.login_url from registrars other where other.label_key = ${key})
    where label_key = ${next} and login_url is null`;
  await sql`insert into registrar_prices (registrar_key, tld, minor, currency, years)
    select ${next}, tld, minor, currency, years from registrar_prices where registrar_key = ${key}
    on conflict do nothing`;
  const ids = await readColumn(sql`select id from domains where registrar_key = ${key}`);
  const { changed: moved, operation } = await changeMany.run(sql, {
    select: { kind: "ids", ids, expectedCount: ids.length },
    op: { kind: "edit", given: { registrar: name } },
    by,
  });
  if (operation) await carryRename(sql, operation, { field: "registrar", from: key, to: name });
  return { key: next, moved, operation };
}
