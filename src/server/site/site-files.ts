import { ASSETS, type Asset } from "./bundle.ts";
import { createResource, type Resource } from "../static/resource.ts";
import { FILE_HEADERS } from "../static/security-headers.ts";
import type { Material } from "./site-material.ts";

/** Every file of a site by path, the bundle's and those of `public/`, not compressed yet. */
export function createFiles(material: Material): Map<string, Resource> {
  return new Map([
    ...material.publicFiles,
    ...material.bundle.assets.map((asset) => [asset.path, createAsset(asset)] as const),
  ]);
}

function createAsset({ path, type, bytes }: Asset): Resource {
  const cache = path.startsWith(ASSETS) ? "public, max-age=31536000, immutable" : "no-cache";
  return createResource(bytes, { ...FILE_HEADERS, "Content-Type": type, "Cache-Control": cache });
}
