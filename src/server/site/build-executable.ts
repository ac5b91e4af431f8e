import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildSite } from "./bundle.ts";
import { EMBEDDED_SITE_FILE, serializeSite } from "./embedded-site.ts";

/** The program, and that of the backend's worker thread, which no import leads to. */
const ENTRIES = ["server.ts", "src/backend/database-worker.ts"];

/**
 * Builds all as one executable, which takes no `.env` and no `bunfig.toml`: they may name code to run.
 */
export async function buildExecutable(root: string, outfile: string): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true });
  // Beside `outfile`: the executable is renamed, and the source maps that Bun writes beside it are
  // left behind, since it holds them itself.
  const folder = await mkdtemp(join(dirname(outfile), ".build-"));
  try {
    const site = join(folder, EMBEDDED_SITE_FILE);
    await Bun.write(site, await serializeSite(await buildSite(root)));
    const built = join(folder, "freehold");
    await Bun.build({
      entrypoints: ENTRIES.map((entry) => join(root, entry)),
      target: "bun",
      minify: true,
      sourcemap: "inline",
      bytecode: true,
      format: "esm",
      define: {
        // Leaves out what needs the source tree: bundling and hot reload.
        "Bun.isStandaloneExecutable": "true",
        "process.env.NODE_ENV": '"production"',
      },
      compile: { outfile: built, assets: [site], autoloadDotenv: false, autoloadBunfig: false },
    });
    await rename(built, outfile);
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const began = performance.now();
  const root = join(import.meta.dir, "../../..");
  const outfile = join(root, "dist/freehold");
  await buildExecutable(root, outfile);
  const megabytes = Bun.file(outfile).size / 1_000_000;
  const seconds = (performance.now() - began) / 1000;
  console.log(`dist/freehold: ${megabytes.toFixed(0)} MB in ${seconds.toFixed(1)} s`);
}
