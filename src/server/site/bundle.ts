import { join } from "node:path";
import { ChunkGraph, toUrl } from "./chunk-graph.ts";
import { commonChunk } from "./common-chunk.ts";
import { bundleVendor } from "./vendor/vendor.ts";

/** A file of the bundle; its path holds a hash of its content. */
export interface Asset {
  path: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The browser's side of the application, finished: plain data that a build can keep. */
export interface Bundle {
  assets: Asset[];
  /** Every style of the application, in order. */
  css: string;
  /** URL of the script that starts it. */
  script: string;
  /**
   * URLs that `script` imports at once, and those that each lazy area adds, by its folder in `src`;
   * and those that every other lazy part adds to the former, by its file in `src`.
   */
  imports: {
    start: string[];
    areas: Record<string, string[]>;
    parts: Record<string, string[]>;
  };
}

/** Folder of hashed files on the server: nothing else is served under it. */
export const ASSETS = "/assets/";

const NAMING = `${ASSETS.slice(1)}[name]-[hash].[ext]`;
const ENTRY = "src/client/main.tsx";
/** What the entry imports lazily, at once: it only wants to see that fail. */
const START = "screen:start.tsx";
/** An area's screen is named after its folder, which may be in that of another: `domains/domain`. */
const AREA = /^screen:((?:[^/]+\/)*([^/]+))\/\2\.tsx$/;

/**
 * Bundles the application for production. React and wouter keep a chunk of their own.
 *
 * @param root The project's folder.
 * @throws {AggregateError} When a source does not build.
 */
export async function bundleApplication(root: string): Promise<Bundle> {
  const vendor = await bundleVendor(root, NAMING);
  const { outputs, metafile } = await build(root, vendor.plugin);
  if (!metafile) throw new Error("Expected the bundler to describe its output.");
  const graph = new ChunkGraph(metafile);
  const sources = new Map(graph.sources(root));
  const script = sources.get(ENTRY);
  if (script === undefined) throw new Error(`Expected an output for ${ENTRY}.`);

  const scripts = outputs.filter(({ path }) => !path.endsWith(".css"));
  const assets = await Promise.all([vendor.output, ...scripts].map(readAsset));

  const begin = sources.get(START) ?? script;
  const start = graph.closure([script, begin]);
  if (skipStub(assets, script, begin)) start.delete(begin);
  const areas: Record<string, string[]> = {};
  const parts: Record<string, string[]> = {};
  for (const [source, url] of sources) {
    const area = AREA.exec(source)?.[1];
    const added = [...graph.closure([url]).difference(start)];
    if (area) areas[area] = added;
    else if (url !== script && url !== begin) parts[source.replace("src/client/", "")] = added;
  }
  start.delete(script);

  const style = outputs.find(({ path }) => toUrl(path) === graph.styleOf(script));
  return {
    assets,
    // `</` could only stand in a string, where the escape means the same.
    css: (await style?.text())?.replaceAll("</", "<\\/").trim() ?? "",
    script,
    imports: { start: [toUrl(vendor.output.path), ...start], areas, parts },
  };
}

/** All that the bundler writes for a module whose code went into a chunk that others share. */
const STUB = /^import\{(\w+)\}from"([^"]+)";\s*export\{\1 as start\};\s*$/;

/**
 * Lets `script` import `start` from the chunk that holds it, and drops the script of one line that
 * the bundler puts between: it would be a request of its own, and a browser makes six at once.
 */
function skipStub(assets: Asset[], script: string, stub: string): boolean {
  const read = (path: string) =>
    new TextDecoder().decode(assets.find((a) => a.path === path)?.bytes);
  const [, name, chunk] = STUB.exec(read(stub)) ?? [];
  const entry = assets.find(({ path }) => path === script);
  if (!entry || !chunk) return false;
  const code = read(script).replace(
    `import("${stub}")`,
    `import("${chunk}").then((e)=>({start:e.${name}}))`,
  );
  entry.bytes = new TextEncoder().encode(code);
  assets.splice(
    assets.findIndex(({ path }) => path === stub),
    1,
  );
  return true;
}

function build(root: string, vendor: Bun.BunPlugin) {
  return Bun.build({
    root,
    entrypoints: [join(root, ENTRY)],
    target: "browser",
    splitting: true,
    // Below this a chunk costs more as a request than it saves as a piece of its own.
    minChunkSize: 16_384,
    // What an area shares is there before the area is: the page has named it.
    modulePreload: false,
    minify: true,
    publicPath: "/",
    naming: { entry: NAMING, chunk: NAMING, asset: NAMING },
    plugins: [vendor, commonChunk(root)],
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
  });
}

async function readAsset(output: Bun.BuildArtifact): Promise<Asset> {
  const bytes = new Uint8Array(await output.arrayBuffer());
  return { path: toUrl(output.path), type: output.type, bytes };
}
