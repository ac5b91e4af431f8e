import {
  exactObject,
  expected,
  integer,
  optional,
  record,
  refuse,
  text,
} from "../../shared/parse.ts";
import shippedBootstrap from "./data/rdap-bootstrap.json" with { type: "json" };
import shippedOverrides from "./data/rdap-overrides.json" with { type: "json" };
import shippedWhois from "./data/whois-servers.json" with { type: "json" };
import { findBySuffix, parseBootstrap, type RdapServers, withSlash } from "./rdap.ts";
import type { CheckKind } from "../../shared/check-summary.ts";
import { formatSource } from "../../shared/source.ts";
import type { WhoisServer } from "./whois-response.ts";

/** Whom to ask about which suffix: what is shipped, and the operator's file on top. */
export interface LookupServers {
  rdap: RdapServers;
  whois: ReadonlyMap<string, WhoisServer>;
  /** Milliseconds between questions by `host:port`: start and floor in place of the usual pace. */
  intervals: Readonly<Record<string, number>>;
}

const parseOwnFile = exactObject({
  rdap: optional(record(parseUrl)),
  whois: optional(record(exactObject({ host: parseHost, charset: optional(parseCharset) }))),
  intervals: optional(record(integer(0, 86_400_000))),
});

function parseUrl(value: unknown): string {
  const url = URL.parse(text(value));
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && url.username === "";
  return isHttp ? withSlash(url.href) : refuse("url", expected("an http or https address", value));
}

function parseHost(value: unknown): string {
  const [, port = "43"] = /^[\w.-]+(?::(\d{1,5}))?$/.exec(text(value)) ?? [null, "0"];
  const isPort = 0 < Number(port) && Number(port) <= 65_535;
  return isPort ? text(value) : refuse("host", expected("a host or host:port", value));
}

function parseCharset(value: unknown): string {
  try {
    return new TextDecoder(text(value)).encoding;
  } catch {
    return refuse("charset", expected("an encoding such as iso-8859-1", value));
  }
}

/**
 * Reads the operator's file, `CHECKS_SOURCES`: addresses by suffix (http is allowed here only), WHOIS
 * servers by suffix, milliseconds by `host:port`. A WHOIS entry keeps the shipped marker and charset
 * where it names none.
 *
 * @throws {ParseError}
 */
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

/** What is shipped: IANA's bootstrap of that day, and suffixes that it lacks. */
export const SHIPPED = parseBootstrap(shippedBootstrap);

const OVERRIDES: RdapServers = new Map(
  Object.entries(shippedOverrides).map(([suffix, [url = ""]]) => [suffix, withSlash(url)]),
);

/** All of them: a bootstrap, suffixes that IANA lacks on top, and the operator's own on top of both. */
export function mergeServers(bootstrap: RdapServers, own: LookupServers | null): LookupServers {
  return {
    rdap: new Map([...bootstrap, ...OVERRIDES, ...(own?.rdap ?? [])]),
    whois: new Map([...SHIPPED_WHOIS, ...(own?.whois ?? [])]),
    intervals: own?.intervals ?? {},
  };
}

/** Queues of what asks no single host. */
export const NETWORK_KINDS = ["dns", "delegation", "tls", "http"] as const satisfies CheckKind[];
type NetworkKind = (typeof NETWORK_KINDS)[number];

export function isNetworkKind(kind: string): kind is NetworkKind {
  return NETWORK_KINDS.some((each) => each === kind);
}

/** A check that a domain needs: its kind, and the host whose pace it has to keep. */
export interface PlannedCheck {
  kind: CheckKind;
  queue: string;
}

/**
 * The checks of a name: the registry by RDAP, or WHOIS where its TLD has no RDAP, and the network. The
 * registrar's follows from the registry's answer.
 */
export function planChecks(name: string, { rdap, whois }: LookupServers): PlannedCheck[] {
  const network = NETWORK_KINDS.map((kind) => ({ kind, queue: kind }));
  const registry = findBySuffix(name, rdap);
  if (registry !== null) return [{ kind: "registry", queue: new URL(registry).host }, ...network];
  const server = findBySuffix(name, whois);
  return server === null ? network : [{ kind: "whois", queue: server.host }, ...network];
}

/** Who answers a check, as its row and what it reports name it: `rdap:rdap.verisign.com`. */
export function sourceOf({ kind, queue }: PlannedCheck): string {
  const isLive = kind === "registry" || kind === "registrar" || kind === "whois";
  return isLive ? formatSource({ kind, host: queue }) : kind;
}
