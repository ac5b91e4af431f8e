import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { sendRaw, statusOf, values } from "../support/raw-http.ts";
import { startServer } from "../support/server-process.ts";
import { forAll } from "../support/for-all.ts";

const server = forAll(() => startServer());

const ask = (line: string, ...headers: string[]) =>
  sendRaw(server().url, [`${line} HTTP/1.1`, "Host: localhost", ...headers].join("\n"));

const page = async (path = "/home") => (await ask(`GET ${path}`)).body.toString();

const scriptsOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url = ""]) => url);

/** Waits until a file is there in its best coding too: that happens while the server answers. */
async function inBrotli(path: string) {
  for (;;) {
    const answer = await ask(`GET ${path}`, "Accept-Encoding: br");
    if (values(answer, "content-encoding").includes("br")) return answer;
    await Bun.sleep(20);
  }
}

describe("the page in production", () => {
  test("is allowed its own style sheet and no other, and keeps to itself by its other headers", async () => {
    const answer = await ask("GET /home");
    const [css = ""] = [...answer.body.toString().matchAll(/<style>(.*?)<\/style>/gs)].map(
      ([, text]) => text,
    );
    const hash = new Bun.CryptoHasher("sha256").update(css).digest("base64");
    expect(values(answer, "content-security-policy")).toEqual([
      `default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${hash}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    ]);
    expect(css).toStartWith(":root{");
    const expected = {
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
    };
    for (const [name, value] of Object.entries(expected))
      expect(values(answer, name)).toEqual([value]);
    expect(values(answer, "permissions-policy")[0]).toContain("camera=()");
    expect(values(answer, "strict-transport-security")).toEqual([]);
  });

  test.each(["/", "/home", "/domains", "/nothing"])(
    "needs nothing that the policy forbids: %s",
    async (path) => {
      const html = (await ask(`GET ${path}`, "Accept: text/html")).body.toString();
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
      expect(html).not.toMatch(/<[^>]+\s(?:style|on\w+)=/);
      expect(html.match(/<style>/g)).toHaveLength(1);
      expect(html).not.toMatch(/(?:src|href)="(?:\.\.?\/|https?:)/);
    },
  );

  test("shows each screen before any script has run", async () => {
    expect(await page("/home")).toMatch(
      /<title>Home · Freehold<\/title>.*<nav.*<h1[^>]*>Home<\/h1>.*All rights reserved/s,
    );
    expect(await page("/domains")).toMatch(
      /<title>Domains · Freehold<\/title>.*<h1[^>]*>Domains<\/h1>/s,
    );
    expect(await page("/")).toBe(await page("/home"));
    const nowhere = await ask("GET /nothing", "Accept: text/html");
    expect(nowhere.body.toString()).toMatch(/<title>Not found · Freehold<\/title>.*<h1/s);
  });

  test("names the scripts of its own area, all of them there and none of the other's", async () => {
    const [home, domains] = [scriptsOf(await page("/home")), scriptsOf(await page("/domains"))];
    expect(home.some((url) => url.startsWith("/assets/home-"))).toBe(true);
    expect(home.some((url) => url.startsWith("/assets/list-"))).toBe(false);
    expect(domains.some((url) => url.startsWith("/assets/list-"))).toBe(true);
    expect(domains.some((url) => url.startsWith("/assets/home-"))).toBe(false);
    for (const url of new Set([...home, ...domains]))
      expect(statusOf(await ask(`GET ${url}`))).toBe(200);
  });

  test("names every file beside it that is there", async () => {
    const files = [...(await page()).matchAll(/<link [^>]*href="(\/[^"]+)"/g)].map(
      ([, url]) => url,
    );
    expect(files).toContain("/favicon.svg");
    for (const url of files) expect(statusOf(await ask(`GET ${url}`))).toBe(200);
  });
});

describe("bodies in production", () => {
  const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };

  test("come in every coding, each under a tag of its own, and say the same", async () => {
    for (const path of ["/home", scriptsOf(await page())[0] ?? "", "/favicon.svg"]) {
      await inBrotli(path);
      const plain = await ask(`GET ${path}`);
      const tags = new Set(values(plain, "etag"));
      expect(values(plain, "vary")).toEqual(["Accept-Encoding"]);
      expect(values(plain, "content-encoding")).toEqual([]);
      for (const [coding, decode] of Object.entries(decoders)) {
        const answer = await ask(`GET ${path}`, `Accept-Encoding: ${coding}`);
        expect(values(answer, "content-encoding")).toEqual([coding]);
        expect(values(answer, "vary")).toEqual(["Accept-Encoding"]);
        expect(decode(answer.body).equals(plain.body)).toBe(true);
        for (const tag of values(answer, "etag")) tags.add(tag);
      }
      expect(tags.size).toBe(4);
    }
  });

  test("are refused to who takes no coding that there is", async () => {
    expect(statusOf(await ask("GET /home", "Accept-Encoding: identity;q=0"))).toBe(406);
    expect(statusOf(await ask("GET /icon-192.png", "Accept-Encoding: *;q=0"))).toBe(406);
  });

  test("are not sent again in the coding that the client has, and are in another", async () => {
    const answer = await inBrotli("/home");
    const [tag = ""] = values(answer, "etag");
    const again = await ask("GET /home", "Accept-Encoding: br", `If-None-Match: ${tag}`);
    expect(statusOf(again)).toBe(304);
    expect(values(again, "content-security-policy")).toHaveLength(1);
    expect(statusOf(await ask("GET /home", "Accept-Encoding: gzip", `If-None-Match: ${tag}`))).toBe(
      200,
    );
  });

  test("are kept for ever where the name holds a hash", async () => {
    for (const url of scriptsOf(await page())) {
      const answer = await ask(`GET ${url}`);
      expect(values(answer, "cache-control")).toEqual(["public, max-age=31536000, immutable"]);
      expect(values(answer, "content-type")).toEqual(["text/javascript;charset=utf-8"]);
      expect(values(answer, "x-content-type-options")).toEqual(["nosniff"]);
    }
  });

  test("hold the page within 13 KB, which a new connection sends at once (RFC 6928)", async () => {
    for (const path of ["/home", "/domains"])
      expect((await inBrotli(path)).body.length).toBeLessThan(13_000);
  });
});
