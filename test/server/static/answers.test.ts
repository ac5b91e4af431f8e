import { describe, expect, test } from "bun:test";
import { exchangeBytes, sendRaw, statusOf, values } from "../../support/raw-http.ts";
import { startServer } from "../../support/server-process.ts";
import { forAll } from "../../support/for-all.ts";

const BRAND = 'A&B "<i>$&';
const ESCAPED = "A&amp;B &quot;&lt;i&gt;$&amp;";
const HTML = "Accept: text/html";
/** A 404 differs by this. */
const ACCEPT = /\bAccept\b(?!-)/;

/** Files that lie beside the site, by what only they contain. */
const SECRETS = /"devDependencies"|root:x:0|createRequestHandler|PRAGMA|SQLite format/;
const UP =
  "../ ..%2f ..%2F %2e%2e/ %2e%2e%2f .%2e/ ..%5c ..\\ %2e%2e%5c ..%252f %252e%252e/ ..%c0%af %c0%ae%c0%ae/ ..%ef%bc%8f ....// ..;/ ..%00/ %uff0e%uff0e/ ..%0d/".split(
    " ",
  );
const FROM = ["/", "/assets/", "/icons/../", "/robots.txt/", "//", "/./"];
const TO = ["package.json", "src/server/request-handler.ts", "etc/passwd"];

/** The rows of the table of answers that hold whoever serves the page. */
describe.each(["production", "development"])("server.ts in %s", (mode) => {
  const server = forAll(() => startServer({ NODE_ENV: mode, BRAND }));

  const ask = (line: string, ...headers: string[]) =>
    sendRaw(server().url, [`${line} HTTP/1.1`, "Host: localhost", ...headers].join("\n"));

  const pages = "/ /home /domains /domains/xn--bcher-kva.example /domains/script.js /home?a=1";
  test.each([...pages.split(" "), "/x/../home"])("answers %s with the page", async (path) => {
    const answer = await ask(`GET ${path}`, HTML);
    expect(statusOf(answer)).toBe(200);
    expect(values(answer, "content-type")).toEqual(["text/html; charset=utf-8"]);
    expect(values(answer, "cache-control")).toEqual(["no-cache"]);
    expect(values(answer, "etag")).toHaveLength(1);
    expect(answer.body.toString()).toContain('<div id="root">');
  });

  const missing = "/nothing /home/ /HOME /domains/ /domains/a.example/b /apix /a.b/c //home";
  test.each([...missing.split(" "), "/%2e%2e%2fetc"])(
    "answers %s with the page and 404",
    async (path) => {
      const answer = await ask(`GET ${path}`, HTML);
      expect(statusOf(answer)).toBe(404);
      expect(values(answer, "content-type")).toEqual(["text/html; charset=utf-8"]);
      expect(values(answer, "vary").join()).toMatch(ACCEPT);
      expect(values(answer, "etag")).toEqual([]);
    },
  );

  const files = `/nothing.js /assets/main-00000000.css /src/client/main.tsx /package.json
    /server.ts /site.bin /.env /..%2f..%2fetc%2fpasswd.txt`;
  test.each([
    ...files.split(/\s+/).map((path) => [path, "text/html"] as const),
    ["/nothing", "application/json"],
    // Only where it is asked for.
    ["/metrics", "text/plain"],
    ["/assets/main-00000000.js", "*/*"],
  ])("answers %s, where %s is wanted, with 404 as text", async (path, accept) => {
    const answer = await ask(`GET ${path}`, `Accept: ${accept}`);
    expect(statusOf(answer)).toBe(404);
    expect(values(answer, "content-type")).toEqual(["text/plain; charset=utf-8"]);
    expect(values(answer, "cache-control")).toEqual(["no-store"]);
    if (path === "/nothing") expect(values(answer, "vary").join()).toMatch(ACCEPT);
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])(
    "lets nobody %s what can only be read",
    async (method) => {
      for (const path of ["/home", "/robots.txt"]) {
        const answer = await ask(`${method} ${path}`, HTML, "Content-Length: 0");
        expect(statusOf(answer)).toBe(405);
        expect(values(answer, "allow")).toEqual(["GET, HEAD"]);
      }
      expect(statusOf(await ask(`${method} /nothing`, HTML, "Content-Length: 0"))).toBe(404);
    },
  );

  test("answers HEAD as GET, without the body", async () => {
    for (const path of ["/home", "/robots.txt", "/nothing"]) {
      const [get, head] = [await ask(`GET ${path}`, HTML), await ask(`HEAD ${path}`, HTML)];
      expect(head.start).toBe(get.start);
      expect(head.body).toBeEmpty();
      for (const name of ["content-type", "content-length", "etag", "cache-control"]) {
        expect(values(head, name)).toEqual(values(get, name));
      }
    }
  });

  test("serves the files of public/ byte for byte", async () => {
    const answer = await ask("GET /robots.txt");
    expect(answer.body.toString()).toBe(await Bun.file("public/robots.txt").text());
    expect(values(answer, "cache-control")).toEqual(["no-cache"]);
    const icon = await ask("GET /icon-192.png", "Accept-Encoding: br, gzip");
    expect(icon.body.equals(Buffer.from(await Bun.file("public/icon-192.png").bytes()))).toBe(true);
    expect(values(icon, "content-type")).toEqual(["image/png"]);
  });

  test("says 304 to who has the page, and to nobody else", async () => {
    // Whatever is accepted, a known screen is given.
    const page = await ask("GET /home", "Accept: application/json");
    expect(statusOf(page)).toBe(200);
    const [tag = ""] = values(page, "etag");
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const answer = await ask("GET /home", `If-None-Match: ${known}`);
      expect(statusOf(answer)).toBe(304);
      expect(answer.body).toBeEmpty();
      expect(values(answer, "etag")).toEqual([tag]);
    }
    for (const unknown of ['"other"', "nonsense", tag.toLowerCase().toUpperCase().slice(0, -2)]) {
      expect(statusOf(await ask("GET /home", `If-None-Match: ${unknown}`))).toBe(200);
    }
  });

  test("puts the name into the page, and nothing else with it", async () => {
    const page = (await ask("GET /home")).body.toString();
    expect(page).toContain(`<meta name="application-name" content="${ESCAPED}"`);
    expect(page).not.toContain("<i>");
    expect(page).not.toContain("Freehold");
    expect(page.match(/<title>([^<]*)<\/title>/)?.[1]).toEndWith(
      mode === "production" ? 'A&amp;B "&lt;i&gt;$&amp;' : ESCAPED,
    );
  });

  test.each(UP)("reads nothing that lies beside the site by a path with %s", async (up) => {
    const targets = FROM.flatMap((from) => TO.map((to) => `${from}${up.repeat(8)}${to}`));
    for (const target of [...targets, `/${up}package.json`, `/public/${up}package.json`]) {
      const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nConnection: close\r\n\r\n`;
      const text = (await exchangeBytes(server().url, head)).toString("latin1");
      expect(text).toMatch(/^HTTP\/1\.1 (?:400|404|505) /);
      expect(text).not.toMatch(SECRETS);
    }
  });

  test("lets /api/ be answered by the backend", async () => {
    const answer = await ask("GET /api/token", HTML);
    expect(JSON.parse(answer.body.toString())).toEqual({ state: "set-up" });
    expect(statusOf(await ask("GET /api", HTML))).toBe(200);
    expect(statusOf(await ask("GET /api/nothing.js", HTML))).toBe(401);
  });
});
