import { deserialize, serialize } from "bun:jsc";
import type { Resource } from "../static/resource.ts";
import { type BuildOutput, createFiles, type PageInput } from "./bundle.ts";
import {
  allPages,
  createVersionFile,
  DEFAULT_SETTINGS,
  type Pages,
  type PageSettings,
  renderPages,
} from "./pages.ts";
import { compress, serveFromMemory, type Site } from "./site.ts";

interface EmbeddedSite {
  files: Map<string, Resource>;
  /** Under `DEFAULT_SETTINGS`. */
  pages: Pages;
  input: PageInput;
}

export const EMBEDDED_SITE_FILE = "site.bin";

/** Every file and page in every coding, for `openEmbeddedSite` of the same build. */
export async function serializeSite(output: BuildOutput): Promise<Uint8Array> {
  const files = createFiles(output);
  const pages = await renderPages(output, DEFAULT_SETTINGS);
  await compress([...files.values(), ...allPages(pages)]).best;
  const { assets: _assets, ...bundle } = output.bundle;
  const site: EmbeddedSite = { files, pages, input: { bundle, html: output.html } };
  return new Uint8Array(serialize(site));
}

/** Renders pages under another name or base path now; their best coding comes a moment later. */
export async function openEmbeddedSite(bytes: ArrayBuffer, settings: PageSettings): Promise<Site> {
  // The build that made this program wrote the bytes from an EmbeddedSite.
  const { files, input, pages }: EmbeddedSite = deserialize(bytes);
  files.set(...createVersionFile(input, settings));
  if (Bun.deepEquals(settings, DEFAULT_SETTINGS)) return serveFromMemory(files, pages);
  const rendered = await renderPages(input, settings);
  await compress(allPages(rendered)).quick;
  return serveFromMemory(files, rendered);
}
