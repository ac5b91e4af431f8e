import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { parseOwnServers, refreshBootstrap } from "../../../src/backend/checks/lookup-servers.ts";
import { createAddressRule } from "../../../src/backend/outbound/addresses.ts";
import { createOutbound } from "../../../src/backend/outbound/outbound.ts";
import { createResolver } from "../../../src/backend/outbound/resolver.ts";
import { openRegister } from "../../support/empty-database.ts";
import { runServer } from "../../support/server-process.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { addNames } from "./simulate-year.ts";

describe("parseOwnServers", () => {
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
    expect(() => parseOwnServers(file)).toThrow(message);
  });

  test("takes suffixes in capitals, and what it adds of a WHOIS server that is known", () => {
    const { rdap, whois } = parseOwnServers({
      rdap: { COM: "https://rdap.example" },
      whois: { IT: { host: "127.0.0.1:4343" } },
    });
    expect(rdap.get("com")).toBe("https://rdap.example/");
    expect(whois.get("it")).toMatchObject({ host: "127.0.0.1:4343", notFound: expect.any(String) });
  });
});

describe("what the checks cannot start with", () => {
  test("is a line of the configuration, with all else that is wrong, before the server listens", async () => {
    using folder = createTemporaryFolder();
    const file = (name: string, value: object) => {
      const path = join(folder.path, name);
      writeFileSync(path, JSON.stringify(value));
      return path;
    };
    const env = {
      DATABASE_URL: `sqlite://${join(folder.path, "register.sqlite")}`,
      DNS_SERVERS: "dns.example",
      CHECKS_SOURCES: file("sources.json", { rdap: { com: 5 } }),
      REGISTRAR_APIS: file("apis.json", { porkbun: { origin: "http://registrar.example" } }),
      LOG: "loud",
    };
    const executable = process.env["TEST_EXECUTABLE"];
    const options = executable === undefined ? {} : { executable };
    const { exitCode, stderr } = await runServer(env, options);
    expect([exitCode, ...stderr.trimEnd().split("\n")]).toEqual([
      1,
      "The configuration has 4 variables that cannot be used:",
      '  LOG: expected access or quiet or json, got "loud"',
      '  DNS_SERVERS: Expected an address such as 9.9.9.9 or 127.0.0.1:5353, but got "dns.example"',
      "  CHECKS_SOURCES: /rdap/com: Expected a string, but got 5",
      "  REGISTRAR_APIS: /porkbun/origin: Expected an origin such as https://api.example; http:// only on the loopback",
    ]);
    // Nothing was opened.
    expect(readdirSync(folder.path).toSorted()).toEqual(["apis.json", "sources.json"]);
  });
});

describe("refreshBootstrap", () => {
  test("asks once a week, and keeps what it has where the answer cannot be used", async () => {
    await using register = await openRegister();
    const { database } = register;
    const known = ["com", "net", "org", "dev"];
    const names = [...known, "it"].map((tld) => [`x.${tld}`, null] as const);
    await addNames(database, new Map(names), "2026-11-22T12:00:00.000Z");
    const asked: (string | null)[] = [];
    let answer = () => new Response("", { status: 500 });
    await using iana = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        asked.push(request.headers.get("if-none-match"));
        return answer();
      },
    });
    const port = iana.port ?? 0;
    const mayConnect = createAddressRule(["127.0.0.0/8"]);
    const real = createOutbound({ resolver: createResolver([]), mayConnect, ports: [port] });
    // The file of IANA, at a server of this test.
    const outbound: typeof real = {
      ...real,
      request(url, options) {
        expect(url.href).toBe("https://data.iana.org/rdap/dns.json");
        return real.request(new URL(url.pathname, iana.url), options);
      },
    };
    const { signal } = new AbortController();
    const start = Date.parse("2026-11-22T12:00:00Z");
    const refresh = async (days: number) => {
      const now = new Date(start + days * 86_400_000);
      const { publication } = await refreshBootstrap(database, outbound, { now, signal });
      return publication;
    };
    const file = (publication: string, tlds: readonly string[], etag = "") =>
      Response.json(
        { publication, services: [[tlds, ["https://rdap.example/"]]] },
        { headers: { etag } },
      );
    const shipped = await refresh(0);
    expect(await refresh(0.9)).toBe(shipped);
    expect(asked).toEqual([null]);
    // A failure is tried again on the next day, and a file that is taken lasts a week.
    answer = () => file("new", known, '"a"');
    expect(await refresh(1.1)).toBe("new");
    answer = () => new Response(null, { status: 304 });
    expect(await refresh(8)).toBe("new");
    expect(await refresh(8.2)).toBe("new");
    expect(asked).toEqual([null, null, '"a"']);
    let day = 9;
    for (const bad of [
      () => new Response("<html>", { headers: { etag: '"b"' } }),
      () => file("other form", []),
      () => file("lacks a TLD in use", known.slice(1)),
      () => new Response("x".repeat(2 ** 20 + 1)),
      () => Response.json({ publication: 1, services: {} }),
    ]) {
      answer = bad;
      expect(await refresh((day += 8))).toBe("new");
    }
    expect(asked.slice(3)).toEqual(Array.from({ length: 5 }, () => '"a"'));
    // A clock that was years ahead for a while keeps nobody from asking.
    await refresh(1_000);
    await refresh(60);
    expect(asked).toHaveLength(10);
  });
});
