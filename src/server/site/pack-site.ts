import { serialize } from "bun:jsc";
import { DEFAULT_BRAND } from "../../shared/brand.ts";
import { compress } from "./compress.ts";
import type { PackedResource, PackedSite } from "./packed-site.ts";
import type { Resource } from "../static/resource.ts";
import { createFiles } from "./site-files.ts";
import type { Material } from "./site-material.ts";
import { allPages, renderPages } from "./site-pages.ts";

/**
 * Finishes a site for good: every file, and every page under the default name, in every coding. The
 * bytes are what `openPackedSite` of the same build reads.
 */
export async function packSite(material: Material): Promise<Uint8Array> {
  const files = createFiles(material);
  const pages = await renderPages(material, DEFAULT_BRAND);
  await compress([...files.values(), ...allPages(pages)]).best;
  const { css, script, imports } = material.bundle;
  const packed: PackedSite = {
    files: packAll(files),
    screens: packAll(pages.screens),
    notFound: pack(pages.notFound),
    material: { bundle: { css, script, imports }, html: material.html },
  };
  return new Uint8Array(serialize(packed));
}

function packAll(resources: Map<string, Resource>): Map<string, PackedResource> {
  return new Map([...resources].map(([path, resource]) => [path, pack(resource)]));
}

function pack({ headers, variants }: Resource): PackedResource {
  return { headers, bodies: [...variants].map(([coding, { bytes }]) => [coding, bytes]) };
}
