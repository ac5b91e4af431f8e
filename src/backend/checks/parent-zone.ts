import type * as packets from "dns-packet";
import type { AddressRule } from "../outbound/addresses.ts";
import { askDns, type DnsAnswer } from "../outbound/dns-client.ts";
import type { Resolver } from "../outbound/resolver.ts";
import { formatRecords } from "./dns-records.ts";

/** What questions about a name's DNS need. */
export interface DnsContext {
  resolver: Resolver;
  mayConnect: AddressRule;
  /** Where authoritative servers listen: 53 but in tests. */
  port: number;
  /** Lower-case A-label form. */
  name: string;
  signal: AbortSignal;
}

/** Servers of the parent that are asked. */
const PARENT_SERVERS = 2;

/** The closest zone above a name that has name servers, and addresses of them; null where none is found. */
export async function findParent({ resolver, mayConnect, name, signal }: DnsContext) {
  const labels = name.split(".");
  for (let from = 1; from < labels.length; from += 1) {
    const zone = labels.slice(from).join(".");
    const answer = await resolver.ask({ name: zone, type: "NS" }, { signal });
    const addresses: string[] = [];
    for (const host of formatRecords(answer, "NS")) {
      if (addresses.length >= PARENT_SERVERS) break;
      const found = await resolver.addressesOf(host, { signal });
      const address = found.addresses.find((each) => mayConnect(each));
      if (address !== undefined) addresses.push(address);
    }
    if (addresses.length > 0) return { zone, addresses };
  }
  return null;
}

/** Whether the servers of the zone above say NXDOMAIN; a resolver alone may be mistaken. */
export async function isUnknownToParent(context: DnsContext): Promise<boolean> {
  const parent = await findParent(context);
  if (parent === null) return false;
  const question = { name: context.name, type: "NS" } as const;
  const asked = parent.addresses.map((address) => askAt(context, address, question));
  return sayUnknown(await Promise.all(asked));
}

/** One server says NXDOMAIN, and none of those that answer says otherwise. */
export function sayUnknown(answers: readonly DnsAnswer[]): boolean {
  const said = answers.filter(({ outcome }) => ["data", "nodata", "nxdomain"].includes(outcome));
  return said.length > 0 && said.every(({ outcome }) => outcome === "nxdomain");
}

/** Asks a server for what it knows by itself. */
export function askAt(
  { signal, port }: DnsContext,
  address: string,
  question: { name: string; type: packets.RecordType },
): Promise<DnsAnswer> {
  return askDns({ address, port }, question, { recurse: false, signal });
}
