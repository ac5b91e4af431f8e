import { ASSETS } from "./bundle.ts";
import type { PageMaterial } from "./site-material.ts";

/**
 * Path of the file that stands for this version of the pages: their scripts, their style and what
 * is written around them. Another version has another, and not this one.
 */
export function versionPath({ bundle, html }: PageMaterial): string {
  const made = JSON.stringify([bundle.script, bundle.imports, bundle.css, html]);
  return `${ASSETS}version-${Bun.hash(made).toString(36)}.txt`;
}
