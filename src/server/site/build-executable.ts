import { $ } from "bun";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildSite } from "./bundle.ts";
import { EMBEDDED_SITE_FILE, serializeSite } from "./site.ts";

/** The program, and that of the backend's worker thread, which no import leads to. */
const ENTRIES = ["server.ts", "src/backend/database-worker.ts"];

export async function buildEmbeddedSite(root: string): Promise<Uint8Array> {
  return serializeSite(await buildSite(root));
}

/** The site has them already; Bun adds them in an order that differs from build to build. */
const NO_STYLES: Bun.BunPlugin = {
  name: "no styles",
  setup: (build) =>
    void build.onLoad({ filter: /\bsrc.client\b.*\.css$/ }, () => ({ contents: "", loader: "js" })),
};

interface ExecutableOptions {
  /** The machine that it is for; the one that builds it, if there is none. */
  target?: Bun.Build.CompileTarget;
  /** What `buildEmbeddedSite` returned for the same sources. */
  site?: Uint8Array;
}

/**
 * Builds all as one executable, which takes no `.env` and no `bunfig.toml`: they may name code to run.
 * The same sources, target and version of Bun give the same bytes. Bun's executable for another machine
 * comes from the npm registry.
 */
export async function buildExecutable(
  root: string,
  outfile: string,
  { target, site }: ExecutableOptions = {},
): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true });
  // Beside `outfile`: the executable is renamed, and the source maps that Bun writes beside it are
  // left behind, since it holds them itself.
  const folder = await mkdtemp(join(dirname(outfile), ".build-"));
  try {
    const asset = join(folder, EMBEDDED_SITE_FILE);
    await Bun.write(asset, site ?? (await buildEmbeddedSite(root)));
    // Bun would add it.
    const built = join(folder, target?.startsWith("bun-windows") ? "freehold.exe" : "freehold");
    await Bun.build({
      entrypoints: ENTRIES.map((entry) => join(root, entry)),
      target: "bun",
      minify: true,
      sourcemap: "inline",
      bytecode: true,
      format: "esm",
      plugins: [NO_STYLES],
      define: {
        // Leaves out what needs the source tree: bundling and hot reload.
        "Bun.isStandaloneExecutable": "true",
        "process.env.NODE_ENV": '"production"',
        BUILD_COMMIT: JSON.stringify(await commitOf(root)),
      },
      compile: {
        ...(target && { target }),
        outfile: built,
        assets: [asset],
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
    });
    await rename(built, outfile);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The first 12 digits of the commit in a clone, with "+" after edits; elsewhere nothing. */
async function commitOf(root: string): Promise<string> {
  const options = ["--always", "--exclude=*", "--abbrev=12", "--dirty=+"];
  const described = await $`git describe ${options}`.cwd(root).nothrow().quiet();
  return described.text().trim();
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
