import type { SQL } from "bun";
import type { ListPrice, Registrar } from "../../shared/registrars.ts";
import { MAX_YEARS, parseCurrency } from "../../shared/money.ts";
import {
  exactObject,
  expected,
  integer,
  list,
  nullable,
  optional,
  ParseError,
  refuse,
} from "../../shared/parse.ts";
import { limitedText, parseLabel } from "../../shared/text.ts";
import { parseDomainName } from "../domains/domain-name.ts";
import { decodeSegment, parseParameters, readJson } from "../http/read-input.ts";
import { RequestError } from "../http/request-error.ts";
import { json } from "../http/responses.ts";
import type { RequestContext, Route } from "../http/router.ts";
import { changeRegistrar } from "./change-registrar.ts";

export const registrarRoutes: readonly Route[] = [
  { path: "/api/registrars", methods: { GET: showRegistrars } },
  { path: "/api/registrars/:name", methods: { PATCH: patchRegistrar } },
];

const MAX_REGISTRARS = 500;
const MAX_PRICES = 2000;
const MAX_URL_LENGTH = 2000;

async function showRegistrars({ database, url }: RequestContext): Promise<Response> {
  parseParameters(url.searchParams, exactObject({}));
  return json({ items: await database.read(listRegistrars) });
}

/** `PATCH /api/registrars/:key`: 404 for one that never had a domain. */
async function patchRegistrar(context: RequestContext, segment: string): Promise<Response> {
  const { database, user } = context;
  const change = await readJson(context, parseRegistrarChange);
  const key = decodeSegment(segment);
  const changed = await database.writeMany(changeRegistrar, { key, change, email: user.email });
  if (changed === null) throw new RequestError(404, "This registrar does not exist.");
  return json(changed);
}

async function listRegistrars(sql: SQL): Promise<Registrar[]> {
  const rows = await sql<Pick<Registrar, "key" | "name" | "loginUrl" | "names">[]>`
    select r.label_key as key, r.label as name, r.login_url as "loginUrl", used.names
    from registrars r join (
      select registrar_key, cast(count(*) as integer) as names from domains
      where registrar_key is not null group by registrar_key
    ) used on used.registrar_key = r.label_key
    order by used.names desc, r.label_key limit ${MAX_REGISTRARS}`;
  const unpriced = await sql<{ key: string; tld: string; names: number }[]>`
    select registrar_key as key, tld, cast(count(*) as integer) as names from domains
    where registrar_key is not null and renewal_minor is null
    group by registrar_key, tld order by 3 desc, 2`;
  const prices = await sql<(ListPrice & { key: string })[]>`
    select registrar_key as key, tld, cast(minor as double precision) as minor, currency, years
    from registrar_prices order by tld`;
  const items = rows.map((row): Registrar => Object.assign(row, { unpriced: [], prices: [] }));
  const byKey = new Map(items.map((item) => [item.key, item]));
  for (const { key, ...count } of unpriced) byKey.get(key)?.unpriced.push(count);
  for (const { key, ...price } of prices) byKey.get(key)?.prices.push(price);
  return items;
}

const parsePrices = list(
  exactObject({
    tld: parseTld,
    minor: integer(0, Number.MAX_SAFE_INTEGER),
    currency: parseCurrency,
    years: integer(1, MAX_YEARS),
  }),
  { max: MAX_PRICES },
);

const parseRegistrarChange = exactObject({
  name: optional(parseName),
  loginUrl: optional(nullable(parseLoginUrl)),
  prices: optional(parseOnePriceEach),
});

const readLabel = parseLabel();

function parseName(value: unknown): string {
  return readLabel(value) ?? refuse("required", "Enter the name of the registrar.");
}

/** A link that opens in the browser; one with a password in it would show it to everybody here. */
function parseLoginUrl(value: unknown): string {
  const given = limitedText({ max: MAX_URL_LENGTH })(value).trim();
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return refuse("value", "Enter a link that starts with https://.");
  }
  if (url.username !== "" || url.password !== "") {
    return refuse("value", "Enter a link without a user name and password.");
  }
  return url.href;
}

/** The last part of a domain name, in any form in which people write it: `.com`, `COM`, `рф`. */
function parseTld(value: unknown): string {
  if (typeof value !== "string") return refuse("type", expected("a TLD", value));
  const typed = value.trim().replace(/^\./, "");
  const name = parseDomainName(`name.${typed}`);
  if ("code" in name || name.name !== `name.${name.tld}`) {
    return refuse("value", "Enter only the last part of a domain, for example com or uk.");
  }
  return name.tld;
}

function parseOnePriceEach(value: unknown): ListPrice[] {
  const prices = parsePrices(value);
  const seen = new Set<string>();
  for (const [index, { tld }] of prices.entries()) {
    if (seen.has(tld)) {
      const pointer = `/${index}/tld`;
      throw new ParseError([
        { pointer, code: "repeated", detail: `.${tld} is on the list twice.` },
      ]);
    }
    seen.add(tld);
  }
  return prices;
}
