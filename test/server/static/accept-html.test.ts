import { describe, expect, test } from "bun:test";
import { acceptsHtml } from "../../../src/server/static/accept-html.ts";

describe("acceptsHtml", () => {
  test.each<[header: string | null, accepted: boolean]>([
    [null, true],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", true],
    ["*/*", true],
    ["text/*", true],
    ["TEXT/HTML", true],
    ["application/xhtml+xml", true],
    ["application/json", false],
    ["image/*", false],
    ["text/css,*/*;q=0", false],
    ["text/html;q=0, */*", false],
    ["text/html;q=0.1", true],
  ])("%j → %j", (header, accepted) => {
    expect(acceptsHtml(header)).toBe(accepted);
  });
});
