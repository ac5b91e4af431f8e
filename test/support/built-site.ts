import { type BuildOutput, buildSite } from "../../src/server/site/bundle.ts";
import { PROJECT } from "./server-process.ts";

/** The site of the project as it is, built once for all files of a process. */
export const builtSite = await buildSite(PROJECT);

const files = new Map(builtSite.files);
for (const path of files.keys())
  if (path.startsWith("/assets/") && path !== builtSite.script) files.delete(path);

/** The same with little to compress: the entry for all scripts, and a line of style. */
export const lightSite: BuildOutput = { ...builtSite, css: "nav{color:green}", files };
