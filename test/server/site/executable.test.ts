import { $ } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { buildExecutable } from "../../../src/server/site/build-executable.ts";
import { describeUsage } from "../../../src/server/config/variables.ts";
import { createApiClient } from "../../support/api-client.ts";
import { sendRaw, statusOf, values } from "../../support/raw-http.ts";
import {
  PROJECT,
  runServer,
  type ServerProcess,
  startServer,
} from "../../support/server-process.ts";
import { reply, startUpstream } from "../../support/upstream.ts";

let folder = "";

/** The executable where it was built: by the run of all tests, or here. */
let built = "";

/** The executable, alone in a folder that nothing else was ever in. */
let program = { folder: "", executable: "" };

/** Data beside the executable, as it is without any variable. */
const BESIDE = { DATABASE_URL: "" };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "freehold-executable-"));
  built = process.env["TEST_EXECUTABLE"] ?? join(folder, "built/freehold");
  if (process.env["TEST_EXECUTABLE"] === undefined) await buildExecutable(PROJECT, built);
  const alone = join(folder, "alone");
  await mkdir(alone);
  program = { folder: alone, executable: join(alone, "freehold") };
  await copyFile(built, program.executable);
});

afterAll(() => rm(folder, { recursive: true }));

const ask = (server: ServerProcess, line: string, ...headers: string[]) =>
  sendRaw(server.url, [`${line} HTTP/1.1`, "Host: localhost", ...headers].join("\n"));

/** Of a clone; the sources of a release have none. */
const commit = (await $`git rev-parse --short=12 HEAD`.cwd(PROJECT).nothrow().quiet())
  .text()
  .trim();

describe("the executable", () => {
  test("is one file", async () => {
    expect(await readdir(dirname(built))).toEqual(["freehold"]);
  });

  test("serves page, scripts and files, all of it compressed from the first answer on", async () => {
    await using server = await startServer({}, program);
    for (const coding of ["br", "zstd", "gzip"]) {
      const page = await ask(server, "GET /home", `Accept-Encoding: ${coding}`);
      expect(values(page, "content-encoding")).toEqual([coding]);
      expect(values(page, "content-security-policy")).toHaveLength(1);
    }
    const html = (await ask(server, "GET /home")).body.toString();
    expect(html).toMatch(/<title>Home · Freehold<\/title>.*<h1[^>]*>Home<\/h1>/s);
    const scripts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)];
    expect(scripts.length).toBeGreaterThan(1);
    for (const [, url = ""] of scripts) {
      const script = await ask(server, `GET ${url}`, "Accept-Encoding: br");
      expect(statusOf(script)).toBe(200);
      // A script of a line would grow.
      const codings = script.body.length < 100 ? [] : ["br"];
      expect(values(script, "content-encoding")).toEqual(codings);
      expect(values(script, "cache-control")).toEqual(["public, max-age=31536000, immutable"]);
    }
    const icon = await ask(server, "GET /icon-192.png");
    expect(icon.body.equals(await readPublic("icon-192.png"))).toBe(true);
  });

  test("knows what there is not", async () => {
    await using server = await startServer({}, program);
    const script = await ask(server, "GET /assets/main-00000000.js", "Accept: text/html");
    expect(statusOf(script)).toBe(404);
    expect(values(script, "content-type")).toEqual(["text/plain; charset=utf-8"]);
    const nowhere = await ask(server, "GET /nowhere", "Accept: text/html");
    expect(statusOf(nowhere)).toBe(404);
    expect(nowhere.body.toString()).toContain("<title>Not found · Freehold</title>");
    for (const inside of ["/site.bin", "/server.ts", "/package.json", "/..%2ffreehold"])
      expect(statusOf(await ask(server, `GET ${inside}`))).toBe(404);
    expect(statusOf(await ask(server, "POST /home", "Content-Length: 0"))).toBe(405);
  });

  test("sets up a register, keeps it through a restart, and ends with 0 on SIGTERM", async () => {
    await using first = await startServer(BESIDE, program);
    const owner = createApiClient(first.url);
    expect((await owner.setUp(first.setUpCode())).status).toBe(201);
    const made = await owner.request("/api/domains", {
      method: "POST",
      json: { name: "kept.example" },
    });
    expect(made.status).toBe(201);
    expect(await first.stop()).toBe(0);

    await using second = await startServer(BESIDE, program);
    const again = createApiClient(second.url);
    expect((await again.signIn()).status).toBe(200);
    expect(await again.json("/api/domains")).toMatchObject({
      items: [{ name: "kept.example" }],
    });
    expect(await second.stop()).toBe(0);
    expect((await readdir(program.folder)).toSorted()).toEqual(["data", "freehold"]);
  });

  test("changes many domains in its worker, backs them up and restores them", async () => {
    const urlOf = (name: string) => `sqlite://${join(folder, name, "register.sqlite")}`;
    const env = { DATABASE_URL: urlOf("one") };
    const backup = join(folder, "backup.tar");
    await using server = await startServer(env, program);
    const client = createApiClient(server.url);
    await client.setUp(server.setUpCode());
    await client.request("/api/domains", { method: "POST", json: { name: "one.example" } });
    const bulk = {
      select: { filter: {}, expectedCount: 1 },
      op: { kind: "edit", addTags: ["many"] },
    };
    const changed = await client.request("/api/domains/bulk", { method: "POST", json: bulk });
    expect(await changed.json()).toMatchObject({ matched: 1, changed: 1 });

    const run = (command: string, database: string) =>
      runServer({ DATABASE_URL: urlOf(database) }, { ...program, args: [command, backup] });
    expect(await run("backup", "one")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    const again = await run("backup", "one");
    expect(again).toEqual({ exitCode: 1, stdout: "", stderr: `${backup} already exists\n` });
    expect(await run("restore", "two")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect((await run("restore", "two")).stderr).toMatch(
      /^The database .* is not empty: [^\n]*\n$/,
    );

    await using restored = await startServer({ DATABASE_URL: urlOf("two") }, program);
    const visitor = createApiClient(restored.url);
    expect((await visitor.signIn()).status).toBe(200);
    expect(await visitor.json("/api/domains?tag=many")).toMatchObject({ total: 1 });
  });

  test("is in production mode whatever the environment says", async () => {
    await using server = await startServer({ NODE_ENV: "development" }, program);
    expect(server.output()).toStartWith(`Freehold production on ${server.url}\n`);
    const page = await ask(server, "GET /home");
    expect(values(page, "content-security-policy")).toHaveLength(1);
    expect(page.body.toString()).not.toContain("/_bun/");
  });

  test("goes by another name when it is told to", async () => {
    await using server = await startServer({ BRAND: "Acre & Sons" }, program);
    const page = (await ask(server, "GET /home")).body.toString();
    expect(page).toContain("<title>Home · Acre &amp; Sons</title>");
    expect(page).not.toContain("Freehold");
  });

  test("passes /api/ on where there is a backend", async () => {
    await using upstream = await startUpstream((socket) => socket.end(reply("from behind")));
    await using server = await startServer({ BACKEND_URL: upstream.url }, program);
    expect((await ask(server, "GET /api/x")).body.toString()).toBe("from behind");
    if (process.platform !== "linux") return;
    // It restarted itself, and took none of its own arguments for a script.
    const environment = await Bun.file(`/proc/${server.pid}/environ`).text();
    expect(environment.split("\0")).toContain("BUN_CONFIG_MAX_HTTP_REQUESTS=65535");
  });

  test("takes nothing from the folder that it is started in", async () => {
    const strange = join(folder, "strange");
    await mkdir(strange);
    await Bun.write(join(strange, ".env"), "BRAND=Surprise\n");
    await Bun.write(join(strange, "bunfig.toml"), 'preload = ["./surprise.ts"]\n');
    await Bun.write(join(strange, "surprise.ts"), 'console.log("surprise");\n');
    await using server = await startServer({}, { ...program, folder: strange });
    expect(server.output()).toStartWith("Freehold production on ");
    expect(server.output()).not.toContain("surprise");
  });

  test.each([
    ["--help", describeUsage("freehold")],
    ["--version", manifest.version + (commit && ` (${commit})`)],
  ])("answers %s, and starts nothing", async (argument, answer) => {
    const outcome = await runServer({ PORT: "nonsense" }, { ...program, args: [argument] });
    // Built after edits, it has a plus behind the commit.
    const stdout = outcome.stdout.replace("+)", ")");
    expect({ ...outcome, stdout }).toEqual({ exitCode: 0, stdout: `${answer}\n`, stderr: "" });
  });

  test("refuses an argument that it does not know, and starts nothing", async () => {
    const outcome = await runServer({}, { ...program, args: ["--port=80"] });
    expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
    expect(outcome.stderr).toContain(`got "--port=80"`);
    expect(outcome.stderr.trim().split("\n")).toHaveLength(1);
  });
});

async function readPublic(name: string): Promise<Buffer> {
  return Buffer.from(await Bun.file(join(PROJECT, "public", name)).bytes());
}
