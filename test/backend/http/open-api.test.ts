import { afterAll, describe, expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import generateTypes, { astToString } from "openapi-typescript";
import { version } from "../../../package.json" with { type: "json" };
import { parseCreatedToken } from "../../../src/shared/tokens.ts";
import { startBackend } from "../../support/backend-server.ts";
import { takenAway } from "../../support/contract-change.ts";
import { PROJECT } from "../../support/server-process.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const server = await startBackend();
const stranger = server.visitor();
afterAll(() => server[Symbol.asyncDispose]());

/** A server with nothing in it, and a token to change that. */
async function startWithToken() {
  const empty = await startBackend();
  const made = await (await empty.owner()).post("/api/tokens", { name: "Test", scope: "write" });
  return { empty, token: parseCreatedToken(await made.json()).token };
}

describe("GET /api/openapi.json", () => {
  test("has no fault or warning by the rules that Redocly recommends", async () => {
    using folder = createTemporaryFolder();
    const file = join(folder.path, "openapi.json");
    await Bun.write(file, await stranger.request("/api/openapi.json"));
    const redocly = [process.execPath, join(PROJECT, "node_modules/.bin/redocly")];
    const lint = [...redocly, "lint", "--extends", "recommended", "--format", "json", file];
    const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const env = { ...process.env, ...quiet, TMPDIR: folder.path };
    const found: unknown = await Bun.$`${lint}`.env(env).nothrow().json();
    expect(found).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  test("has the paths and methods of the routes, no more and no fewer", async () => {
    const { paths } = await (await stranger.request("/api/openapi.json")).json();
    const described = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, ":")}`,
      ),
    );
    const routes = server.backend.routes.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ":")}`,
    );
    expect(described.toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  test("names If-Match wherever somebody else's change may come first", async () => {
    const { paths, info } = await (await stranger.request("/api/openapi.json")).json();
    expect(info.version).toBe(version);
    const operations = Object.values<object>(paths).flatMap((item) => Object.values(item));
    const guarded = operations.filter(({ responses }) => "412" in responses);
    const missing = guarded.filter(
      ({ parameters }) => !parameters.some(({ name }: { name: string }) => name === "If-Match"),
    );
    expect(guarded.length).toBeGreaterThan(3);
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  });

  test("is 304 for who has it, with or without an account", async () => {
    const first = await stranger.request("/api/openapi.json");
    const etag = first.headers.get("etag") ?? "";
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "public, no-cache"]);
    const headers = { "If-None-Match": etag };
    expect((await stranger.request("/api/openapi.json", { headers })).status).toBe(304);
  });
});

/** The API as version 1.0 described it: later ones only add to it. */
async function keptContract() {
  const packed = await Bun.file(join(import.meta.dir, "../../data/open-api-1.0.json.gz")).bytes();
  return JSON.parse(new TextDecoder().decode(Bun.gunzipSync(packed)));
}

test("the API has all that it had in 1.0", async () => {
  const now = await stranger.json("/api/openapi.json");
  expect(takenAway({ kept: await keptContract(), now })).toEqual([]);
});

test("what is taken away, newly demanded or of another type is found", async () => {
  const kept = await keptContract();
  const now = structuredClone(kept);
  const { paths, components } = now;
  delete paths["/api/audit"];
  delete paths["/api/tokens"].post;
  delete paths["/api/views"].post.responses["201"];
  for (const parameter of paths["/api/domains"].get.parameters) parameter.required = true;
  delete components.schemas.Domain.properties.notes;
  components.schemas.Domain.properties.version.type = "string";
  components.schemas.Money.required = ["minor"];
  paths["/api/domains"].post.requestBody.content["application/json"].schema.required.push("notes");
  const domain = "GET /api/domains 200 application/json/items/*";
  expect(takenAway({ kept, now })).toEqual(
    expect.arrayContaining([
      "GET /api/audit",
      "POST /api/tokens",
      "POST /api/views 201",
      "GET /api/domains query tag",
      `${domain}/notes`,
      `${domain}/version type`,
      "GET /api/costs 200 application/json/sales/*/sold/currency required",
      "POST /api/domains application/json/notes required",
    ]),
  );
});

test("a client made of the description lists, adds, edits, imports and exports by its types", async () => {
  const { empty, token } = await startWithToken();
  await using _ = empty;
  using folder = createTemporaryFolder();
  const inFolder = (name: string) => join(folder.path, name);
  // The paths of the description are of this machine: any server has the same.
  const types = await generateTypes(await (await stranger.request("/api/openapi.json")).text());
  const client = Bun.file(join(PROJECT, "test/data/open-api-client/client.ts"));
  await Bun.write(inFolder("client.ts"), client);
  await Bun.write(inFolder("api.d.ts"), astToString(types));
  const config = { extends: join(PROJECT, "tsconfig.json"), include: ["."], exclude: [] };
  await Bun.write(inFolder("tsconfig.json"), JSON.stringify(config));
  await symlink(join(PROJECT, "node_modules"), inFolder("node_modules"), "junction");
  const check = await Bun.$`${process.execPath} check -p ${folder.path}`.nothrow().quiet();
  expect([check.stdout.toString(), check.exitCode]).toEqual(["", 0]);
  const { useApi } = await import(inFolder("client.ts"));
  const headers = { Authorization: `Bearer ${token}` };
  expect(await useApi(empty.url.origin, headers)).toEqual({
    notes: "By a program",
    stale: [412, "Precondition Failed"],
    new: 1,
    state: "committed",
    names: ["example.com", "example.net"],
    lines: 3,
    pointers: ["/name", "/name"],
  });
});

test.skipIf(Bun.which("curl") === null)(
  "GET /api shows commands that work as they stand",
  async () => {
    const { empty, token } = await startWithToken();
    await using _ = empty;
    using folder = createTemporaryFolder();
    const page = await (await empty.visitor().request("/api")).text();
    expect(page).toContain('href="/api/openapi.json"');
    const shown: string[] = [];
    const reader = new HTMLRewriter().on("pre > code", {
      element: () => void shown.push(""),
      text: ({ text }) => void shown.push(`${shown.pop() ?? ""}${text}`),
    });
    await reader.transform(new Response(page)).text();
    const unescaped = shown.map((each) => each.replaceAll("&quot;", '"').replaceAll("&#x27;", "'"));
    expect(unescaped).toHaveLength(3);
    const [list = "", add = "", save = ""] = unescaped;
    const run = async (command: string) => {
      const env = { ...process.env, TOKEN: token };
      return Bun.$`sh -c ${command}`.cwd(folder.path).env(env).quiet().text();
    };
    expect(JSON.parse(await run(list))).toMatchObject({ items: [], total: 0 });
    expect(JSON.parse(await run(add))).toMatchObject({ name: "example.com" });
    await run(save);
    expect(await Bun.file(join(folder.path, "domains.csv")).text()).toContain("example.com");
  },
);
