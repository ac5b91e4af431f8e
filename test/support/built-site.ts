import { buildSite } from "../../src/server/site/build-output.ts";
import { PROJECT } from "./server-process.ts";

/** The site of the project as it is, built once for all files of a process. */
export const builtSite = await buildSite(PROJECT);
