import { $ } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { buildExecutable } from "../../../src/server/site/build-executable.ts";
import { describeUsage } from "../../../src/server/config/variables.ts";
import { createApiClient } from "../../support/api-client.ts";
import { addDomain, changeMany } from "../../support/domains.ts";
import { PROJECT, runServer, startServer } from "../../support/server-process.ts";

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

/** Of a clone; the sources of a release have none. */
const commit = (await $`git rev-parse --short=12 HEAD`.cwd(PROJECT).nothrow().quiet())
  .text()
  .trim();

describe("the executable", () => {
  test("is one file", async () => {
    expect(await readdir(dirname(built))).toEqual(["freehold"]);
  });

  test("sets up a register, keeps it through a restart, and ends with 0 on SIGTERM", async () => {
    await using first = await startServer(BESIDE, program);
    const owner = createApiClient(first.url);
    expect((await owner.setUp(first.setUpCode())).status).toBe(201);
    await addDomain(owner, { name: "kept.example" });
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
    await addDomain(client, { name: "one.example" });
    const all = { filter: {}, expectedCount: 1 };
    const changed = await changeMany(client, all, { kind: "edit", addTags: ["many"] });
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
    const page = await fetch(`${server.url}/home`);
    expect(page.headers.get("content-security-policy")).toBeString();
    expect(await page.text()).not.toContain("/_bun/");
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
    ["--help", describeUsage()],
    ["--version", manifest.version + (commit && ` (${commit})`)],
  ])("answers %s, and starts nothing", async (argument, answer) => {
    const outcome = await runServer({ PORT: "nonsense" }, { ...program, args: [argument] });
    // Built after edits, it has a plus behind the commit.
    const stdout = outcome.stdout.replace("+)", ")");
    expect({ ...outcome, stdout }).toEqual({ exitCode: 0, stdout: `${answer}\n`, stderr: "" });
  });
});
