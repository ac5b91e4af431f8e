import { exactObject, number, object, optional, record, text } from "../../shared/parse.ts";
import shippedBootstrap from "./data/rdap-bootstrap.json" with { type: "json" };
import shippedOverrides from "./data/rdap-overrides.json" with { type: "json" };
import shippedWhois from "./data/whois-servers.json" with { type: "json" };
import { findRdapServer, parseBootstrap, type RdapServers, withSlash } from "./rdap.ts";
import { CHECK_KINDS, type CheckKind } from "../../shared/checks.ts";
import { findWhoisServer, type WhoisServers } from "./whois.ts";

/** Whom to ask about which suffix: what is shipped, and the operator's file on top. */
export interface Sources {
  rdap: RdapServers;
  whois: WhoisServers;
  /** Milliseconds between questions by `host:port`: start and floor in place of the usual pace. */
  intervals: Readonly<Record<string, number>>;
}

const parseOwnFile = exactObject({
  rdap: optional(record(text)),
  whois: optional(record(object({ host: text, charset: optional(text) }))),
  intervals: optional(record(number)),
});

/**
 * Reads the operator's file, `CHECKS_SOURCES`: addresses by suffix (http is allowed here only), WHOIS
 * servers by suffix, milliseconds by `host:port`. A WHOIS entry keeps the shipped marker and charset
 * where it names none.
 *
 * @throws {ParseError | TypeError}
 */
export function parseOwnSources(value: unknown): OwnSources {
  const { rdap = {}, whois = {}, intervals = {} } = parseOwnFile(value);
  const servers = Object.entries(whois).map(([suffix, server]) => {
    const shipped = findWhoisServer(`x.${suffix}`, SHIPPED_WHOIS);
    return [suffix, { notFound: null, ...shipped, ...server }] as const;
  });
  const urls = Object.entries(rdap).map(([suffix, url]) => {
    const { protocol } = URL.parse(url) ?? {};
    if (protocol === "https:" || protocol === "http:") return [suffix, withSlash(url)] as const;
    throw new TypeError(`Expected an https address for the RDAP of ${suffix}, but got ${url}`);
  });
  return { rdap: new Map(urls), whois: Object.fromEntries(servers), intervals };
}

/** What the operator adds to the shipped sources. */
export type OwnSources = Sources;

// The file in this folder has the form of the type; a test reads every entry.
const SHIPPED_WHOIS = shippedWhois as WhoisServers;

/** What is shipped: IANA's bootstrap of that day, and suffixes that it lacks. */
export const SHIPPED = parseBootstrap(shippedBootstrap);

const OVERRIDES: RdapServers = new Map(
  Object.entries(shippedOverrides).map(([suffix, [url = ""]]) => [suffix, withSlash(url)]),
);

/** All sources: a bootstrap, suffixes that IANA lacks on top, and the operator's own on top of both. */
export function mergeSources(bootstrap: RdapServers, own: OwnSources | null): Sources {
  return {
    rdap: new Map([...bootstrap, ...OVERRIDES, ...(own?.rdap ?? [])]),
    whois: { ...SHIPPED_WHOIS, ...own?.whois },
    intervals: own?.intervals ?? {},
  };
}

/** Queues of what asks no single host. */
export const NETWORK_KINDS = ["dns", "delegation", "tls", "http"] as const satisfies CheckKind[];
export type NetworkKind = (typeof NETWORK_KINDS)[number];

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
export function planChecks(name: string, { rdap, whois }: Sources): PlannedCheck[] {
  const network = NETWORK_KINDS.map((kind) => ({ kind, queue: kind }));
  const registry = findRdapServer(name, rdap);
  if (registry !== null) return [{ kind: "registry", queue: new URL(registry).host }, ...network];
  const server = findWhoisServer(name, whois);
  return server === null ? network : [{ kind: "whois", queue: server.host }, ...network];
}

/** The kind that a row of the database names. @throws {Error} For one that this version does not know */
export function checkKind(kind: string): CheckKind {
  const known = CHECK_KINDS.find((each) => each === kind);
  if (known === undefined) throw new Error(`Unknown kind of check: ${kind}`);
  return known;
}
