import { afterAll, describe, expect, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { isRecord } from "../../../src/shared/parse.ts";
import { startBackend } from "../../support/backend-server.ts";
import { memberAt } from "../../support/json-schema.ts";

const server = await startBackend();
const stranger = server.visitor();
afterAll(() => server[Symbol.asyncDispose]());

describe("GET /api/openapi.json", () => {
  test("has no fault or warning by the rules that Redocly recommends", async () => {
    const source = await (await stranger.request("/api/openapi.json")).text();
    const config = await createConfig({ extends: ["recommended"] });
    const found = await lintFromString({ source, absoluteRef: "/openapi.json", config });
    expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test("has the paths and methods of the routes, no more and no fewer", async () => {
    const paths = memberAt(await stranger.json("/api/openapi.json"), "paths");
    if (!isRecord(paths)) throw new Error("No paths");
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(isRecord(item) ? item : {}).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, ":")}`,
      ),
    );
    const routes = server.backend.routes.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ":")}`,
    );
    expect(described.toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  test("is 304 for who has it, with or without an account", async () => {
    const first = await stranger.request("/api/openapi.json");
    const etag = first.headers.get("etag") ?? "";
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "public, no-cache"]);
    const headers = { "If-None-Match": etag };
    expect((await stranger.request("/api/openapi.json", { headers })).status).toBe(304);
  });
});
