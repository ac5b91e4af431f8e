import { describe, expect, test } from "bun:test";
import { createAddressRule } from "../../../src/backend/outbound/addresses.ts";

const REACHABLE = `
  1.1.1.1 9.9.9.9 172.15.255.255 172.32.0.1 192.175.48.1 2606:4700:4700::1111
  2a00:1450:4001:82a::200e 64:ff9b::101:101 ::ffff:1.1.1.1 2002:101:101::1
`;

const PRIVATE = `
  0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
  172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1
  224.0.0.1 240.0.0.1 255.255.255.255
  :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1
  2001:db8::1 2001:0:a00:1::1 2001:0:101:101:0:0:80ff:fffe 2002:7f00:1::1 2002:a00:1::1 3fff::1
  5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1
`;

describe("createAddressRule", () => {
  const rule = createAddressRule([]);

  const listed = (addresses: string) => addresses.trim().split(/\s+/);

  test("allows what can be reached globally, and nothing else", () => {
    expect(listed(REACHABLE).filter((address) => !rule(address))).toEqual([]);
    const none = ["localhost", "", "1.1.1.1.example"];
    expect([...listed(PRIVATE), ...none].filter((address) => rule(address))).toEqual([]);
  });

  test("allows the networks that are named, and what is mapped into IPv6 from them", () => {
    const allowing = createAddressRule(["10.0.0.0/8", "fd12:3456::/32"]);
    expect(["10.1.2.3", "::ffff:10.1.2.3", "fd12:3456::1"].map(allowing)).not.toContain(false);
    expect(["11.1.2.3", "192.168.1.1", "fd12:3457::1"].map(allowing)).toEqual([true, false, false]);
  });

  test("never allows the addresses of a machine's own credentials", () => {
    const allowing = createAddressRule(["0.0.0.0/0", "::/0"]);
    expect(allowing("127.0.0.1")).toBe(true);
    const clouds = ["169.254.169.254", "::ffff:169.254.169.254", "fd00:ec2::254", "fd20:ce::254"];
    const others = ["100.100.100.200", "168.63.129.16", "192.0.0.192"];
    expect([...clouds, ...others].filter((address) => allowing(address))).toEqual([]);
  });
});
