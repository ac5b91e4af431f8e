import { describe, expect, test } from "bun:test";
import { http, HttpError, site } from "../../src/client/http.ts";
import { spyOnFetch } from "../support/fetch-spy.ts";

const spy = spyOnFetch();
const json = (value: unknown, init?: ResponseInit) => Response.json(value, init);

async function failure(promise: Promise<unknown>): Promise<HttpError> {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (!(error instanceof HttpError)) throw new Error(`expected an HttpError, got ${String(error)}`);
  return error;
}

describe("http.request: what is sent", () => {
  test.each([
    ["an object as JSON", { a: 1 }, '{"a":1}'],
    ["null as JSON", null, "null"],
    ["false as JSON", false, "false"],
    ["an empty string as it is", "", ""],
    ["text as it is", "plain", "plain"],
  ])("sends %s", async (_, body, expected) => {
    await http.post("/api/x", body);
    expect(spy.lastCall().init.body).toBe(expected);
  });

  test("hands form data, bytes and blobs on untouched, and no body where there is none", async () => {
    await http.post("/api/x");
    expect("body" in spy.lastCall().init).toBe(false);
    for (const body of [new FormData(), new Uint8Array(2), new Blob(["x"])]) {
      await http.put("/api/x", body);
      expect(spy.lastCall().init.body).toBe(body);
    }
  });

  test("refuses redirects where the token is on board, unless the caller says otherwise", async () => {
    await http.post("/api/x", {});
    expect(spy.lastCall().init.redirect).toBe("error");
    await http.post("/api/x", {}, { redirect: "manual" });
    expect(spy.lastCall().init.redirect).toBe("manual");
    await http.get("/api/x");
    expect(spy.lastCall().init.redirect).toBe("follow");
    await http.post("https://evil.test/x", {});
    expect(spy.lastCall().init.redirect).toBe("follow");
  });

  test("appends the query before the fragment, repeats lists, leaves out what is null", async () => {
    const query = { q: "a b&c", tag: ["x", "y"], none: null, not: undefined, zero: 0, no: false };
    await http.get("/api/x?sort=name#top", { query });
    expect(spy.lastCall().url).toBe("/api/x?sort=name&q=a+b%26c&tag=x&tag=y&zero=0&no=false#top");
    await http.get("/api/x", { query: { none: null } });
    expect(spy.lastCall().url).toBe("/api/x");
  });

  test("classifies the very string that it sends, query included", async () => {
    await http.post("/api/token", {}, { query: { a: "//evil.test" } });
    expect(spy.lastCall().init.credentials).toBe("include");
    expect(spy.lastCall().headers.get("x-xsrf-token")).toBe("tok");
  });

  test("reads origin, base, cookie and fetch when it is called", async () => {
    await http.post("/api/x", {});
    spy.visit({ origin: "https://other.test", cookie: "XSRF-TOKEN=second" });
    await http.post("/api/x", {});
    expect(spy.calls.map((call) => call.headers.get("x-xsrf-token"))).toEqual(["tok", "second"]);
  });

  test("knows its API and its cookie from those of another register of the host", async () => {
    const atRoot = { ...site };
    Object.assign(site, { basePath: "/names", xsrfCookie: "XSRF-TOKEN~names" });
    try {
      spy.visit({
        origin: "https://app.test",
        cookie: "XSRF-TOKEN=root; XSRF-TOKEN~names2=other; XSRF-TOKEN~names=own",
      });
      for (const path of ["/names/api/token", "/api/token", "/names/api/upload/post"]) {
        await http.post(path, new FormData());
        expect(spy.lastCall().headers.get("x-xsrf-token")).toBe("own");
      }
      expect(spy.calls.map(({ init }) => init.credentials)).toEqual([
        "include",
        "same-origin",
        "same-origin",
      ]);
      const headers = { "content-type": "text/plain" };
      await http.post("/names/api/upload/post", new FormData(), { headers });
      expect(spy.lastCall().headers.has("content-type")).toBe(false);
    } finally {
      Object.assign(site, atRoot);
    }
  });

  const refuse = () => {
    throw new DOMException("sandboxed", "SecurityError");
  };
  test.each([
    ["no token where the document refuses its cookie", refuse, null],
    ["no line break in the token", "XSRF-TOKEN=a%0D%0Ab", "a%0D%0Ab"],
    ["no token that a header cannot carry", "XSRF-TOKEN=t€", null],
  ])("sends %s", async (_, cookie, sent) => {
    spy.visit({ origin: "https://app.test", cookie });
    await http.post("/api/x", {});
    expect(spy.lastCall().headers.get("x-xsrf-token")).toBe(sent);
  });

  test.each([
    ["", "application/json"],
    ["text/csv", null],
  ])("leaves its type to a Blob that has one: %j", async (type, sent) => {
    await http.post("/api/x", new Blob(["{}"], { type }));
    expect(spy.lastCall().headers.get("content-type")).toBe(sent);
    // The one that the caller names comes before either.
    await http.post("/api/x", new FormData(), { headers: { "Content-Type": "x/y" } });
    expect(spy.lastCall().headers.get("content-type")).toBe("x/y");
  });

  test.each(["get", "head", "post", "put", "patch", "delete"] as const)(
    "offers %s",
    async (name) => {
      await http[name]("/api/x");
      expect(spy.lastCall().init.method).toBe(name.toUpperCase());
    },
  );
});

describe("http.request: what comes back", () => {
  test("is JSON where the answer says so, text elsewhere, null where it is empty", async () => {
    spy.answer = () => json({ a: 1 });
    expect(await http.get("/api/x")).toEqual({ a: 1 });
    spy.answer = () => new Response("a,b", { headers: { "content-type": "text/csv" } });
    expect(await http.get("/api/x")).toBe("a,b");
    spy.answer = () => new Response(null, { status: 204 });
    expect(await http.delete("/api/x")).toBeNull();
  });

  test("goes through parse, which also sees the headers", async () => {
    spy.answer = () => json({ n: 2 }, { headers: { etag: '"7"' } });
    const parsed = await http.get("/api/x", {
      parse: (body, response) => [body, response.headers.get("etag")] as const,
    });
    expect(parsed).toEqual([{ n: 2 }, '"7"']);
  });

  test("is a problem with its document when the status is not 2xx", async () => {
    const problem = { type: "about:blank", title: "Gone", status: 410, detail: "It was deleted." };
    spy.answer = () =>
      json(problem, { status: 410, headers: { "content-type": "application/problem+json" } });
    const error = await failure(http.get("/api/x"));
    const call = { url: "/api/x", method: "GET" };
    expect(error).toMatchObject({ kind: "http", status: 410, ...call, problem });
  });

  test("ignores what a problem document says in another type than it should", async () => {
    const errors = [null, { pointer: "/a" }];
    const odd = { title: 7, detail: { a: 1 }, status: "x", errors, extra: 1 };
    const headers = { "content-type": "application/problem+json" };
    spy.answer = () => json(odd, { status: 500, headers });
    expect((await failure(http.get("/api/x"))).problem).toEqual({
      type: "about:blank",
      title: "",
      status: 500,
      detail: "",
      errors: [{ pointer: "/a" }],
      extra: 1,
    } as never);
    spy.answer = () => json({ errors: "many" }, { status: 500, headers });
    expect((await failure(http.get("/api/x"))).problem?.errors).toEqual([]);
  });

  test("has no problem where the failed answer is something else", async () => {
    spy.answer = () => new Response("<h1>502</h1>", { status: 502 });
    const none = { kind: "http", problem: null };
    expect(await failure(http.get("/api/x"))).toMatchObject({ status: 502, ...none });
    const broken = { "content-type": "application/problem+json" };
    spy.answer = () => new Response("{", { status: 500, headers: broken });
    expect(await failure(http.get("/api/x"))).toMatchObject({ status: 500, problem: null });
  });

  test("is a parse failure when JSON is broken or parse refuses it", async () => {
    spy.answer = () => new Response("{", { headers: { "content-type": "application/json" } });
    expect((await failure(http.get("/api/x"))).kind).toBe("parse");
    spy.answer = () => json([]);
    const refuse = () => {
      throw new TypeError("expected an object");
    };
    const error = await failure(http.get("/api/x", { parse: refuse }));
    expect(error).toMatchObject({ kind: "parse", status: 200 });
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  test("is a network failure when fetch rejects", async () => {
    spy.answer = () => Promise.reject(new TypeError("Failed to fetch"));
    const error = await failure(http.get("/api/x"));
    expect(error).toMatchObject({ kind: "network", status: 0, problem: null });
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  test("is an HttpError too when the body or a header cannot be sent", async () => {
    expect((await failure(http.post("/api/x", { n: 1n }))).kind).toBe("parse");
    await failure(http.get("/api/x", { headers: { "bad header": "x" } }));
    expect(spy.calls).toHaveLength(0);
  });
});

describe("http.request: signals", () => {
  /** An answer whose body never ends, and which fails as a real one does when it is called off. */
  const endless = (signal: AbortSignal | null | undefined) =>
    new Response(
      new ReadableStream({
        start: (controller) =>
          signal?.addEventListener("abort", () => controller.error(signal.reason)),
      }),
    );

  test("times out while the body is still coming", async () => {
    spy.answer = endless;
    expect(await failure(http.get("/api/x", { timeout: 20 }))).toMatchObject({ kind: "timeout" });
  });

  test("is called off by the caller's signal", async () => {
    spy.answer = endless;
    const controller = new AbortController();
    const pending = failure(http.get("/api/x", { signal: controller.signal, timeout: 5000 }));
    controller.abort();
    expect((await pending).kind).toBe("abort");
  });

  test("passes no signal where neither is asked for", async () => {
    await http.get("/api/x", { timeout: 0 });
    expect("signal" in spy.lastCall().init).toBe(false);
    await http.post("/api/upload/post", new FormData());
    expect("signal" in spy.lastCall().init).toBe(false);
  });
});
