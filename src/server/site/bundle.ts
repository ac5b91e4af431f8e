import { basename, join, relative } from "node:path";
import { type Bytes, createResource, type Resource } from "../static/resource.ts";
import { FILE_HEADERS } from "../static/security-headers.ts";

/** What pages are made of, as plain data that an executable can embed. */
export interface PageInput {
  html: string;
  css: string;
  script: string;
  /** URLs of the scripts that every page needs beside `script`. */
  startScripts: string[];
  /** URLs of the scripts that each area adds, by its name in `areas.ts`. */
  areaScripts: Record<string, string[]>;
}

/** A site in which nothing is compressed or rendered yet. */
export interface BuildOutput extends PageInput {
  /** The scripts, whose paths hold a hash of their content, and what is in `public/`. */
  files: Map<string, Resource>;
}

type Outputs = NonNullable<Bun.BuildOutput["metafile"]>["outputs"];

/** Folder of hashed files on the server: nothing else is served under it. */
export const ASSETS = "/assets/";

const NAMING = `${ASSETS.slice(1)}[name]-[hash].[ext]`;
const ENTRY = "src/client/main.ts";
const START = "src/client/app.tsx";
/** An area's screen has the name of its folder: `src/client/domains/domain/domain.tsx`. */
const AREA = /^src\/client\/((?:[^/]+\/)*([^/]+))\/\2\.tsx$/;
const VENDOR = /^\.\/vendor-\w+\.js$/;
const PACKAGES = /^(react|react-dom|wouter)(\/|$)/;
const DEFINE = { "process.env.NODE_ENV": '"production"' };
const SHARED = { target: "browser", minify: true, metafile: true, define: DEFINE } as const;
/** Bytes of source below which a script is folded into one that every user of it loads anyway. */
const MIN_CHUNK_BYTES = 16_384;

/** Bundles the project in `root` for production, with React and wouter in a script of their own. */
export async function bundleApplication(root: string): Promise<Omit<BuildOutput, "html">> {
  const vendor = await bundleVendor(root);
  const { outputs, metafile } = await Bun.build({
    ...SHARED,
    root,
    entrypoints: [join(root, ENTRY)],
    splitting: true,
    minChunkSize: MIN_CHUNK_BYTES,
    // The page names what an area needs: `renderPages`.
    modulePreload: false,
    // Without `publicPath` the scripts import each other relatively, wherever the page says they are.
    naming: { entry: NAMING, chunk: NAMING, asset: NAMING },
    plugins: [importFrom(vendor)],
  });
  const graph = readGraph(root, metafile?.outputs);
  const script = graph.find(ENTRY);
  const start = graph.closure([script, graph.find(START)]);
  const areaScripts: Record<string, string[]> = {};
  for (const [source, url] of graph.entries) {
    const area = AREA.exec(source)?.[1];
    if (area) areaScripts[area] = [...graph.closure([url]).difference(start)];
  }
  const style = outputs.find(({ path }) => toUrl(path) === graph.styleOf(script));
  start.delete(script);
  const files = new Map<string, Resource>();
  for (const output of [vendor.output, ...outputs]) {
    if (output.path.endsWith(".css")) continue;
    const bytes = new Uint8Array(await output.arrayBuffer());
    const caching = "public, max-age=31536000, immutable";
    files.set(toUrl(output.path), createFile(bytes, output.type, caching));
  }
  return {
    files,
    // `</` can only be in a string, where the escape means the same.
    css: (await style?.text())?.replaceAll("</", "<\\/").trim() ?? "",
    script,
    startScripts: [toUrl(vendor.output.path), ...start],
    areaScripts,
  };
}

type Vendor = Awaited<ReturnType<typeof bundleVendor>>;

async function bundleVendor(root: string) {
  const { outputs, metafile } = await Bun.build({
    ...SHARED,
    root,
    entrypoints: [join(root, "src/server/site/vendor.ts")],
    naming: { entry: NAMING },
  });
  const [output] = outputs;
  const [described] = Object.values(metafile?.outputs ?? {});
  if (!output || !described) throw new Error("Expected one output for React and wouter.");
  return { output, exports: described.exports };
}

/** Makes the application import its packages from the vendor script, which is served beside its own. */
function importFrom({ output, exports }: Vendor): Bun.BunPlugin {
  const script = `./${basename(output.path)}`;
  return {
    name: "vendor",
    setup(build) {
      build.onResolve({ filter: PACKAGES }, () => ({ path: "packages", namespace: "vendor" }));
      // Named one by one: an import of what `vendor.ts` lacks fails the build.
      build.onLoad({ filter: /.*/, namespace: "vendor" }, () => ({
        contents: `export { ${exports.join(", ")} } from "${script}";`,
        loader: "js",
      }));
      build.onResolve({ filter: VENDOR }, ({ path }) => ({ path, external: true }));
    },
  };
}

function readGraph(root: string, outputs: Outputs = {}) {
  const byUrl = new Map(Object.entries(outputs).map(([path, output]) => [toUrl(path), output]));
  const entries = new Map<string, string>();
  for (const [url, { entryPoint }] of byUrl) {
    if (entryPoint !== undefined && url.endsWith(".js")) {
      entries.set(relative(root, entryPoint).replaceAll("\\", "/"), url);
    }
  }
  function closure(urls: readonly string[], found = new Set<string>()): Set<string> {
    for (const url of urls) {
      const output = byUrl.get(url);
      if (output === undefined || found.has(url)) continue;
      found.add(url);
      for (const { kind, path } of output.imports)
        if (kind === "import-statement") closure([toUrl(path)], found);
    }
    return found;
  }
  return {
    entries,
    closure,
    find(source: string): string {
      const url = entries.get(source);
      if (url === undefined)
        throw new Error(`Expected the bundler to write a script for ${source}.`);
      return url;
    },
    styleOf(url: string): string | undefined {
      const path = byUrl.get(url)?.cssBundle;
      return path && toUrl(path);
    },
  };
}

/** The URL of an output, whose path the bundler writes with a dot, a slash or neither in front. */
function toUrl(path: string): string {
  return `/${path.replace(/^\.?\//, "")}`;
}

/** Bundles the project in `root` and reads what is served beside it. @throws {AggregateError} */
export async function buildSite(root: string): Promise<BuildOutput> {
  const [bundle, publicFiles, html] = await Promise.all([
    bundleApplication(root),
    readPublicFiles(join(root, "public")),
    Bun.file(join(root, "src/client/index.html")).text(),
  ]);
  return { ...bundle, files: new Map([...publicFiles, ...bundle.files]), html };
}

/** Reads a folder's files, to be served byte for byte, by URL path; without links and dot files. */
export async function readPublicFiles(folder: string): Promise<Map<string, Resource>> {
  const found = new Bun.Glob("**").scan({ cwd: folder, onlyFiles: true, followSymlinks: false });
  const names = (await Array.fromAsync(found)).map((name) => name.replaceAll("\\", "/"));
  const read = names.map(async (name) => {
    const file = Bun.file(join(folder, name));
    return [encodeURI(`/${name}`), createFile(await file.bytes(), file.type, "no-cache")] as const;
  });
  return new Map(await Promise.all(read));
}

export function createFile(bytes: Bytes, type: string, caching: string): Resource {
  return createResource(bytes, { ...FILE_HEADERS, "Content-Type": type, "Cache-Control": caching });
}
