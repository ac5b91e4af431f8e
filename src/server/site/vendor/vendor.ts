import { join } from "node:path";
import { toUrl } from "../chunk-graph.ts";
import { withoutUnused } from "./unused-react.ts";

/**
 * What the application uses of React and wouter. A name that it begins to use belongs here too: the
 * bundler says that it is missing. The chunk is then new once.
 */
const USED = {
  react:
    "Activity Component createContext createElement Fragment lazy StrictMode Suspense use useCallback useDeferredValue useEffect useEffectEvent useId useLayoutEffect useMemo useReducer useRef useState useSyncExternalStore useTransition",
  "react/jsx-runtime": "Fragment jsx jsxs",
  "react-dom/client": "createRoot hydrateRoot",
  wouter: "Link Route Router Switch useLocation useParams useSearch",
  "wouter/use-browser-location": "navigate",
};

/** Names of one letter, for what the chunk exports. */
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

const modules = nameBriefly(USED);

/** React and wouter in a file of their own, which no edit of the application changes. */
export interface Vendor {
  output: Bun.BuildArtifact;
  /** Lets the bundle of the application import them from where that file is served. */
  plugin: Bun.BunPlugin;
}

/**
 * Bundles React and wouter. They are minified twice: what was unused is gone by the second time,
 * and the short names go to what is left.
 *
 * @param naming Where outputs go, as `Bun.build` takes it.
 * @throws {AggregateError} When a package is missing.
 */
export async function bundleVendor(root: string, naming: string): Promise<Vendor> {
  const entry = join(root, "vendor.js");
  const source = modules
    .map(({ name, pairs }) => {
      const list = pairs.map(([used, letter]) => `${used} as ${letter}`);
      return `export { ${list} } from "${name}";`;
    })
    .join("\n");
  const common = { root, entrypoints: [entry], target: "browser" as const, minify: true };
  const once = await Bun.build({
    ...common,
    files: { [entry]: source },
    plugins: [substitutes(root)],
    define: {
      "process.env.NODE_ENV": '"production"',
      // Code for the developer tools' extension, which may look elsewhere in production.
      __REACT_DEVTOOLS_GLOBAL_HOOK__: "undefined",
      // React's own sign of a transition, the browser's spinner; the application shows one itself.
      navigation: "undefined",
    },
  });
  const code = (await once.outputs[0]?.text()) ?? "";
  const { outputs } = await Bun.build({
    ...common,
    files: { [entry]: code },
    naming: { entry: naming },
    // Nearly all of it is called at once: a browser may compile it while it comes.
    banner: "//# allFunctionsCalledOnLoad",
  });
  const [output] = outputs;
  if (!output) throw new Error("Expected an output for React and wouter.");
  return { output, plugin: importFrom(toUrl(output.path)) };
}

/** What wouter's modules import, and what does for this application. */
const SUBSTITUTES = {
  "./react-deps.js": "react-deps.ts",
  "./use-browser-location.js": "browser-location.ts",
  regexparam: "regexparam.ts",
};

/** Leaves out what only serves others: older React, wouter's default router, unused exports. */
function substitutes(root: string): Bun.BunPlugin {
  return {
    name: "vendor-substitutes",
    setup(build) {
      for (const [name, file] of Object.entries(SUBSTITUTES)) {
        const filter = new RegExp(`^${RegExp.escape(name)}$`);
        build.onResolve({ filter }, () => ({ path: join(root, "src/server/site/vendor", file) }));
      }
      build.onLoad({ filter: /scheduler\.production\.js$/ }, async ({ path }) => ({
        contents: withoutSelf(await Bun.file(path).text()),
        loader: "js",
      }));
      build.onLoad({ filter: /react-dom-client\.production\.js$/ }, async ({ path }) => ({
        contents: withoutUnused(await Bun.file(path).text()),
        loader: "js",
      }));
    },
  };
}

/** A module that calls itself through its exports keeps all of them in the bundle. */
function withoutSelf(scheduler: string): string {
  const inner = scheduler.replaceAll("exports.unstable_now", "now");
  return `var now;${inner};exports.unstable_now = () => now();`;
}

function importFrom(url: string): Bun.BunPlugin {
  const sources = new Map(
    modules.map(({ name, pairs }) => {
      const list = pairs.map(([used, letter]) => `${letter} as ${used}`);
      return [name, `export { ${list} } from "${url}";`];
    }),
  );
  return {
    name: "vendor",
    setup(build) {
      build.onResolve({ filter: /^(react|react-dom|wouter)(\/|$)/ }, ({ path }) => ({
        path,
        namespace: "vendor",
      }));
      build.onResolve({ filter: /^\/assets\// }, ({ path }) => ({ path, external: true }));
      build.onLoad({ filter: /.*/, namespace: "vendor" }, ({ path }) => ({
        contents: sources.get(path) ?? "",
        loader: "js",
      }));
    },
  };
}

function nameBriefly(used: Record<string, string>) {
  let count = 0;
  return Object.entries(used).map(([name, names]) => ({
    name,
    pairs: names.split(" ").map((each) => [each, LETTERS.charAt(count++)] as const),
  }));
}
