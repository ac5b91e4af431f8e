import { describe, expect, test } from "bun:test";
import {
  acceptsHtml,
  chooseCoding,
  CODINGS,
  type Coding,
} from "../../../src/server/static/resource.ts";

const everything = new Set<Coding>(CODINGS);

describe("chooseCoding", () => {
  test.each<[header: string | null, chosen: Coding | null]>([
    [null, "identity"],
    ["", "identity"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate, zstd", "zstd"],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP", "gzip"],
    ["br;q=0.1, gzip;q=0.9", "gzip"],
    ["br;q=0.5, gzip;q=0.5", "br"],
    ["gzip;q=0", "identity"],
    ["br;q=0, *", "zstd"],
    ["*", "br"],
    ["*;q=0", null],
    ["*;q=0, gzip", "gzip"],
    ["*;q=0, identity", "identity"],
    ["identity", "identity"],
    ["identity;q=0", null],
    ["identity;q=0, gzip;q=0.001", "gzip"],
    ["identity, gzip;q=0.5", "identity"],
    ["deflate, compress", "identity"],
    ["gzip ; q=0.3 , zstd ; q=0.2", "gzip"],
    ["gzip;q=2, zstd;q=0.1", "zstd"],
    ["gzip;q=nonsense", "identity"],
  ])("%j → %j", (header, chosen) => {
    expect(chooseCoding(header, everything)).toBe(chosen);
  });

  test("chooses among those that are ready", () => {
    expect(chooseCoding("br, gzip", new Set<Coding>(["identity", "gzip"]))).toBe("gzip");
    expect(chooseCoding("identity;q=0, br", new Set<Coding>(["identity"]))).toBeNull();
  });
});

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
])("acceptsHtml %j → %j", (header, accepted) => {
  expect(acceptsHtml(header)).toBe(accepted);
});
