import { describe, expect } from "bun:test";
import { foldLabel } from "../../../src/shared/text.ts";
import { once as test } from "../../support/owner-test.ts";
import { addDomain, listNames } from "../../support/domains.ts";
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
  test("are one registrar, one owner and one tag", async (client) => {
    const spellings = ["Hoster", ...INVISIBLE.map((mark) => `Hos${mark}ter`)];
    for (const [index, label] of spellings.entries()) {
      const labels = { registrar: label, owner: label, tags: [label] };
      await addDomain(client, { name: `n${index}.example`, ...labels });
    }
    const all = [{ value: "Hoster", names: spellings.length }];
    const facets = await client.json("/api/facets");
    expect(facets).toMatchObject({ registrars: all, owners: all, tags: all });
    for (const filter of ["registrar", "owner", "tag"]) {
      const query = new URLSearchParams({ [filter]: spellings[1] ?? "" });
      expect(await listNames(client, String(query))).toHaveLength(spellings.length);
    }
  });

  test("are no change when they are imported", async (client) => {
    await importFile(client, "domain,registrar,tags\na.example,Hoster,one\n");
    const file = "domain,registrar,tags\na.example,Hos\u200bter,o\u00adne\n";
    const { counts } = await previewOf(client, file);
    expect(counts).toMatchObject({ same: 1, changed: 0 });
  });
});
