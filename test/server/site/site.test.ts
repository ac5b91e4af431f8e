import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { buildSite } from "../../../src/server/site/build-output.ts";
import { createProductionSite } from "../../../src/server/site/site.ts";
import { resetContexts } from "../../support/reset-contexts.ts";
import { PROJECT } from "../../support/server-process.ts";

// The best coding of every script takes seconds where others use the machine too.
setDefaultTimeout(20_000);

const output = await buildSite(PROJECT);

afterAll(resetContexts);

/** The page alone: without the scripts there is little to compress. */
async function pageOf(brand: string): Promise<string> {
  const bundle = { ...output.bundle, assets: [] };
  const site = await createProductionSite({ ...output, bundle }, brand);
  return new TextDecoder().decode((await site.find("/home"))?.body);
}

describe("createProductionSite", () => {
  test("takes another name without another bundle", async () => {
    const [acre, close] = [await pageOf("Acre"), await pageOf("Close")];
    expect(acre).toContain('<meta name="application-name" content="Acre"');
    expect(acre).toContain("Acre<!-- --> - All rights reserved.");
    expect(acre.replaceAll("Acre", "Close").length).toBe(close.length);
  });

  test.each(["</title><script>alert(1)</script>", "' onload='x", "&lt;b&gt;", "$1$&$`", "𝕬 ünï"])(
    "takes the name %j for nothing but a name",
    async (brand) => {
      const page = await pageOf(brand);
      const said: (string | null)[] = [];
      new HTMLRewriter()
        .on('meta[name="application-name"]', {
          element: (element) => void said.push(element.getAttribute("content")),
        })
        .on("script:not([src])", { element: () => void said.push("an inline script") })
        .on("[onload]", { element: () => void said.push("a handler") })
        .transform(page);
      expect(said).toEqual([Bun.escapeHTML(brand)]);
    },
  );

  test("has every body that shrinks in every coding, once it is compressed", async () => {
    const site = await createProductionSite(output, "Acre");
    await site.compressed;
    for (const path of ["/home", "/domains"]) {
      expect([...((await site.find(path))?.variants.keys() ?? [])].toSorted()).toEqual([
        "br",
        "gzip",
        "identity",
        "zstd",
      ]);
    }
    const icon = await site.find("/icon-192.png");
    expect([...(icon?.variants.keys() ?? [])]).toEqual(["identity"]);
  });
});
