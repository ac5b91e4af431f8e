import { join } from "node:path";

/** Modules whose lazy imports are screens, or what shows them. */
const LOADERS = /[\\/]src[\\/](?:areas\.ts|main\.tsx)$/;

/** What every screen needs. */
const COMMON = [
  "start.tsx",
  "session/gate.tsx",
  "session/sign-out.tsx",
  "session/call-api.ts",
  "ui/day.tsx",
  "ui/skeleton.tsx",
];

/**
 * Puts what every screen needs into one chunk. The bundler makes one for each set of modules that
 * the same screens import; with this, all of them import the whole set. A source that a loader
 * imports lazily is named `screen:` and its path in `src`.
 */
export function commonChunk(root: string): Bun.BunPlugin {
  const toImport = (path: string) => JSON.stringify(join(root, "src", path));
  const common = COMMON.map((path) => `import ${toImport(path)};`).join("");
  return {
    name: "common-chunk",
    setup(build) {
      build.onLoad({ filter: LOADERS }, async ({ path, loader }) => {
        const code = await Bun.file(path).text();
        return { contents: code.replaceAll('import("./', 'import("screen:'), loader };
      });
      build.onResolve({ filter: /^screen:/ }, ({ path }) => ({
        path: path.replace("screen:", ""),
        namespace: "screen",
      }));
      build.onLoad({ filter: /.*/, namespace: "screen" }, ({ path }) => {
        const names = path === "start.tsx" ? "start" : "default";
        return {
          contents: `${common}export { ${names} } from ${toImport(path)};`,
          loader: "js",
        };
      });
    },
  };
}
