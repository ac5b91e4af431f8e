import { getServers } from "node:dns";
import { isIP } from "node:net";
import type * as packets from "dns-packet";
import {
  askDns,
  failed,
  isConclusive,
  type DnsAnswer,
  type DnsOutcome,
  type DnsQuestion,
  type DnsServer,
} from "./dns-client.ts";

export interface Resolver {
  /** Asks one resolver after the other. NXDOMAIN counts unless the next knows better. */
  ask(question: DnsQuestion, options: ResolveOptions): Promise<DnsAnswer>;
  /** All addresses of a host, IPv4 first. */
  addressesOf(
    host: string,
    options: ResolveOptions,
  ): Promise<{ outcome: DnsOutcome; addresses: string[] }>;
}

interface ResolveOptions {
  signal: AbortSignal;
  checkingDisabled?: boolean;
}

/** @param servers In the order in which they are asked; none: the system's. They may be private. */
export function createResolver(servers: readonly DnsServer[]): Resolver {
  const resolvers =
    servers.length > 0 ? servers : getServers().map((server) => parseDnsServer(server));

  async function ask(question: DnsQuestion, options: ResolveOptions): Promise<DnsAnswer> {
    let answer = failed("unreachable");
    let unknown: DnsAnswer | null = null;
    for (const server of resolvers) {
      answer = await askDns(server, question, { recurse: true, ...options });
      if (answer.outcome === "data" || answer.outcome === "nodata") return answer;
      if (answer.outcome === "nxdomain") {
        if (unknown !== null) return answer;
        unknown = answer;
      }
    }
    return unknown ?? answer;
  }

  async function addressesOf(host: string, options: ResolveOptions) {
    if (isIP(host) !== 0) return { outcome: "data" as const, addresses: [host] };
    const name = host.toLowerCase().replace(/\.$/, "");
    if (/(?:^|\.)localhost$/.test(name)) return { outcome: "data" as const, addresses: LOOPBACK };
    const [four, six] = await Promise.all([
      ask({ name, type: "A" }, options),
      ask({ name, type: "AAAA" }, options),
    ]);
    const addresses = [...addressesIn(four), ...addressesIn(six)];
    if (addresses.length > 0) return { outcome: "data" as const, addresses };
    // "No such record" takes both: a question without an answer says nothing.
    return { outcome: isConclusive(four.outcome) ? six.outcome : four.outcome, addresses };
  }

  return { ask, addressesOf };
}

/** Of `localhost` and the names below it, which no server is asked for, RFC 6761 §6.3. */
const LOOPBACK = ["127.0.0.1", "::1"];

/** Of one answer: more would make us try what an attacker lists. */
const MAX_ADDRESSES = 16;

function addressesIn({ answers }: DnsAnswer): string[] {
  return answers
    .filter(
      (answer): answer is packets.StringAnswer => answer.type === "A" || answer.type === "AAAA",
    )
    .map(({ data }) => data)
    .slice(0, MAX_ADDRESSES);
}

/** Reads `host`, `host:port` or `[IPv6]:port`; the host is an IP literal. @throws {TypeError} */
export function parseDnsServer(text: string): DnsServer {
  const [, six, other, digits = 53] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = isIP(text) !== 0 ? text : (six ?? other ?? "");
  const port = Number(digits);
  if (isIP(address) === 0 || port < 1 || port > 65_535) {
    throw new TypeError(
      `Expected an address such as 9.9.9.9 or 127.0.0.1:5353, but got ${JSON.stringify(text)}`,
    );
  }
  return { address, port };
}
