import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { parseOwnSources } from "../../../src/backend/checks/sources.ts";
import { runServer } from "../../support/server-process.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

describe("parseOwnSources", () => {
  test.each<[string, unknown, string]>([
    ["no object", [], "value: Expected an object"],
    ["a member that is none", { rdapp: {} }, "/rdapp: Unknown field"],
    ["RDAP that is no text", { rdap: { com: 5 } }, "/rdap/com: Expected a string"],
    ["RDAP by another protocol", { rdap: { com: "ftp://x/" } }, "/rdap/com: Expected an http"],
    ["RDAP with a password", { rdap: { com: "https://a:b@x/" } }, "/rdap/com: Expected an http"],
    ["WHOIS without a server", { whois: { it: {} } }, "/whois/it/host: Expected a string"],
    ["WHOIS at no host", { whois: { it: { host: "a b" } } }, "/whois/it/host: Expected a host"],
    ["WHOIS at no port", { whois: { it: { host: "x:0" } } }, "/whois/it/host: Expected a host"],
    [
      "a charset that nobody knows",
      { whois: { it: { host: "x:43", charset: "klingon" } } },
      "/whois/it/charset: Expected an encoding",
    ],
    [
      "a member of WHOIS that is none",
      { whois: { it: { host: "x", port: 43 } } },
      "/whois/it/port: Unknown field",
    ],
    ["an interval that is no number", { intervals: { x: "1" } }, "/intervals/x: Expected a whole"],
    ["an interval below 0", { intervals: { x: -1 } }, "/intervals/x: Expected a whole"],
  ])("refuses %s", (_, file, message) => {
    expect(() => parseOwnSources(file)).toThrow(message);
  });

  test("takes suffixes in capitals, and what it adds of a WHOIS server that is known", () => {
    const { rdap, whois } = parseOwnSources({
      rdap: { COM: "https://rdap.example" },
      whois: { IT: { host: "127.0.0.1:4343" } },
    });
    expect(rdap.get("com")).toBe("https://rdap.example/");
    expect(whois["it"]).toMatchObject({ host: "127.0.0.1:4343", notFound: expect.any(String) });
  });
});

test("the server names the variable that it cannot start with, on one line", async () => {
  using folder = createTemporaryFolder();
  const file = join(folder.path, "sources.json");
  await Bun.write(file, JSON.stringify({ rdap: { com: 5 } }));
  for (const [name, value, message] of [
    ["CHECKS_SOURCES", file, "/rdap/com: Expected a string, but got 5"],
    ["CHECKS_ALLOW", "10.0.0.0", 'Expected a network such as 10.0.0.0/8, but got "10.0.0.0"'],
    ["DNS_SERVERS", "dns.example", "Expected an address such as 9.9.9.9 or 127.0.0.1:5353"],
  ] as const) {
    const { exitCode, stderr } = await runServer({ [name]: value });
    expect([exitCode, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toStartWith(`${name}: ${message}`);
  }
}, 20_000);
