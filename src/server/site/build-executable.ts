import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packSite } from "./pack-site.ts";
import { PACK } from "./packed-site.ts";
import { readMaterial } from "./site-material.ts";

/**
 * Builds one executable for this machine's platform: server, finished site, embedded backend. It
 * takes nothing from the folder that it is started in: neither `.env` nor `bunfig.toml`, which may
 * name code to run.
 *
 * @param root The project's folder.
 * @param outfile Where to write it.
 * @throws {AggregateError} When a source does not build.
 */
export async function buildExecutable(root: string, outfile: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "freehold-build-"));
  try {
    const pack = join(folder, PACK);
    await Bun.write(pack, await packSite(await readMaterial(root)));
    await compile(join(root, "server.ts"), outfile, pack);
    // It holds its source map; the copy beside it is nobody's.
    await rm(`${outfile}.map`, { force: true });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function compile(entry: string, outfile: string, pack: string) {
  return Bun.build({
    entrypoints: [entry],
    target: "bun",
    minify: true,
    sourcemap: "inline",
    bytecode: true,
    format: "esm",
    define: {
      // What only the source tree can do (bundling, hot reload) is left out by these.
      "Bun.isStandaloneExecutable": "true",
      "process.env.NODE_ENV": '"production"',
    },
    compile: { outfile, assets: [pack], autoloadDotenv: false, autoloadBunfig: false },
  });
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
