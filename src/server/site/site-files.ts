import { ASSETS, type Asset } from "./bundle.ts";
import { createResource, type Resource } from "../answers/resource.ts";
import { FILE_HEADERS } from "../answers/security-headers.ts";
import type { Material } from "./site-material.ts";
import { versionPath } from "./site-version.ts";

/** Every file of a site by path, the bundle's and those of `public/`, not compressed yet. */
export function createFiles(material: Material): Map<string, Resource> {
  const bytes = new TextEncoder().encode("This version is served.\n");
  const version = { path: versionPath(material), type: "text/plain; charset=utf-8", bytes };
  const assets = [...material.bundle.assets, version];
  return new Map([
    ...material.publicFiles,
    ...assets.map((asset) => [asset.path, createAsset(asset)] as const),
  ]);
}

function createAsset({ path, type, bytes }: Asset): Resource {
  const cache = path.startsWith(ASSETS) ? "public, max-age=31536000, immutable" : "no-cache";
  return createResource(bytes, { ...FILE_HEADERS, "Content-Type": type, "Cache-Control": cache });
}
