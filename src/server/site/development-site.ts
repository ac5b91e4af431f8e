import { createResource, type Resource } from "../static/resource.ts";
import { readPublicFiles } from "./build-output.ts";
import { setBrand } from "./page.ts";
import { screenAt } from "./prerender.tsx";

/**
 * The site in development: files are read from disk and the page comes from Bun's HTML import. That
 * route alone would lack the brand and the status 404, and would answer any method.
 *
 * @param pageUrl Where this server answers with Bun's own page, bundled again after every edit.
 */
export function createDevelopmentSite(brand: string, publicFolder: string, pageUrl: () => string) {
  const page = async (): Promise<Resource> => {
    const response = await fetch(pageUrl(), {
      proxy: false,
      // A request to itself: its certificate need not name the loopback address.
      tls: { rejectUnauthorized: false },
    });
    const html = setBrand(await response.text(), brand);
    return createResource(new TextEncoder().encode(html), {
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
