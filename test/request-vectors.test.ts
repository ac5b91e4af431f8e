import { describe, expect, test } from "bun:test";
import { http } from "../src/client/http.ts";
import vectors from "./data/request-vectors.json" with { type: "json" };
import { spyOnFetch } from "./support/fetch-spy.ts";

const spy = spyOnFetch();

const BODIES: Record<string, () => unknown> = {
  json: () => ({ a: 1 }),
  none: () => undefined,
  formdata: () => new FormData(),
  number: () => 0,
  string: () => '{"a":1}',
  urlsearchparams: () => new URLSearchParams({ a: "1" }),
  arraybuffer: () => new ArrayBuffer(4),
};

describe("http.request: the request vectors", () => {
  test("are all here", () => expect(vectors).toHaveLength(91));

  test.each(vectors.map((vector) => [`${vector.id} ${vector.why}`, vector] as const))(
    "%s",
    async (_, vector) => {
      spy.visit({
        origin: vector.pageOrigin,
        path: vector.pagePath,
        base: vector.baseHref,
        cookie: vector.cookie,
      });
      const headers = Object.fromEntries(
        Object.entries(vector.callerHeaders).map(([name, value]) => [name, String(value)]),
      );
      const body = BODIES[vector.body]?.();
      await http.request(vector.url, { method: vector.method ?? undefined, headers, body });

      const { url, init, headers: seen } = spy.lastCall();
      expect(spy.calls).toHaveLength(1);
      expect(url).toBe(vector.url);
      expect(seen.get("x-xsrf-token")).toBe(vector.expectXsrfHeader);
      expect(seen.get("content-type") ?? "absent").toBe(vector.expectContentType);
      expect(init.credentials).toBe(
        vector.expectCredentials === "include" ? "include" : "same-origin",
      );
      expect(init.method).toBe((vector.method ?? "GET").toUpperCase());
    },
  );
});
