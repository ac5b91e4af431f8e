import { firstNeeds } from "../../client/first-needs.ts";
import { brandPage, composePage } from "./page.ts";
import { findScreen, prerenderScreen, screenPaths } from "./prerender.tsx";
import { createResource, type Resource } from "../static/resource.ts";
import { pageHeaders } from "../static/security-headers.ts";
import { FIRST_SCREEN } from "./site.ts";
import type { PageMaterial } from "./site-material.ts";
import { versionPath } from "./site-version.ts";

/** The finished pages of a site, under one name. */
export interface SitePages {
  /** One for each screen that the application knows: by its path, or the pattern of its paths. */
  screens: Map<string, Resource>;
  notFound: Resource;
}

/** What every area asks first: exactly that request, as `session-store.ts` makes it, is its own. */
const SESSION = "/api/token";

/** No application has a screen there: it stands for every path that leads nowhere. */
const NOWHERE = "/not-found";

/** Renders every screen under the given name, not compressed yet. */
export async function renderPages(
  { bundle, html }: PageMaterial,
  brand: string,
): Promise<SitePages> {
  const headers = {
    ...pageHeaders(bundle.css),
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-cache",
  };
  const version = versionPath({ bundle, html }, brand);
  const branded = brandPage(html, brand);
  const createPage = async (path: string) => {
    const screen = path === "/" ? FIRST_SCREEN : path;
    const area = areaOf(screen);
    const scripts = bundle.imports.areas[area];
    const page = composePage(branded, {
      ...(await prerenderScreen(screen, brand)),
      css: bundle.css,
      version,
      script: bundle.script,
      imports: [...bundle.imports.start, ...(scripts ?? [])],
      fetches: scripts ? [SESSION] : [],
      needs: scripts ? needsOf(bundle.imports, area) : null,
    });
    return createResource(new TextEncoder().encode(page), headers);
  };
  const screens = new Map<string, Resource>();
  for (const path of screenPaths) screens.set(path, await createPage(path));
  return { screens, notFound: await createPage(NOWHERE) };
}

/** What is needed next on an area's screen, as URLs. */
function needsOf({ areas, parts }: PageMaterial["bundle"]["imports"], area: string): string[] {
  const own = new Set(areas[area]);
  const urls = (firstNeeds[area] ?? []).flatMap((need) => parts[need] ?? need);
  return urls.filter((url) => !own.has(url));
}

/** The folder of the area that shows a screen: `/domains/:domain` is shown by `domains/domain`. */
function areaOf(screen: string): string {
  return screen.slice(1).replaceAll(":", "");
}

/** The page of the screen that a path belongs to. */
export function pageAt({ screens }: SitePages, path: string): Resource | undefined {
  return screens.get(findScreen(path) ?? "");
}

/** Every page, for what is done to all of them. */
export function allPages({ screens, notFound }: SitePages): Resource[] {
  return [...screens.values(), notFound];
}
