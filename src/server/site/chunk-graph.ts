import { relative } from "node:path";

type Metafile = NonNullable<Bun.BuildOutput["metafile"]>;
type Output = Metafile["outputs"][string];

/** A module that lies in a namespace of a plugin. A drive of Windows has one letter only. */
const VIRTUAL = /^\w\w+:/;

/** Which file of a bundle imports which, by URL. */
export class ChunkGraph {
  readonly #outputs: Map<string, Output>;

  constructor(metafile: Metafile) {
    const entries = Object.entries(metafile.outputs);
    this.#outputs = new Map(entries.map(([path, output]) => [toUrl(path), output]));
  }

  /**
   * Every entry and every module that is imported lazily: its source, relative to `root`, and its
   * script's URL. The bundler itself writes sources relative to the working directory; what a plugin
   * made up keeps its name.
   */
  sources(root: string): [source: string, url: string][] {
    const named: [string, string][] = [];
    for (const [url, { entryPoint }] of this.#outputs) {
      if (entryPoint !== undefined && url.endsWith(".js")) {
        const file = relative(root, entryPoint).replaceAll("\\", "/");
        named.push([VIRTUAL.test(entryPoint) ? entryPoint : file, url]);
      }
    }
    return named;
  }

  /** The style sheet that belongs to a script, lazy parts included. */
  styleOf(url: string): string | undefined {
    const path = this.#outputs.get(url)?.cssBundle;
    return path === undefined ? undefined : toUrl(path);
  }

  /** Some scripts and all that they import statically, however deep. */
  closure(urls: readonly string[], found = new Set<string>()): Set<string> {
    for (const url of urls) {
      if (found.has(url)) continue;
      found.add(url);
      this.closure(this.imports(url, "import-statement"), found);
    }
    return found;
  }

  imports(url: string, kind: "import-statement" | "dynamic-import"): string[] {
    const all = this.#outputs.get(url)?.imports ?? [];
    return all.filter((each) => each.kind === kind).map(({ path }) => toUrl(path));
  }
}

/** The URL of an output, whose path the bundler writes with a dot, a slash or neither in front. */
export function toUrl(path: string): string {
  return `/${path.replace(/^\.?\//, "")}`;
}
