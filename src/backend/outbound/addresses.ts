import ipaddr from "ipaddr.js";

export type AddressRule = (address: string) => boolean;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Where cloud machines read their credentials: no configuration opens them. */
const METADATA: readonly Network[] = [
  "169.254.0.0/16",
  // Amazon, Google, Alibaba, Azure, Oracle.
  "fd00:ec2::/32",
  "fd20:ce::254/128",
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
].map((cidr) => ipaddr.parseCIDR(cidr));

/** IPv6 that is assigned to the public at all; what is special in it has a range of its own. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
/** Documentation, RFC 9637: newer than the table of ipaddr.js. */
const DOCUMENTATION = ipaddr.parseCIDR("3fff::/20");

/**
 * Allows what IANA's registries call globally reachable, and `allowed` networks (CIDR). An IPv4
 * address inside an IPv6 one (mapped, 6to4, Teredo, NAT64) is judged as well.
 */
export function createAddressRule(allowed: readonly string[]): AddressRule {
  const networks = allowed.map((cidr) => ipaddr.parseCIDR(cidr));
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.parse(text);
    const all = [address, ...embeddedIn(address)];
    if (all.some((each) => METADATA.some((network) => isIn(each, network)))) return false;
    return all.every((each) => isGlobal(each) || networks.some((network) => isIn(each, network)));
  };
}

function isIn(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function isGlobal(address: Address): boolean {
  const range = address.range();
  // IANA lists both as globally reachable, RFC 7534 and RFC 7450.
  if (range === "as112" || range === "amt" || range === "as112v6") return true;
  // What these embed is judged instead.
  if (embeddedIn(address).length > 0) return true;
  if (address instanceof ipaddr.IPv4) return range === "unicast";
  return range === "unicast" && isIn(address, GLOBAL_UNICAST) && !isIn(address, DOCUMENTATION);
}

/** IPv4 addresses that an IPv6 address leads to. */
function embeddedIn(address: Address): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  const at = (offset: number, mask = 0) =>
    new ipaddr.IPv4(bytes.slice(offset, offset + 4).map((byte) => byte ^ mask));
  switch (address.range()) {
    case "ipv4Mapped":
    case "rfc6052":
      return [at(12)];
    case "6to4":
      return [at(2)];
    // The server, and the client with its bits flipped, RFC 4380 §4.
    case "teredo":
      return [at(4), at(12, 0xff)];
    default:
      return [];
  }
}
