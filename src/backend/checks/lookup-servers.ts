import type { CheckKind } from "../../shared/check-summary.ts";
import { DAY_MS } from "../../shared/day.ts";
import * as p from "../../shared/parse.ts";
import { formatSource } from "../../shared/source.ts";
import { type Database, parseStored, readColumn } from "../database/database.ts";
import { findBySuffix } from "../domains/domain-name.ts";
import { isNetworkKind, NETWORK_KINDS } from "../domains/write/check-now.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { readSetting, saveSetting } from "../database/setting-store.ts";
import shippedBootstrap from "./data/rdap-bootstrap.json" with { type: "json" };
import shippedOverrides from "./data/rdap-overrides.json" with { type: "json" };
import shippedWhois from "./data/whois-servers.json" with { type: "json" };
import type { WhoisServer } from "./whois.ts";

/** Base addresses of RDAP servers by suffix, each with a final slash. */
type RdapServers = ReadonlyMap<string, string>;

/** Whom to ask about which suffix: what is shipped, and the operator's file on top. */
export interface LookupServers {
  rdap: RdapServers;
  whois: ReadonlyMap<string, WhoisServer>;
  /** Milliseconds between questions by `host:port`: start and floor in place of the usual pace. */
  intervals: Readonly<Record<string, number>>;
}

/** RFC 7484 §5.1: the path of a request is appended, so a base needs its slash. */
function withSlash(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

const parseOwnFile = p.exactObject({
  rdap: p.optional(p.record(parseUrl)),
  whois: p.optional(
    p.record(p.exactObject({ host: parseHost, charset: p.optional(parseCharset) })),
  ),
  intervals: p.optional(p.record(p.integer(0, DAY_MS))),
});

function parseUrl(value: unknown): string {
  const url = URL.parse(p.text(value));
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && url.username === "";
  return isHttp
    ? withSlash(url.href)
    : p.refuse("url", p.expected("an http or https address", value));
}

function parseHost(value: unknown): string {
  const [, port = "43"] = /^[\w.-]+(?::(\d{1,5}))?$/.exec(p.text(value)) ?? [null, "0"];
  const isPort = 0 < Number(port) && Number(port) <= 65_535;
  return isPort ? p.text(value) : p.refuse("host", p.expected("a host or host:port", value));
}

function parseCharset(value: unknown): string {
  try {
    return new TextDecoder(p.text(value)).encoding;
  } catch {
    return p.refuse("charset", p.expected("an encoding such as iso-8859-1", value));
  }
}

/** Reads `CHECKS_SOURCES`; WHOIS keeps the shipped marker and charset. @throws {ParseError} */
export function parseOwnServers(value: unknown): LookupServers {
  const { rdap = {}, whois = {}, intervals = {} } = parseOwnFile(value);
  const servers = Object.entries(whois).map(([suffix, server]) => {
    const shipped = findBySuffix(`x.${suffix.toLowerCase()}`, SHIPPED_WHOIS);
    return [suffix.toLowerCase(), { notFound: null, ...shipped, ...server }] as const;
  });
  const urls = Object.entries(rdap).map(([suffix, url]) => [suffix.toLowerCase(), url] as const);
  return { rdap: new Map(urls), whois: new Map(servers), intervals };
}

// The file in this folder has the form of the type; a test reads every entry.
const SHIPPED_WHOIS = new Map(Object.entries(shippedWhois as Record<string, WhoisServer>));

/** Suffixes that IANA's file lacks. */
const OVERRIDES: RdapServers = new Map(
  Object.entries(shippedOverrides).map(([suffix, [url = ""]]) => [suffix, withSlash(url)]),
);

/** All of them: a bootstrap, suffixes that IANA lacks on top, and the operator's own on top of both. */
export function mergeServers(bootstrap: RdapServers, own: LookupServers): LookupServers {
  return {
    rdap: new Map([...bootstrap, ...OVERRIDES, ...own.rdap]),
    whois: new Map([...SHIPPED_WHOIS, ...own.whois]),
    intervals: own.intervals,
  };
}

interface PlannedCheck {
  kind: CheckKind;
  queue: string;
}

/** By RDAP, else WHOIS, and the network. The registry's answer names the registrar. */
export function planChecks(name: string, { rdap, whois }: LookupServers): PlannedCheck[] {
  const network = NETWORK_KINDS.map((kind) => ({ kind, queue: kind }));
  const registry = findBySuffix(name, rdap);
  if (registry !== null) return [{ kind: "registry", queue: new URL(registry).host }, ...network];
  const server = findBySuffix(name, whois);
  return server === null ? network : [{ kind: "whois", queue: server.host }, ...network];
}

/** Who answers a check, as its row and what it reports name it: `rdap:rdap.verisign.com`. */
export function sourceOf({ kind, queue }: PlannedCheck): string {
  return isNetworkKind(kind) ? kind : formatSource({ kind, host: queue });
}

/** IANA's file of RDAP servers, RFC 9224, as of a day. */
interface Bootstrap {
  publication: string;
  servers: RdapServers;
}

const parseFile = p.object({ publication: p.text, services: p.list(p.list(p.list(p.text))) });

/** Leaves out servers without https. @throws {ParseError} */
function parseBootstrap(value: unknown): Bootstrap {
  const { publication, services } = parseFile(value);
  const servers = services.flatMap(([suffixes = [], urls = []]) => {
    const url = urls.find((each) => each.startsWith("https://"));
    if (url === undefined) return [];
    return suffixes.map((suffix) => [suffix.toLowerCase(), withSlash(url)] as const);
  });
  return { publication, servers: new Map(servers) };
}

export const SHIPPED = parseBootstrap(shippedBootstrap);

const BOOTSTRAP_URL = new URL("https://data.iana.org/rdap/dns.json");
const REFRESH_MS = 7 * DAY_MS;
const RETRY_MS = DAY_MS;
const REQUEST = { timeoutMs: 30_000, maxBytes: 1_048_576 };

/** Of the TLDs in use that the last file knew, a new one has to know at least this part. */
const MIN_SHARE = 0.9;

const NAME = "rdap bootstrap";

const parseState = p.object({ nextAt: p.text, etag: p.nullable(p.text), file: p.nullable(p.text) });
const NONE = { nextAt: "", etag: null, file: null };

/** Asks IANA once a week. A file that does not parse, or lacks much of what is in use, is left. */
export async function refreshBootstrap(
  database: Database,
  outbound: Outbound,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<Bootstrap> {
  const stored = (await database.read((sql) => readSetting(sql, NAME, parseState))) ?? NONE;
  const current = parseStored(stored.file, parseBootstrap) ?? SHIPPED;
  const waitMs = Date.parse(stored.nextAt) - now.getTime();
  // A later instant comes from a clock that was ahead.
  if (waitMs > 0 && waitMs <= REFRESH_MS) return current;
  const headers = stored.etag === null ? {} : { "if-none-match": stored.etag };
  const request = outbound.request(BOOTSTRAP_URL, { ...REQUEST, headers, signal });
  const answer = await request.catch(() => null);
  const offered = answer?.status === 200 ? parseStored(answer.body, parseBootstrap) : null;
  const tlds = await database.read((sql) => readColumn(sql`select distinct tld from domains`));
  const taken = offered !== null && knowsEnough(offered, current, tlds) ? offered : null;
  const wait = taken !== null || answer?.status === 304 ? REFRESH_MS : RETRY_MS;
  const next = {
    nextAt: new Date(now.getTime() + wait).toISOString(),
    etag: taken === null ? stored.etag : (answer?.headers["etag"] ?? null),
    file: taken === null ? stored.file : (answer?.body ?? null),
  };
  await database.write((sql) => saveSetting(sql, NAME, next));
  return taken ?? current;
}

function knowsEnough(offered: Bootstrap, current: Bootstrap, inUse: readonly string[]): boolean {
  const knows =
    ({ servers }: Bootstrap) =>
    (tld: string) =>
      findBySuffix(`x.${tld}`, servers);
  const known = inUse.filter(knows(current));
  const kept = known.filter(knows(offered));
  return offered.servers.size > 0 && kept.length >= known.length * MIN_SHARE;
}
