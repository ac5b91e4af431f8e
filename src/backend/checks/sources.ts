import { findRdapServer, type RdapServers } from "./rdap.ts";
import { CHECK_KINDS, type CheckKind } from "./schedule.ts";
import { findWhoisServer, type WhoisServers } from "./whois.ts";

/** Whom to ask about which suffix: what is shipped, and the operator's file on top. */
export interface Sources {
  rdap: RdapServers;
  whois: WhoisServers;
  /** Milliseconds between questions by `host:port`: start and floor in place of the usual pace. */
  intervals: Readonly<Record<string, number>>;
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
export function checkKind(text: string): CheckKind {
  const kind = CHECK_KINDS.find((each) => each === text);
  if (kind === undefined) throw new Error(`Unknown kind of check: ${text}`);
  return kind;
}
