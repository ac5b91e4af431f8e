import { ASSETS, type Asset } from "./bundle.ts";
import { createResource, type Resource } from "./resource.ts";
import { FILE_HEADERS } from "./security-headers.ts";
import type { Material } from "./site-material.ts";

/** Every file of a site by path, the bundle's and those of `public/`, not compressed yet. */
export function createFiles({ bundle, publicFiles }: Material): Map<string, Resource> {
  const assets = bundle.assets.map((asset) => [asset.path, createAsset(asset)] as const);
  return new Map([...publicFiles, ...assets]);
}

function createAsset({ path, type, bytes }: Asset): Resource {
  const cache = path.startsWith(ASSETS) ? "public, max-age=31536000, immutable" : "no-cache";
  return createResource(bytes, { ...FILE_HEADERS, "Content-Type": type, "Cache-Control": cache });
}
