import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT } from "./server-process.ts";

/** A copy of everything that the server runs from, to be edited; removed when the scope ends. */
export interface ProjectCopy extends AsyncDisposable {
  folder: string;
  /** Replaces text in a file; throws where it is not there. */
  edit(path: string, from: string, to: string): Promise<void>;
}

const RUN_FROM = [
  ".github/CHANGELOG.md",
  "server.ts",
  "src",
  "public",
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
];

/** Copies the project into a temporary folder; its packages are linked. */
export async function copyProject(): Promise<ProjectCopy> {
  const folder = await mkdtemp(join(tmpdir(), "freehold-copy-"));
  for (const name of RUN_FROM) {
    await cp(join(PROJECT, name), join(folder, name), { recursive: true });
  }
  await symlink(join(PROJECT, "node_modules"), join(folder, "node_modules"), "junction");
  return {
    folder,
    async edit(path, from, to) {
      const file = Bun.file(join(folder, path));
      const text = await file.text();
      if (!text.includes(from)) throw new Error(`Expected ${JSON.stringify(from)} in ${path}.`);
      await file.write(text.replace(from, () => to));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
