import { createElement } from "react";
import { prerender } from "react-dom/static";
import { App, createAreas, documentTitle } from "../../client/app.tsx";
import { areas as loaders } from "../../client/areas.ts";
import { screens } from "../../client/screens.ts";
import { DEFAULT_BRAND } from "../../shared/brand.ts";
import { TOKEN_PATH, XSRF_COOKIE } from "../../shared/session.ts";
import { createResource, type Resource } from "../static/resource.ts";
import { pageHeaders } from "../static/security-headers.ts";
import { ASSETS, createFile, type PageInput } from "./bundle.ts";

export interface PageSettings {
  brand: string;
  basePath: string;
  /** Name of the cookie that the page sends back in `X-XSRF-TOKEN`. */
  xsrfCookie: string;
}

export const DEFAULT_PAGE_SETTINGS: PageSettings = {
  brand: DEFAULT_BRAND,
  basePath: "",
  xsrfCookie: XSRF_COOKIE,
};

/** Writes brand and base path into `index.html`; `base-path.ts` and `http.ts` read the latter. */
export function applySettings(html: string, { brand, basePath, xsrfCookie }: PageSettings): string {
  const place = basePath && ` data-base-path="${basePath}" data-xsrf-cookie="${xsrfCookie}"`;
  return html.replace(/<html\b/, `$&${place}`).replaceAll("%BRAND%", () => Bun.escapeHTML(brand));
}

/** Puts the base path before every path in a finished page: of scripts, links and files. */
function moveBelow(html: string, basePath: string): string {
  const rewriter = new HTMLRewriter();
  for (const name of ["href", "src", "data-version"])
    rewriter.on(`[${name}^="/"]`, {
      element: (element) =>
        void element.setAttribute(name, basePath + (element.getAttribute(name) ?? "")),
    });
  return basePath === "" ? html : rewriter.transform(html);
}

/** The first API request of every area, sent with cookies. */
const FIRST_FETCH = `<link rel="preload" href="${TOKEN_PATH}" as="fetch" crossorigin="use-credentials">`;

export interface Pages {
  /** One for each screen, by its pattern, and the file that exists as long as they are these. */
  byPath: Map<string, Resource>;
  notFound: Resource;
}

/** Makes pages of `index.html`, which request at once all scripts and what these fetch first. */
export async function renderPages(input: PageInput, settings: PageSettings): Promise<Pages> {
  const { css, script, startScripts, areaScripts } = input;
  const html = applySettings(input.html, settings);
  const content = JSON.stringify([script, startScripts, areaScripts, css, input.html, settings]);
  // An open page asks whether it still exists: any change of the pages is another path.
  const version = `${ASSETS}version-${Bun.hash(content).toString(36).padStart(13, "0")}.txt`;
  const headers = {
    ...pageHeaders(css),
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-cache",
  };
  async function createPage(pattern: string): Promise<Resource> {
    const { title, markup, area } = await prerenderScreen(pattern, settings.brand);
    const added = area === undefined ? [] : areaScripts[area];
    if (added === undefined) throw new Error(`Expected scripts of the area ${area}.`);
    const scripts = [...startScripts, ...added].map(
      (url) => `<link rel="modulepreload" href="${url}">`,
    );
    const preloads = (area === undefined ? "" : FIRST_FETCH) + scripts.join("");
    const page = new HTMLRewriter()
      .on("title", { element: (element) => void element.setInnerContent(title) })
      .on('link[href^="../../public/"]', {
        element(element) {
          const href = element.getAttribute("href") ?? "";
          element.setAttribute("href", href.replace("../../public/", "/"));
        },
      })
      .on('script[src="./main.ts"]', {
        element(element) {
          element.setAttribute("src", script);
          element.setAttribute("data-version", version);
          element.after(preloads, { html: true });
        },
      })
      .on("head", {
        element: (element) => void element.append(`<style>${css}</style>`, { html: true }),
      })
      .on("#root", { element: (element) => void element.setInnerContent(markup, { html: true }) })
      .transform(html);
    return createResource(new TextEncoder().encode(moveBelow(page, settings.basePath)), headers);
  }
  const versionBytes = new TextEncoder().encode("This version is served.\n");
  const byPath = new Map([
    [version, createFile(versionBytes, "text/plain; charset=utf-8", "no-cache")],
  ]);
  for (const pattern of Object.keys(screens)) byPath.set(pattern, await createPage(pattern));
  // Stands for all paths that no screen has.
  return { byPath, notFound: await createPage("/not-found") };
}

export function allPages({ byPath, notFound }: Pages): Resource[] {
  return [...byPath.values(), notFound];
}

const areas = createAreas(loaders);

/** Renders a pattern of `screens`, or any other path; a redirect as its target. @throws {Error} */
export async function prerenderScreen(pattern: string, brand: string) {
  const path = screens[pattern]?.redirect ?? pattern;
  const failures: unknown[] = [];
  const rendering = prerender(createElement(App, { path, brand, areas }), {
    // Larger boundaries would be moved into place by an inline script.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void failures.push(error),
  });
  const rendered = await rendering.catch((error: unknown) => void failures.push(error));
  if (!rendered || failures.length > 0) {
    const [cause] = failures;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The screen ${path} could not be rendered: ${reason}`, { cause });
  }
  const markup = await new Response(rendered.prelude).text();
  return { title: documentTitle(path, brand), markup, area: screens[pattern]?.area };
}
