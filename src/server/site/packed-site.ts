import { deserialize } from "bun:jsc";
import { DEFAULT_BRAND } from "../../shared/brand.ts";
import { compress } from "./compress.ts";
import { serveFromMemory } from "./production-site.ts";
import type { Coding } from "../static/accept-encoding.ts";
import { addVariant, type Bytes, createResource, type Resource } from "../static/resource.ts";
import type { Site } from "./site.ts";
import type { PageMaterial } from "./site-material.ts";
import { allPages, renderPages } from "./site-pages.ts";
import { createVersion } from "./site-version.ts";

/** A resource as plain data: headers, and the body in each coding, the plain one among them. */
export interface PackedResource {
  headers: Record<string, string>;
  bodies: [coding: Coding, bytes: Bytes][];
}

/** A finished site as a build keeps it. */
export interface PackedSite {
  files: Map<string, PackedResource>;
  /** Under the default name. */
  screens: Map<string, PackedResource>;
  notFound: PackedResource;
  /** What pages under another name are made from. */
  material: PageMaterial;
}

/** What `packSite` wrote is called in an executable, beside its entry. */
export const PACK = "site.pack";

/**
 * Opens a site that was finished by this program's own build. Another name than the default one is
 * rendered now, since a page's layout follows it; only then the best coding comes a moment later.
 */
export async function openPackedSite(bytes: ArrayBuffer, brand: string): Promise<Site> {
  // The build that made this program wrote it from a PackedSite: nobody else can.
  const packed: PackedSite = deserialize(bytes);
  const files = unpackAll(packed.files);
  files.set(...createVersion(packed.material, brand));
  if (brand === DEFAULT_BRAND) {
    const pages = { screens: unpackAll(packed.screens), notFound: unpack(packed.notFound) };
    return serveFromMemory(files, pages);
  }
  const pages = await renderPages(packed.material, brand);
  await compress(allPages(pages)).quick;
  return serveFromMemory(files, pages);
}

function unpackAll(packed: Map<string, PackedResource>): Map<string, Resource> {
  return new Map([...packed].map(([path, resource]) => [path, unpack(resource)]));
}

function unpack({ headers, bodies }: PackedResource): Resource {
  const plain = bodies.find(([coding]) => coding === "identity");
  if (!plain) throw new Error("Expected a packed resource to have its plain body.");
  const resource = createResource(plain[1], headers);
  for (const [coding, bytes] of bodies)
    if (coding !== "identity") addVariant(resource, coding, bytes);
  return resource;
}
