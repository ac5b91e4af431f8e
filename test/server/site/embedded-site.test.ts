import { afterAll, describe, expect, test } from "bun:test";
import { DEFAULT_PAGE_SETTINGS } from "../../../src/server/site/pages.ts";
import {
  createProductionSite,
  openEmbeddedSite,
  serializeSite,
  type Site,
} from "../../../src/server/site/site.ts";
import { lightSite } from "../../support/built-site.ts";
import { resetContexts } from "../../support/reset-contexts.ts";

const OTHER = { ...DEFAULT_PAGE_SETTINGS, brand: "A much longer name & more", basePath: "/names" };

const { buffer } = new Uint8Array(await serializeSite(lightSite));
const started = await createProductionSite(lightSite, OTHER);

afterAll(resetContexts);

describe("openEmbeddedSite", () => {
  test("has the pages and files that a start from source has, under any name and base path", async () => {
    const embedded = await openEmbeddedSite(buffer, OTHER);
    const pages = ["/", "/home", "/domains", "/domains/a.example"];
    for (const path of [...pages, lightSite.script, "/icon-192.png"]) {
      const [was, is] = [await started.find(path), await embedded.find(path)];
      expect(is?.body).toEqual(was?.body);
      expect(is?.headers).toEqual(was?.headers ?? {});
    }
    expect((await embedded.notFound()).body).toEqual((await started.notFound()).body);
    expect(await embedded.find("/nowhere")).toBeUndefined();
  });

  test("is another version under another name, as a start from source is", async () => {
    const versionOf = async (site: Site) => {
      const page = new TextDecoder().decode((await site.find("/home"))?.body);
      return /data-version="([^"]+)"/.exec(page)?.[1] ?? "";
    };
    const [ours, theirs] = [
      await openEmbeddedSite(buffer, DEFAULT_PAGE_SETTINGS),
      await openEmbeddedSite(buffer, OTHER),
    ];
    const version = await versionOf(theirs);
    expect(version).toStartWith("/names/assets/");
    expect(version).toBe(await versionOf(started));
    for (const site of [theirs, started]) {
      expect((await site.find(version.replace("/names", "")))?.body.length).toBeGreaterThan(0);
      expect(await site.find(await versionOf(ours))).toBeUndefined();
    }
  });

  test("has every coding at once", async () => {
    const site = await openEmbeddedSite(buffer, DEFAULT_PAGE_SETTINGS);
    const codings = ["br", "gzip", "identity", "zstd"] as const;
    for (const resource of [await site.find("/home"), await site.find(lightSite.script)])
      expect([...(resource?.variants.keys() ?? [])].toSorted()).toEqual([...codings]);
  });
});
