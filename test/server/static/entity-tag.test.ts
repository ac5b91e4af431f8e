import { describe, expect, test } from "bun:test";
import { entityTag } from "../../../src/server/static/entity-tag.ts";

describe("entityTag", () => {
  const bytes = new TextEncoder().encode("body");

  test("is strong, the same for the same bytes and another for others", () => {
    expect(entityTag(bytes)).toMatch(/^"[\w-]{22}"$/);
    expect(entityTag(bytes)).toBe(entityTag(new TextEncoder().encode("body")));
    expect(entityTag(bytes)).not.toBe(entityTag(new Uint8Array()));
  });

  test("tells the encodings of one body apart", () => {
    expect(entityTag(bytes, "br")).not.toBe(entityTag(bytes, "gzip"));
  });
});
