import { join } from "node:path";
import { createResource, type Resource } from "../static/resource.ts";
import { FILE_HEADERS } from "../static/security-headers.ts";

const HEADERS = { ...FILE_HEADERS, "Cache-Control": "no-cache" };

/**
 * Reads a folder of files that are served byte for byte.
 *
 * @returns What is in it, links and dot files left out, by URL path.
 */
export async function readPublicFiles(folder: string): Promise<Map<string, Resource>> {
  const names = await listFiles(folder);
  const read = names.map(async (name) => {
    const file = Bun.file(join(folder, name));
    const headers = { ...HEADERS, "Content-Type": file.type };
    return [encodeURI(`/${name}`), createResource(await file.bytes(), headers)] as const;
  });
  return new Map(await Promise.all(read));
}

async function listFiles(folder: string): Promise<string[]> {
  const found = new Bun.Glob("**").scan({ cwd: folder, onlyFiles: true, followSymlinks: false });
  const names = await Array.fromAsync(found);
  return names.map((name) => name.replaceAll("\\", "/"));
}
