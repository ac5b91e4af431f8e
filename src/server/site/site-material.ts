import { join } from "node:path";
import { type Bundle, bundleApplication } from "./bundle.ts";
import { readPublicFiles } from "./public-files.ts";
import type { Resource } from "../static/resource.ts";

/** What a page is made from; the brand is chosen after. */
export interface PageMaterial {
  bundle: Omit<Bundle, "assets">;
  /** `src/index.html` as it is written. */
  html: string;
}

/** What a site is made of: all of it can be kept by a build. */
export interface Material extends PageMaterial {
  bundle: Bundle;
  publicFiles: Map<string, Resource>;
}

/**
 * Bundles the application and reads what is served beside it.
 *
 * @param root The project's folder.
 * @throws {AggregateError} When a source does not build.
 */
export async function readMaterial(root: string): Promise<Material> {
  const [bundle, publicFiles, html] = await Promise.all([
    bundleApplication(root),
    readPublicFiles(join(root, "public")),
    Bun.file(join(root, "src/client/index.html")).text(),
  ]);
  return { bundle, publicFiles, html };
}
