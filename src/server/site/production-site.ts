import { compress } from "./compress.ts";
import type { Resource } from "../static/resource.ts";
import type { Site } from "./site.ts";
import { createFiles } from "./site-files.ts";
import type { Material } from "./site-material.ts";
import { allPages, pageAt, renderPages, type SitePages } from "./site-pages.ts";
import { createVersion } from "./site-version.ts";

/** A site that stays as it is, all of it in memory. */
export interface ProductionSite extends Site {
  /** Resolves when every body is there in its best coding too; none of them waits for it. */
  compressed: Promise<void>;
}

/** Makes the finished site: renders every screen under the given name and compresses everything. */
export async function createProductionSite(
  material: Material,
  brand: string,
): Promise<ProductionSite> {
  const files = createFiles(material);
  files.set(...createVersion(material, brand));
  const filesCompressed = compress(files.values());
  const pages = await renderPages(material, brand);
  const pagesCompressed = compress(allPages(pages));

  await Promise.all([filesCompressed.quick, pagesCompressed.quick]);
  return {
    ...serveFromMemory(files, pages),
    compressed: Promise.all([filesCompressed.best, pagesCompressed.best]).then(() => undefined),
  };
}

/** The site whose files and pages are these. */
export function serveFromMemory(files: Map<string, Resource>, pages: SitePages): Site {
  const named = new Map([...pages.screens, ...files]);
  return {
    find: (path) => named.get(path) ?? pageAt(pages, path),
    notFound: () => pages.notFound,
  };
}
