import { describe, expect, test } from "bun:test";
import { packSite } from "../../../src/server/site/pack-site.ts";
import { openPackedSite } from "../../../src/server/site/packed-site.ts";
import { createProductionSite } from "../../../src/server/site/production-site.ts";
import type { Site } from "../../../src/server/site/site.ts";
import { readMaterial } from "../../../src/server/site/site-material.ts";
import { PROJECT } from "../../support/server-process.ts";

const material = await readMaterial(PROJECT);
const { buffer } = new Uint8Array(await packSite(material));

describe("openPackedSite", () => {
  test.each(["Freehold", "A much longer name & more"])(
    "has the pages and files that a start from source has, under the name %s",
    async (brand) => {
      const [packed, started] = [
        await openPackedSite(buffer, brand),
        await createProductionSite(material, brand),
      ];
      for (const path of ["/", "/home", "/domains", "/domains/a.example"]) {
        const [was, is] = [await started.find(path), await packed.find(path)];
        expect(is?.body).toEqual(was?.body);
        expect(is?.headers).toEqual(was?.headers ?? {});
      }
      expect((await packed.notFound()).body).toEqual((await started.notFound()).body);
      const files = [...material.bundle.assets.map(({ path }) => path), "/icon-192.png"];
      for (const path of files) {
        const [was, is] = [await started.find(path), await packed.find(path)];
        expect(is?.body).toEqual(was?.body);
        expect(is?.headers).toEqual(was?.headers ?? {});
      }
      expect(await packed.find("/nowhere")).toBeUndefined();
      expect(await packed.find("/nowhere")).toBeUndefined();
    },
  );

  test("is another version under another name, as a start from source is", async () => {
    const versionOf = async (site: Site) => {
      const page = new TextDecoder().decode((await site.find("/home"))?.body);
      return /data-version="([^"]+)"/.exec(page)?.[1] ?? "";
    };
    const [ours, theirs] = [
      await openPackedSite(buffer, "Freehold"),
      await openPackedSite(buffer, "X"),
    ];
    const started = await createProductionSite(material, "X");
    const version = await versionOf(theirs);
    expect(version).toBe(await versionOf(started));
    for (const site of [theirs, started]) {
      expect((await site.find(version))?.body.length).toBeGreaterThan(0);
      expect(await site.find(await versionOf(ours))).toBeUndefined();
    }
  });

  test("has every coding at once", async () => {
    const site = await openPackedSite(buffer, "Freehold");
    const codings = ["br", "gzip", "identity", "zstd"] as const;
    for (const resource of [await site.find("/home"), await site.find(material.bundle.script)])
      expect([...(resource?.variants.keys() ?? [])].toSorted()).toEqual([...codings]);
  });
});
