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
  /** URLs that `script` imports at once, and those that each lazy area adds, by its folder in `src`. */
  imports: { start: string[]; areas: Record<string, string[]> };
}

/** Folder of hashed files on the server: nothing else is served under it. */
export const ASSETS = "/assets/";

const NAMING = `${ASSETS.slice(1)}[name]-[hash].[ext]`;
const ENTRY = "src/main.tsx";
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

  const begin = sources.get(START);
  const start = graph.closure(begin === undefined ? [script] : [script, begin]);
  const areas: Record<string, string[]> = {};
  for (const [source, url] of sources) {
    const area = AREA.exec(source)?.[1];
    if (area) areas[area] = [...graph.closure([url]).difference(start)];
  }
  start.delete(script);

  const style = outputs.find(({ path }) => toUrl(path) === graph.styleOf(script));
  const scripts = outputs.filter(({ path }) => !path.endsWith(".css"));
  return {
    assets: await Promise.all([vendor.output, ...scripts].map(readAsset)),
    // `</` could only stand in a string, where the escape means the same.
    css: (await style?.text())?.replaceAll("</", "<\\/").trim() ?? "",
    script,
    imports: { start: [toUrl(vendor.output.path), ...start], areas },
  };
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
