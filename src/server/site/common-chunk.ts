import { join } from "node:path";

/** Modules whose lazy imports are screens, or what shows them. */
const LOADERS = /[\\/]src[\\/]client[\\/](?:areas\.ts|main\.tsx)$/;

/** What every screen needs. */
const COMMON = [
  "start.tsx",
  "session/gate.tsx",
  "session/sign-out.tsx",
  "session/call-api.ts",
  "session/field-words.ts",
  "ui/expiry-date.tsx",
  "ui/look-alike.ts",
  "ui/money.ts",
  "ui/skeleton.tsx",
];

/** What the screens below `domains/` share. */
const DOMAINS = ["domains/edit/domain-dialog.tsx", "domains/edit/delete-dialog.tsx"];

/**
 * Puts what every screen needs into one chunk, and what those of one area share into another. The
 * bundler makes one for each set of modules that the same screens import; with this, all of them
 * import the whole set, so that a screen needs no more requests than a browser makes at once. A
 * source that a loader imports lazily is named `screen:` and its path in `src/client`.
 */
export function commonChunk(root: string): Bun.BunPlugin {
  const toImport = (path: string) => JSON.stringify(join(root, "src/client", path));
  const importAll = (paths: string[]) => paths.map((path) => `import ${toImport(path)};`).join("");
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
        const shared = path.startsWith("domains/") ? [...COMMON, ...DOMAINS] : COMMON;
        return {
          contents: `${importAll(shared)}export { ${names} } from ${toImport(path)};`,
          loader: "js",
        };
      });
    },
  };
}
