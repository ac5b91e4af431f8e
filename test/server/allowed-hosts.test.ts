import { describe, expect, test } from "bun:test";
import { createHostCheck } from "../../src/server/request-target.ts";
import { sendRaw, statusOf, values } from "../support/raw-http.ts";
import { startServer } from "../support/server-process.ts";
import { forAll } from "../support/for-all.ts";

describe("createHostCheck", () => {
  const local = {
    host: "127.0.0.1",
    backendUrl: null,
    trustProxy: false,
    publicUrl: "https://names.example:8443/base",
    allowedHosts: ["box.lan"],
    authHeader: null,
  };

  const ALLOWED = `localhost LOCALHOST:3000 127.0.0.1:3000 127.9.9.9 [::1]:3000 [0:0::1]
    names.example names.example:8443 box.lan t3000.localhost:3000
    localhost.:3000 box.lan. a.b.localhost.`;
  const REFUSED = `evil.example localhost.evil.example 127.0.0.1.evil.example .localhost
    ..localhost a..localhost localhost.. evillocalhost 192.168.1.5`;

  test.each(ALLOWED.split(/\s+/))("of a register on the loopback allows %j", (host) => {
    expect(createHostCheck(local)?.(host)).toBe(true);
  });
  test.each([...REFUSED.split(/\s+/), ""])("of a register on the loopback refuses %j", (host) => {
    expect(createHostCheck(local)?.(host)).toBe(false);
  });

  test("holds behind a proxy that signs people in, where its name is known", () => {
    const vouched = { ...local, trustProxy: true, authHeader: "remote-email" };
    expect(createHostCheck(vouched)?.("names.example")).toBe(true);
    expect(createHostCheck(vouched)?.("evil.example")).toBe(false);
    expect(createHostCheck({ ...vouched, publicUrl: null })).toBeNull();
  });

  test.each([
    { host: "0.0.0.0" },
    { host: "192.168.1.5" },
    { trustProxy: true },
    { backendUrl: "http://backend" },
  ])("is none with %j", (other) => {
    expect(createHostCheck({ ...local, ...other })).toBeNull();
  });
});

describe("server.ts asked by a name that was pointed at this machine", () => {
  const server = forAll(() => startServer({ ALLOWED_HOSTS: "box.lan, Other.lan" }));

  const ask = (line: string, host: string, body = "") =>
    sendRaw(
      server().url,
      `${line} HTTP/1.1\nHost: ${host}\nContent-Type: application/json\nContent-Length: ${body.length}`,
      body,
    );

  test("answers 421 under /api/, counts for nobody, and tells the operator what to set", async () => {
    const body = JSON.stringify({ email: "a@b.example", password: "wrong" });
    for (let count = 0; count < 12; count++) {
      const answer = await ask("POST /api/token", "rebound.example", body);
      expect(statusOf(answer)).toBe(421);
      expect(values(answer, "content-type")).toEqual(["application/problem+json"]);
    }
    expect(statusOf(await ask("GET /api/token", "rebound.example"))).toBe(421);
    expect(statusOf(await ask("GET /api/token", "localhost"))).toBe(200);
    expect(await server().printed(/ALLOWED_HOSTS/)).toBe("ALLOWED_HOSTS");
    expect(server().output()).toContain('"rebound.example"');
  });

  test("serves the site and the names that are allowed", async () => {
    expect(statusOf(await ask("GET /home", "rebound.example"))).toBe(200);
    expect(statusOf(await ask("GET /api/token", "box.lan:3000"))).toBe(200);
    expect(statusOf(await ask("GET /api/token", "other.lan"))).toBe(200);
  });
});
