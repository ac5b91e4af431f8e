import { afterAll, afterEach, describe, expect, mock, spyOn, test } from "bun:test";
import {
  allPages,
  DEFAULT_PAGE_SETTINGS,
  prerenderScreen,
  renderPages,
} from "../../../src/server/site/pages.ts";
import { lightSite } from "../../support/built-site.ts";
import { resetContexts } from "../../support/reset-contexts.ts";

afterAll(resetContexts);
afterEach(() => mock.restore());

/** The page of /home; without its other codings, which take longer than all else. */
async function pageOf(brand: string, style = ""): Promise<string> {
  const input = { ...lightSite, css: lightSite.css + style };
  const pages = await renderPages(input, { ...DEFAULT_PAGE_SETTINGS, brand });
  return new TextDecoder().decode(pages.byPath.get("/home")?.body);
}

describe("renderPages", () => {
  test("takes a name for nothing but a name", async () => {
    const brand = "</title><script>alert(1)</script> ' onload='x &lt;b&gt; $1$&$` 𝕬 ünï";
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
  });

  test("leads nowhere but below the base path", async () => {
    const urls = new Set<string>();
    const rewriter = new HTMLRewriter().on("*", {
      element({ attributes }) {
        for (const [, value] of attributes) if (value?.includes("/")) urls.add(value);
      },
    });
    const settings = { ...DEFAULT_PAGE_SETTINGS, basePath: "/names" };
    for (const { body } of allPages(await renderPages(lightSite, settings)))
      rewriter.transform(new TextDecoder().decode(body));
    for (const path of ["", "home", "domains", "api/token", "manifest.webmanifest"])
      expect(urls).toContain(`/names/${path}`);
    // A type and a namespace are no addresses.
    const other = [...urls].filter((url) => !url.startsWith("/names/"));
    expect(other.filter((url) => !/^(?:image\/svg\+xml|\/names)$/.test(url))).toEqual([]);
    expect(await pageOf("Acre")).not.toContain("data-base-path");
  });

  test("is a new version where nothing but the style has changed", async () => {
    const versionOf = (page: string) => /data-version="([^"]+)"/.exec(page)?.[1];
    const [before, after] = [await pageOf("Acre"), await pageOf("Acre", "nav{color:red}")];
    expect(versionOf(before)).toBeString();
    expect(versionOf(after)).not.toBe(versionOf(before));
  });
});

describe("prerenderScreen", () => {
  test("is not influenced by what was rendered before", async () => {
    const before = await prerenderScreen("/home", "Acme");
    await prerenderScreen("/nowhere", "Other");
    expect(await prerenderScreen("/home", "Acme")).toEqual(before);
  });

  test("takes as long as a slow machine needs", async () => {
    spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    expect((await prerenderScreen("/home", "Acme")).markup).toContain("</h1>");
  });

  test("names the screen that fails", async () => {
    spyOn(Date.prototype, "getFullYear").mockImplementation(() => {
      throw new Error("no clock");
    });
    const rendered = prerenderScreen("/domains", "Acme");
    await expect(rendered).rejects.toThrow("screen /domains could not be rendered: no clock");
  });
});
