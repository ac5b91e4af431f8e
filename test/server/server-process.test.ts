import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createApiClient, OWNER } from "../support/api-client.ts";
import { pem, runServer, startServer, TLS } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { openRaw } from "../support/raw-http.ts";
import { reply, startUpstream } from "../support/upstream.ts";

describe("server.ts", () => {
  test("says its name, mode, address, what answers /api/, and the link to set it up", async () => {
    await using server = await startServer({
      BRAND: "Acre & Sons",
      PUBLIC_URL: "https://names.example.org",
    });
    await server.printed(/Set it up .*\n/);
    const [first, second, third = ""] = server.output().split("\n");
    expect(first).toBe(`Acre & Sons production on ${server.url}`);
    expect(second).toBe("/api/ is answered by the embedded backend");
    // As browsers reach it from outside.
    expect(third).toStartWith("Set it up at https://names.example.org/home#set-up=");
    expect(server.setUpCode().length).toBeGreaterThanOrEqual(8);
  });

  test("owner reset prints a link to a new password, also while the server runs", async () => {
    using folder = createTemporaryFolder();
    const DATABASE_URL = `sqlite://${join(folder.path, "register.sqlite")}`;
    const args = ["owner", "reset"];
    const run = (PORT: string, env = {}) => runServer({ DATABASE_URL, PORT, ...env }, { args });
    expect((await run("0")).stderr).toContain("register.sqlite does not exist\n");
    await using server = await startServer({ DATABASE_URL });
    const { port } = new URL(server.url);
    expect((await run(port)).stderr).toContain("has no owner yet: set it up first\n");
    const client = createApiClient(server.url);
    expect((await client.setUp(server.setUpCode())).status).toBe(201);

    const PUBLIC_URL = "https://host.example";
    const { exitCode, stdout } = await run(port, { PUBLIC_URL, BASE_PATH: "/names" });
    const said = "Open this link within an hour to choose a new password:";
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining(`${said}\n${PUBLIC_URL}/names/home#`),
    ]);
    // Without an address of its own, it is the one at which the server was started.
    expect((await run("0")).stdout).toContain(`\n${server.url}/home#reset=`);
    const link = new URLSearchParams((await run("0")).stdout.trim().split("#").at(1));
    expect(link.get("email")).toBe(OWNER.email);
    const code = link.get("reset") ?? "";
    const json = { code, email: OWNER.email, password: "a longer horse battery" };
    const visitor = createApiClient(server.url);
    await visitor.request("/api/token");
    expect((await visitor.post("/api/invitations/accept", json)).status).toBe(200);
    expect((await client.request("/api/domains")).status).toBe(401);
    expect(server.output()).not.toContain(code);
  });

  test("shows sample domains as a demonstration, which keeps nothing", async () => {
    using folder = createTemporaryFolder();
    const DATABASE_URL = `sqlite://${folder.path}/real.sqlite`;
    const env = { DATABASE_URL, HOST: "0.0.0.0", TMPDIR: folder.path };
    await using server = await startServer(env, { args: ["demo"] });
    expect(server.url).toStartWith("http://127.0.0.1:");
    await server.printed(/This is a demonstration: .+ keeps nothing/);
    const visitor = createApiClient(server.url);
    expect(await visitor.json("/api/token")).toMatchObject({ role: "owner" });
    expect(await visitor.json("/api/domains?limit=1")).toMatchObject({ items: [{ version: 1 }] });
    expect((await visitor.post("/api/domains", { name: "mine.example" })).status).toBe(201);
    expect(await readdir(folder.path)).toHaveLength(1);
    expect(await server.stop()).toBe(0);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test("says in a line each how it is, and exits with 1 for a fault", async () => {
    const DATABASE_URL = "sqlite:///nowhere/names.sqlite";
    const env = { DATABASE_URL, CHECKS: "off", DNS_SERVERS: "127.0.0.1:1" };
    const { exitCode, stdout } = await runServer(env, { args: ["doctor"] });
    expect(exitCode).toBe(1);
    expect(stdout).toContain("fail  Database The database /nowhere/names.sqlite does not exist\n");
  });

  test("says which backend answers, and has no set-up of its own then", async () => {
    await using server = await startServer({ BACKEND_URL: "http://127.0.0.1:9/base/" });
    expect(server.output()).toContain("/api/ is answered by http://127.0.0.1:9/base\n");
    expect(server.output()).not.toContain("set-up");
  });

  test("names every bad variable at once, and starts nothing", async () => {
    const stderr = [
      "The configuration has 3 variables that cannot be used:",
      '  PORT: expected a whole number from 0 to 65535, got "web"',
      "  SETUP_CODE: expected 8 to 128 characters without spaces, got a different value",
      '  LOG: expected access or quiet or json, got "loud"\n',
    ].join("\n");
    expect(await runServer({ PORT: "web", LOG: "loud", SETUP_CODE: "pst" })).toEqual({
      exitCode: 1,
      stdout: "",
      stderr,
    });
  });

  test("says in one line that a port, an address or a database cannot be used", async () => {
    await using first = await startServer();
    const { port } = new URL(first.url);
    using untouched = createTemporaryFolder();
    const DATABASE_URL = `sqlite://${join(untouched.path, "register.sqlite")}`;
    expect(await runServer({ PORT: port, DATABASE_URL })).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `Port ${port} of 127.0.0.1 is in use. Set PORT to another one.\n`,
    });
    expect(await readdir(untouched.path)).toEqual([]);
    const elsewhere = await runServer({ HOST: "203.0.113.7" });
    expect(elsewhere).toMatchObject({ exitCode: 1, stdout: "" });
    expect(elsewhere.stderr).toBe('HOST "203.0.113.7" is not an address of this machine.\n');
    const folder = await runServer({ DATABASE_URL: `sqlite://${import.meta.dir}` });
    expect(folder).toMatchObject({ exitCode: 1, stdout: "" });
    expect(folder.stderr.trim().split("\n")).toHaveLength(1);
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "finishes what is in flight on %s, and takes no more",
    async (signal) => {
      const asked = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      await using upstream = await startUpstream(async (socket) => {
        asked.resolve();
        await go.promise;
        socket.end(reply("finished"));
      });
      await using server = await startServer({ BACKEND_URL: upstream.url });
      const inFlight = fetch(`${server.url}/api/slow`);
      await asked.promise;
      const exited = server.stop(signal);
      await refused(server.url);
      go.resolve();
      expect(await (await inFlight).text()).toBe("finished");
      expect(await exited).toBe(0);
    },
  );

  test("ends at once on a second signal", async () => {
    const asked = Promise.withResolvers<void>();
    await using upstream = await startUpstream(() => asked.resolve());
    await using server = await startServer({ BACKEND_URL: upstream.url });
    const inFlight = fetch(`${server.url}/api/never`).catch(() => "cut");
    await asked.promise;
    const exited = server.stop("SIGTERM");
    await refused(server.url);
    process.kill(server.pid, "SIGTERM");
    expect(await exited).toBe(143);
    expect(await inFlight).toBe("cut");
  });

  test("writes a line per request, without its query or a code that the operator chose, unless told to be quiet", async () => {
    await using server = await startServer({ SETUP_CODE: "secret-sesame" });
    const said = `Set it up at ${server.url}/home with the code in SETUP_CODE\n`;
    await server.printed(new RegExp(RegExp.escape(said)));
    await fetch(`${server.url}/home?token=secret`, { method: "HEAD" });
    await server.printed(/HEAD \/home 200 \d+\.\d ms 0\n/);
    const file = await (await fetch(`${server.url}/robots.txt`)).bytes();
    await server.printed(new RegExp(`GET /robots.txt 200 \\d+\\.\\d ms ${file.length}\\n`));
    const session = await (await fetch(`${server.url}/api/token?x=secret`)).bytes();
    await server.printed(new RegExp(`GET /api/token 200 \\d+\\.\\d ms ${session.length}\\n`));
    for (const path of ["calendar/secret.ics", "acknowledge/secret", "unsubscribe/secret"]) {
      await fetch(`${server.url}/api/${path}`);
      await server.printed(new RegExp(`GET /api/${path.split("/")[0]}/\\*\\*\\* \\d+ `));
    }
    expect(server.output()).not.toContain("secret");
    await using quiet = await startServer({ LOG: "quiet" });
    await fetch(`${quiet.url}/home`);
    expect(await quiet.stop()).toBe(0);
    expect(quiet.output()).not.toContain("GET /home");
  });

  test("takes more than Bun's own limit where it only passes a body on", async () => {
    await using upstream = await startUpstream((socket) => socket.end(reply()));
    await using server = await startServer({ BACKEND_URL: upstream.url, LOG: "quiet" });
    // Bun refuses a length above its limit as soon as it has read the head.
    const head = `POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${10 ** 12}\r\n\r\n`;
    const client = openRaw(server.url, head + "x".repeat(100_000));
    const answered = new Promise<string>((resolve) =>
      client.once("data", (data) => resolve(data.toString())),
    );
    expect(await Promise.race([answered, arrival(upstream)])).toBe("on its way");
    client.destroy();
  });
});

test("server.ts loads what passkeys and a provider need, in the executable too", async () => {
  const OIDC_ISSUER = "http://127.0.0.1:9";
  const oidc = { OIDC_ISSUER, OIDC_CLIENT_ID: "freehold", OIDC_CLIENT_SECRET: "secret" };
  await using server = await startServer({ PUBLIC_URL: "https://names.example", ...oidc });
  const client = createApiClient(server.url);
  await client.request("/api/token");
  const options = await client.json("/api/passkeys/sign-in", { method: "POST" });
  expect(options).toMatchObject({ rpId: "names.example", userVerification: "required" });
  const begun = await client.request("/api/oidc/start");
  expect(begun.headers.get("location")).toBe("/home#sign-in=unavailable");
});

/** What the process itself was started with, as the system knows it. */
const environmentOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");

test.skipIf(process.platform !== "linux")(
  "raiseRequestLimit restarts under the same pid, and not where the limit is set or nothing is proxied",
  async () => {
    await using raised = await startServer({ BACKEND_URL: "http://127.0.0.1:9" });
    expect(environmentOf(raised.pid)).toContain("BUN_CONFIG_MAX_HTTP_REQUESTS=65535");
    expect(await raised.stop()).toBe(0);
    const own = { BACKEND_URL: "http://127.0.0.1:9", BUN_CONFIG_MAX_HTTP_REQUESTS: "99" };
    await using chosen = await startServer(own);
    expect(environmentOf(chosen.pid)).toContain("BUN_CONFIG_MAX_HTTP_REQUESTS=99");
    await using embedded = await startServer();
    expect(environmentOf(embedded.pid).join()).not.toContain("MAX_HTTP_REQUESTS");
  },
);

describe("server.ts with TLS", () => {
  const ca = Bun.file(pem("cert.pem"));

  // Bun offers no HTTP/2 beside hot reload.
  test.each(["production", "development"])(
    "speaks HTTP/1.1 in %s, gives cookies for https only, and ends on SIGTERM",
    async (NODE_ENV) => {
      await using server = await startServer({ ...TLS, NODE_ENV });
      expect(server.url).toStartWith("https://");
      const answer = await fetch(`${server.url}/home`, { tls: { ca } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
      const token = await fetch(`${server.url}/api/token`, { tls: { ca } });
      const cookies = token.headers.getSetCookie();
      for (const cookie of cookies) expect(cookie).toContain("Secure");
      expect(cookies.some((cookie) => cookie.startsWith("__Host-"))).toBe(true);
      expect(await server.stop()).toBe(0);
    },
  );

  test("says https to the browser where a trusted proxy does, and to nobody else", async () => {
    const forwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1" };
    const trusting = [{ TRUST_PROXY: "1" }, { TRUSTED_PROXIES: "127.0.0.0/8" }];
    for (const env of [...trusting, { TRUSTED_PROXIES: "192.0.2.0/24" }]) {
      await using server = await startServer(env);
      const answer = await fetch(`${server.url}/api/token`, { headers: forwarded });
      const cookies = answer.headers.getSetCookie();
      const trusted = trusting.some((each) => each === env);
      expect(cookies.every((cookie) => /; ?Secure/.test(cookie))).toBe(trusted);
      expect(cookies.some((cookie) => cookie.startsWith("__Host-"))).toBe(trusted);
      expect(answer.headers.has("strict-transport-security")).toBe(trusted);
    }
  });
});

/** Waits until nothing listens there any more. */
async function refused(url: string) {
  for (let isOver = false; !isOver; await Bun.sleep(10)) {
    const socket = openRaw(url, "");
    isOver = await new Promise((resolve) =>
      socket.on("connect", () => resolve(false)).on("error", () => resolve(true)),
    );
    socket.destroy();
  }
}

/** Waits until a connection to the backend has been opened for what is still coming in. */
async function arrival(upstream: { connections(): number }): Promise<string> {
  while (upstream.connections() === 0) await Bun.sleep(10);
  return "on its way";
}
