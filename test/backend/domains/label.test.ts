import { describe, expect } from "bun:test";
import { foldLabel } from "../../../src/shared/text.ts";
import { once as test } from "../../support/owner-test.ts";
import { importFile, previewOf } from "../../support/import-client.ts";

/** Zero width space, soft hyphen, word joiner, zero width joiner, byte order mark, variation selector. */
const INVISIBLE = ["\u200b", "\u00ad", "\u2060", "\u200d", "\ufeff", "\ufe0f"];

describe("foldLabel", () => {
  test("makes one key of spellings that look alike", () => {
    for (const mark of INVISIBLE) {
      expect(foldLabel(`Go${mark}Daddy ${mark} `)).toBe("godaddy");
      expect(foldLabel(`${mark}É${mark}`)).toBe("é");
    }
    expect(foldLabel(" Ｇｏ Daddy ")).toBe("go daddy");
    expect(foldLabel("GoDaddy")).toBe("godaddy");
  });

  test("keeps what can be seen apart", () => {
    const labels = ["a b", "ab", "a-b", "a.b", "ä b", "a b́"];
    expect(new Set(labels.map(foldLabel)).size).toBe(labels.length);
  });
});

describe("labels with something invisible", () => {
  test("are no change when they are imported", async (client) => {
    await importFile(client, "domain,registrar,tags\na.example,Hoster,one\n");
    const file = "domain,registrar,tags\na.example,Hos\u200bter,o\u00adne\n";
    const { counts } = await previewOf(client, file);
    expect(counts).toMatchObject({ same: 1, changed: 0 });
  });
});
