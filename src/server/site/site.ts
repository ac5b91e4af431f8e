import type { Resource } from "../static/resource.ts";
import { type BuildOutput, createFiles } from "./build-output.ts";
import { compress } from "./compress.ts";
import type { PageSettings } from "./page.ts";
import { allPages, createVersionFile, type Pages, renderPages } from "./pages.ts";
import { screenAt } from "./prerender.tsx";

/** What a browser can be given, in any mode. Paths are as the URL writes them, below the base path. */
export interface Site {
  /** A script, a style, a file of `public/`, or the page of a screen. */
  find(path: string): Promise<Resource | undefined>;
  /** The page for a path that no screen has. */
  notFound(): Promise<Resource>;
}

/** Renders every screen under the given settings and compresses everything. */
export async function createProductionSite(output: BuildOutput, settings: PageSettings) {
  const files = createFiles(output);
  files.set(...createVersionFile(output, settings));
  const filesCompressed = compress(files.values());
  const pages = await renderPages(output, settings);
  const pagesCompressed = compress(allPages(pages));

  await Promise.all([filesCompressed.quick, pagesCompressed.quick]);
  return {
    ...serveFromMemory(files, pages),
    /** Resolves when every body is there in its best coding too; no answer waits for it. */
    compressed: Promise.all([filesCompressed.best, pagesCompressed.best]),
  };
}

/** The site that has these files and pages. */
export function serveFromMemory(files: Map<string, Resource>, pages: Pages): Site {
  const byPath = new Map([...pages.screens, ...files]);
  return {
    find: async (path) => byPath.get(path) ?? pages.screens.get(screenAt(path) ?? ""),
    notFound: async () => pages.notFound,
  };
}
