import { brandPage } from "./page.ts";
import { findScreen } from "./prerender.tsx";
import { readPublicFiles } from "./public-files.ts";
import { createResource, type Resource } from "../static/resource.ts";
import type { Site } from "./site.ts";

interface Options {
  brand: string;
  publicFolder: string;
  /** Where this server answers with Bun's own page, which is bundled anew after every edit. */
  pageUrl: () => string;
}

/**
 * The site while it is being worked on: files are read from disk and the page comes from Bun's HTML
 * import. That route alone could carry neither the name nor a status, and would answer any method.
 */
export function createDevelopmentSite({ brand, publicFolder, pageUrl }: Options): Site {
  const page = async (): Promise<Resource> => {
    const response = await fetch(pageUrl(), {
      proxy: false,
      // It asks itself, and its certificate need not name the loopback.
      tls: { rejectUnauthorized: false },
    });
    const html = brandPage(await response.text(), brand);
    return createResource(new TextEncoder().encode(html), {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-cache",
    });
  };
  return {
    async find(path) {
      const file = (await readPublicFiles(publicFolder)).get(path);
      return file ?? (findScreen(path) === undefined ? undefined : page());
    },
    notFound: page,
  };
}
