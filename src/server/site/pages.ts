import { TOKEN_PATH } from "../../shared/session.ts";
import { createResource, type Resource } from "../static/resource.ts";
import { pageHeaders } from "../static/security-headers.ts";
import { createFile, type PageInput } from "./build-output.ts";
import { ASSETS } from "./bundle.ts";
import { composePage, setBrand } from "./page.ts";
import { prerenderScreen, screens } from "./prerender.tsx";

/** The finished pages of a site, under one name. */
export interface Pages {
  /** One for each screen, by its pattern. */
  screens: Map<string, Resource>;
  notFound: Resource;
}

/**
 * Renders every screen under the given name, not compressed yet.
 *
 * @throws {Error} Where the bundle has no scripts for the area of a screen.
 */
export async function renderPages(input: PageInput, brand: string): Promise<Pages> {
  const { css, script, startScripts, areaScripts } = input.bundle;
  const html = setBrand(input.html, brand);
  const version = versionPath(input, brand);
  const headers = {
    ...pageHeaders(css),
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-cache",
  };
  async function createPage(pattern: string): Promise<Resource> {
    const { title, markup, area } = await prerenderScreen(pattern, brand);
    const added = area === undefined ? [] : areaScripts[area];
    if (added === undefined) throw new Error(`Expected scripts of the area ${area}.`);
    const page = composePage(html, {
      title,
      markup,
      css,
      script,
      version,
      imports: [...startScripts, ...added],
      // What every area asks first.
      fetches: area === undefined ? [] : [TOKEN_PATH],
    });
    return createResource(new TextEncoder().encode(page), headers);
  }
  const rendered = new Map<string, Resource>();
  for (const pattern of Object.keys(screens)) rendered.set(pattern, await createPage(pattern));
  // Stands for all paths that no screen has.
  return { screens: rendered, notFound: await createPage("/not-found") };
}

export function allPages({ screens: rendered, notFound }: Pages): Resource[] {
  return [...rendered.values(), notFound];
}

/** Path of the file that exists as long as the pages are made of this: any change is another path. */
function versionPath({ bundle, html }: PageInput, brand: string): string {
  const { css, script, startScripts, areaScripts } = bundle;
  const content = JSON.stringify([script, startScripts, areaScripts, css, html, brand]);
  return `${ASSETS}version-${Bun.hash(content).toString(36).padStart(13, "0")}.txt`;
}

/** The file at that path: an open page asks whether it still exists. */
export function createVersionFile(input: PageInput, brand: string): [string, Resource] {
  const bytes = new TextEncoder().encode("This version is served.\n");
  return [versionPath(input, brand), createFile(bytes, "text/plain; charset=utf-8", "no-cache")];
}
