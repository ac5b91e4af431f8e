import { describe, expect, test } from "bun:test";
import { createApiClient } from "../support/api-client.ts";
import { startServer } from "../support/server-process.ts";
import { canonicalAddress, isProxy, readPeer } from "../../src/server/peer.ts";

const claims = new Headers({
  "X-Forwarded-For": "6.6.6.6, 203.0.113.9",
  "X-Forwarded-Proto": "http, https",
});

const NOBODY = { tls: null, trustProxy: false, trustedProxies: [] };
const ANY = { ...NOBODY, trustProxy: true };
const TLS = { ...ANY, tls: { cert: "", key: "" } };

describe("readPeer", () => {
  test.each([
    ["nobody by default", claims, NOBODY, "10.0.0.1", false],
    ["what a trusted proxy saw, not what its client claimed", claims, ANY, "203.0.113.9", true],
    ["the connection where a trusted proxy says nothing", new Headers(), TLS, "10.0.0.1", true],
  ])("believes %s", (_, headers, trust, address, secure) => {
    const peer = readPeer(headers, "10.0.0.1", trust);
    expect(peer).toEqual({ address, secure, remoteAddress: "10.0.0.1" });
  });

  test("looks past trusted proxies in a chain, and believes no other", () => {
    const trust = { ...ANY, trustedProxies: ["10.0.0.0/8"] };
    const addressOf = (chain: string) =>
      readPeer(new Headers({ "X-Forwarded-For": chain }), "10.0.0.1", trust).address;
    expect(addressOf("6.6.6.6, 203.0.113.9, 10.0.0.3, 10.0.0.2")).toBe("203.0.113.9");
    expect(addressOf("unknown, 10.0.0.2")).toBe("10.0.0.2");
    expect(addressOf("10.0.0.3")).toBe("10.0.0.3");
    expect(addressOf("203.0.113.9, ")).toBe("10.0.0.1");
  });
});

describe("isProxy", () => {
  const trust = { trustProxy: true, trustedProxies: ["10.0.0.0/8", "fd00::/8"] };

  test.each([
    ["10.1.2.3", true],
    ["::ffff:10.1.2.3", true],
    ["fd00::1", true],
    ["11.0.0.1", false],
    ["::1", false],
    ["fe80::1%eth0", false],
    ["", false],
  ])("knows by the networks whether %j is one: %p", (remote, expected) => {
    expect(isProxy(remote, trust)).toBe(expected);
    const { address } = readPeer(claims, remote, { ...ANY, ...trust });
    expect(address === "203.0.113.9").toBe(expected);
  });
});

describe("canonicalAddress", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["203.0.113.9:4711", "203.0.113.9"],
    ["::1", "::1"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["[::1]", "::1"],
    ["[2001:DB8::0:1]:443", "2001:db8::1"],
    ["2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::FFFF:cb00:7109", "203.0.113.9"],
    ["2001:db8:1::2:3:203.0.113.9", "2001:db8:1:0:2:3:cb00:7109"],
  ])("of %j is %p", (text, address) => {
    expect(canonicalAddress(text)).toBe(address);
  });

  const NONE = ["unknown", "_hidden", "203.0.113", "203.0.113.9.8", "1.2.3.4:x", "::1]:80", ""];
  test.each(NONE)("of %j is none", (text) => expect(canonicalAddress(text)).toBeNull());
});

test("server.ts behind a trusted proxy limits failed sign-ins of one address, whatever its spelling and port", async () => {
  const forwarded = (at: number) =>
    at % 2 === 0 ? `203.0.113.9:${4000 + at}` : "::ffff:203.0.113.9";
  await using server = await startServer({ TRUST_PROXY: "1", LOG: "quiet" });
  const client = createApiClient(server.url);
  const owner = createApiClient(server.url);
  expect((await owner.setUp(server.setUpCode())).status).toBe(201);
  await client.request("/api/token");
  const statuses: number[] = [];
  for (let at = 0; at < 12; at++) {
    const { status } = await client.request("/api/token", {
      method: "POST",
      json: { email: "ada@example.com", password: "a wrong one" },
      headers: { "X-Forwarded-For": forwarded(at) },
    });
    statuses.push(status);
  }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
  expect(statuses.at(-1)).toBe(429);
});
