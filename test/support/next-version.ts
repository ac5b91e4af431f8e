import { copyProject } from "./project-copy.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

/** What differs from the version of today; a site that is hardly compressed is there at once. */
const EDITS = [
  ["src/client/home/home.tsx", '?? "Home"', '?? "Home, new"'],
  ["src/client/domains/list/list.tsx", 'HEADING = "Domains"', 'HEADING = "Domains, new"'],
  ["src/client/import/import.tsx", 'heading="Import domains"', 'heading="Import domains, new"'],
  ["src/server/site/site.ts", "level: 19", "level: 1"],
  ["src/server/site/site.ts", "PARAM_QUALITY]: 11", "PARAM_QUALITY]: 1"],
] as const;

/**
 * Starts a version whose headings of home, list and import end in “, new”. From source: to build an
 * executable takes seconds of compressing.
 */
export async function startNextVersion(env: Record<string, string>): Promise<ServerProcess> {
  await using used = new AsyncDisposableStack();
  const copy = used.use(await copyProject());
  for (const [path, from, to] of EDITS) await copy.edit(path, from, to);
  const server = used.use(await startServer(env, { folder: copy.folder }));
  const rest = used.move();
  return { ...server, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}
