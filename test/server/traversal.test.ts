import { describe, expect, test } from "bun:test";
import { exchangeBytes } from "../support/raw-http.ts";
import { startServer } from "../support/server-process.ts";
import { forAll } from "../support/for-all.ts";

/** Files that lie beside the site, by what only they contain. */
const SECRETS = /"devDependencies"|root:x:0|createRequestHandler|PRAGMA|SQLite format/;

const UP = [
  "../",
  "..%2f",
  "..%2F",
  "%2e%2e/",
  "%2e%2e%2f",
  ".%2e/",
  "..%5c",
  "..\\",
  "%2e%2e%5c",
  "..%252f",
  "%252e%252e/",
  "..%c0%af",
  "%c0%ae%c0%ae/",
  "..%ef%bc%8f",
  "....//",
  "..;/",
  "..%00/",
  "%uff0e%uff0e/",
  "..%0d/",
];

const FROM = ["/", "/assets/", "/icons/../", "/robots.txt/", "//", "/./"];
const TO = ["package.json", "src/server/request-handler.ts", "etc/passwd"];

describe.each(["production", "development"])("a path that leads out of the site, in %s", (mode) => {
  const server = forAll(() => startServer({ NODE_ENV: mode, LOG: "quiet" }));

  test.each(UP)("reads nothing, written as %s", async (up) => {
    const targets = FROM.flatMap((from) => TO.map((to) => `${from}${up.repeat(8)}${to}`));
    for (const target of [...targets, `/${up}package.json`, `/public/${up}package.json`]) {
      const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nConnection: close\r\n\r\n`;
      const text = (await exchangeBytes(server().url, head)).toString("latin1");
      expect(text).toMatch(/^HTTP\/1\.1 (?:400|404|505) /);
      expect(text).not.toMatch(SECRETS);
    }
  });
});
