/**
 * What one subscriber holds of a canonical address, and what limits count by: all of IPv4, the first
 * 64 bits of IPv6, within which anybody can take a new address for each request.
 */
export function subscriberOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  return [...before, ...zeros, ...after].slice(0, 4).join(":");
}
