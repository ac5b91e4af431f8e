import { join } from "node:path";
import { type Bytes, createResource, type Resource } from "../static/resource.ts";
import { FILE_HEADERS } from "../static/security-headers.ts";
import { type Bundle, bundleApplication } from "./bundle.ts";

export interface PageInput {
  bundle: Omit<Bundle, "assets">;
  html: string;
}

export interface BuildOutput extends PageInput {
  bundle: Bundle;
  publicFiles: Map<string, Resource>;
}

/** Bundles the project in `root` and reads what is served beside it. @throws {AggregateError} */
export async function buildSite(root: string): Promise<BuildOutput> {
  const [bundle, publicFiles, html] = await Promise.all([
    bundleApplication(root),
    readPublicFiles(join(root, "public")),
    Bun.file(join(root, "src/client/index.html")).text(),
  ]);
  return { bundle, publicFiles, html };
}

/** Reads a folder's files, to be served byte for byte, by URL path; without links and dot files. */
export async function readPublicFiles(folder: string): Promise<Map<string, Resource>> {
  const found = new Bun.Glob("**").scan({ cwd: folder, onlyFiles: true, followSymlinks: false });
  const names = (await Array.fromAsync(found)).map((name) => name.replaceAll("\\", "/"));
  const read = names.map(async (name) => {
    const file = Bun.file(join(folder, name));
    return [encodeURI(`/${name}`), createFile(await file.bytes(), file.type, "no-cache")] as const;
  });
  return new Map(await Promise.all(read));
}

/** Every file of a site by path, the bundle's and those of `public/`, not compressed yet. */
export function createFiles({ bundle, publicFiles }: BuildOutput): Map<string, Resource> {
  const files = new Map(publicFiles);
  for (const { path, type, bytes } of bundle.assets)
    files.set(path, createFile(bytes, type, "public, max-age=31536000, immutable"));
  return files;
}

export function createFile(bytes: Bytes, type: string, caching: string): Resource {
  return createResource(bytes, { ...FILE_HEADERS, "Content-Type": type, "Cache-Control": caching });
}
