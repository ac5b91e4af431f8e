import { createResource, type Resource } from "../static/resource.ts";
import { readPublicFiles } from "./build-output.ts";
import { applySettings, type PageSettings } from "./page.ts";
import { screenAt } from "./prerender.tsx";
import type { Site } from "./site.ts";

/** Where `server.ts` serves Bun's HTML import. Only this site asks for it: no screen has a dot. */
export const DEVELOPMENT_PAGE = "/.development-page";

/**
 * The site in development: files are read from disk and the page comes from Bun's HTML import. That
 * route alone would lack the brand and the status 404, and would answer any method.
 *
 * @param serverUrl Where this server answers, once it does.
 */
export function createDevelopmentSite(
  settings: PageSettings,
  publicFolder: string,
  serverUrl: () => string,
): Site {
  const page = async (): Promise<Resource> => {
    const response = await fetch(new URL(DEVELOPMENT_PAGE, serverUrl()), {
      proxy: false,
      // A request to itself: its certificate need not name the loopback address.
      tls: { rejectUnauthorized: false },
    });
    const html = applySettings(await response.text(), settings);
    const manifest = `${settings.basePath}/manifest.webmanifest`;
    const rewriter = new HTMLRewriter().on('link[rel="manifest"]', {
      // Bun serves it elsewhere, and what it names is beside it.
      element: (element) => void element.setAttribute("href", manifest),
    });
    return createResource(new TextEncoder().encode(rewriter.transform(html)), {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-cache",
    });
  };
  return {
    async find(path: string) {
      const file = (await readPublicFiles(publicFolder)).get(path);
      return file ?? (screenAt(path) === undefined ? undefined : page());
    },
    notFound: page,
  };
}
