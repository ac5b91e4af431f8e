import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT } from "./server-process.ts";

const RUN_FROM = [
  ".github/CHANGELOG.md",
  "server.ts",
  "src",
  "public",
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
];

/** Copies what the server runs from into a temporary folder, to be edited; its packages are linked. */
export async function copyProject() {
  const folder = await mkdtemp(join(tmpdir(), "freehold-copy-"));
  for (const name of RUN_FROM) {
    await cp(join(PROJECT, name), join(folder, name), { recursive: true });
  }
  await symlink(join(PROJECT, "node_modules"), join(folder, "node_modules"), "junction");
  return {
    folder,
    /** Replaces text in a file; throws where it is not there. */
    async edit(path: string, from: string, to: string) {
      const file = Bun.file(join(folder, path));
      const text = await file.text();
      if (!text.includes(from)) throw new Error(`Expected ${JSON.stringify(from)} in ${path}.`);
      await file.write(text.replace(from, () => to));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
