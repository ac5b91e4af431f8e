import { TOKEN_PATH } from "../../shared/session.ts";
import { createResource, type Resource } from "../static/resource.ts";
import { pageHeaders } from "../static/security-headers.ts";
import { createFile, type PageInput } from "./build-output.ts";
import { ASSETS } from "./bundle.ts";
import { applySettings, composePage, moveBelow, type PageSettings } from "./page.ts";
import { prerenderScreen, screens } from "./prerender.tsx";

/** The finished pages of a site, under one name and base path. */
export interface Pages {
  /** One for each screen, by its pattern. */
  screens: Map<string, Resource>;
  notFound: Resource;
}

/**
 * Renders every screen under the given settings, not compressed yet.
 *
 * @throws {Error} Where the bundle has no scripts for the area of a screen.
 */
export async function renderPages(input: PageInput, settings: PageSettings): Promise<Pages> {
  const { css, script, startScripts, areaScripts } = input.bundle;
  const html = applySettings(input.html, settings);
  const version = versionPath(input, settings);
  const headers = {
    ...pageHeaders(css),
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-cache",
  };
  async function createPage(pattern: string): Promise<Resource> {
    const { title, markup, area } = await prerenderScreen(pattern, settings.brand);
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
    return createResource(new TextEncoder().encode(moveBelow(page, settings.basePath)), headers);
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
function versionPath({ bundle, html }: PageInput, settings: PageSettings): string {
  const { css, script, startScripts, areaScripts } = bundle;
  const content = JSON.stringify([script, startScripts, areaScripts, css, html, settings]);
  return `${ASSETS}version-${Bun.hash(content).toString(36).padStart(13, "0")}.txt`;
}

/** The file at that path: an open page asks whether it still exists. */
export function createVersionFile(input: PageInput, settings: PageSettings): [string, Resource] {
  const bytes = new TextEncoder().encode("This version is served.\n");
  return [versionPath(input, settings), createFile(bytes, "text/plain; charset=utf-8", "no-cache")];
}
