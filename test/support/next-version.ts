import { join } from "node:path";
import { buildExecutable } from "../../src/server/site/build-executable.ts";
import { copyProject } from "./project-copy.ts";
import { createTemporaryFolder, shared } from "./temporary-folder.ts";

let built: Promise<string> | null = null;

/**
 * The executable of a version whose headings of home, list and import end in “, new”. Built once for
 * all files of a process: to compress a site takes seconds.
 */
export function nextVersion(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const folder = shared.use(createTemporaryFolder());
  await using copy = await copyProject();
  await copy.edit("src/client/home/home.tsx", '?? "Home"', '?? "Home, new"');
  await copy.edit(
    "src/client/domains/list/list.tsx",
    'heading="Domains"',
    'heading="Domains, new"',
  );
  await copy.edit(
    "src/client/import/import.tsx",
    'heading="Import domains"',
    'heading="Import domains, new"',
  );
  const executable = join(folder.path, "freehold");
  await buildExecutable(copy.folder, executable);
  return executable;
}
