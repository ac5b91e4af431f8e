import { createResource, type Resource } from "../static/resource.ts";
import { FILE_HEADERS } from "../static/security-headers.ts";
import { ASSETS } from "./bundle.ts";
import type { PageMaterial } from "./site-material.ts";

/**
 * Path of the file that stands for this version of the pages: their scripts, their style, what is
 * written around them and the product's name. Another version has another, and not this one.
 */
export function versionPath({ bundle, html }: PageMaterial, brand: string): string {
  const made = JSON.stringify([bundle.script, bundle.imports, bundle.css, html, brand]);
  return `${ASSETS}version-${Bun.hash(made).toString(36).padStart(13, "0")}.txt`;
}

/** That file: whether it is there is all that anybody asks. */
export function createVersion(material: PageMaterial, brand: string): [string, Resource] {
  const bytes = new TextEncoder().encode("This version is served.\n");
  const type = "text/plain; charset=utf-8";
  const headers = { ...FILE_HEADERS, "Content-Type": type, "Cache-Control": "no-cache" };
  return [versionPath(material, brand), createResource(bytes, headers)];
}
