import { describe, expect, test } from "bun:test";
import { dirname, join, resolve } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { areas } from "../../../src/client/areas.ts";
import { bundleApplication } from "../../../src/server/site/bundle.ts";
import { builtSite } from "../../support/built-site.ts";
import { copyProject } from "../../support/project-copy.ts";

const KB = 1024;

/** Sizes by URL: the slowest brotli takes longer than the bundle, and most scripts stay the same. */
const compressedSizes = new Map<string, number>();

type Bundle = Awaited<ReturnType<typeof bundleApplication>>;

/** The scripts that show an area, by URL, with their bytes. */
function scriptsFor(bundle: Bundle, area: string): Map<string, Uint8Array> {
  const added = bundle.areaScripts[area] ?? [];
  const needed = [bundle.script, ...bundle.startScripts, ...added];
  return new Map(needed.map((path) => [path, bytesOf(bundle, path)]));
}

function bytesOf({ files }: Bundle, path: string): Uint8Array {
  const found = files.get(path);
  if (found === undefined) throw new Error(`Expected a file at ${path}`);
  return found.body;
}

const transpiler = new Bun.Transpiler({ loader: "js" });

/** Adds the script of a file that an area imports lazily, with all that it imports. */
function addLazy(bundle: Bundle, name: string, scripts: Map<string, Uint8Array>) {
  const add = (script: string) => {
    if (scripts.has(script)) return;
    const bytes = bytesOf(bundle, script);
    scripts.set(script, bytes);
    for (const { path, kind } of transpiler.scanImports(bytes))
      if (kind === "import-statement") add(resolve(dirname(script), path));
  };
  add(bundle.files.keys().find((path) => path.startsWith(`/assets/${name}-`)) ?? name);
  return scripts;
}

/** Bytes of all, each compressed. */
function weigh(scripts: Map<string, Uint8Array>): number {
  let sum = 0;
  for (const [path, bytes] of scripts) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    const size = compressedSizes.get(path) ?? brotliCompressSync(bytes, { params }).length;
    compressedSizes.set(path, size);
    sum += size;
  }
  return sum;
}

/** Bytes, compressed, that a visitor of `before` has to load for `after`. */
function bytesAnew(before: Map<string, Uint8Array>, after: Map<string, Uint8Array>): number {
  return weigh(new Map([...after].filter(([path]) => !before.has(path))));
}

const vendorOf = ({ startScripts: [vendor = ""] }: Bundle) => vendor;

describe("bundleApplication", () => {
  test("keeps each area's scripts apart and its style in the page's", () => {
    const { areaScripts, css, files } = builtSite;
    expect(Object.keys(areaScripts).toSorted()).toEqual(Object.keys(areas).toSorted());
    expect(css).toContain(".domain-table");
    expect(css).toContain(".home");
    expect(css).not.toContain("</");
    const scripts = files.keys().filter((path) => path.endsWith(".js"));
    for (const path of scripts) expect(path).toMatch(/^\/assets\/[\w-]+-[\da-z]{8}\.js$/);
  });

  test("styles only the rows that come to a list, not the page around them", () => {
    const within = [...builtSite.css.matchAll(/:has\(([^)]*)/g)].map(([, inner]) => inner);
    expect(within.length).toBeGreaterThan(10);
    // Chromium styles all anew for each element that comes and may be one of these.
    const common = /\[|\b(?:a|button|input|small|span|td|th|time|tr)\b(?!-)/;
    expect(within.filter((inner = "") => common.test(inner.replaceAll(/\.[\w-]+/g, "")))).toEqual(
      [],
    );
  });

  test("holds React as it is in production", () => {
    const code = new TextDecoder().decode(bytesOf(builtSite, vendorOf(builtSite)));
    expect(code).toContain("Minified React error");
    expect(code).not.toContain("jsxDEV");
  });

  test("keeps React's script, and nearly all else, through an edit of a screen", async () => {
    await using copy = await copyProject();
    const before = await bundleApplication(copy.folder);
    await copy.edit("src/client/home/home.tsx", '?? "Home"', '?? "House"');
    const after = await bundleApplication(copy.folder);
    expect(vendorOf(after)).toBe(vendorOf(before));
    const anew = bytesAnew(scriptsFor(before, "home"), scriptsFor(after, "home"));
    expect(anew).toBeGreaterThan(0);
    expect(anew).toBeLessThanOrEqual(2 * KB);
  });

  // React and wouter are 59.6 KB of each.
  test("shows the work list of /home with at most 84 KB in 6 scripts", () => {
    const scripts = addLazy(builtSite, "overview", scriptsFor(builtSite, "home"));
    expect(weigh(scripts)).toBeLessThanOrEqual(84 * KB);
    expect(scripts.size).toBeLessThanOrEqual(6);
  });

  test("shows the rows of /domains with at most 100 KB in 8 scripts", () => {
    const scripts = scriptsFor(builtSite, "domains/list");
    expect(weigh(scripts)).toBeLessThanOrEqual(100 * KB);
    expect(scripts.size).toBeLessThanOrEqual(8);
  });

  test("costs /home next to nothing where an area is added, and /domains no script", async () => {
    await using copy = await copyProject();
    const before = weigh(scriptsFor(builtSite, "home"));
    await copy.edit(
      "src/client/areas.ts",
      "  home:",
      '  third: () => import("./third/third.tsx"),\n  home:',
    );
    await copy.edit(
      "src/client/screens.ts",
      '  "/home":',
      '  "/third": { title: "Third", area: "third" },\n  "/home":',
    );
    await Bun.write(
      join(copy.folder, "src/client/third/third.tsx"),
      'import { Screen } from "../register/screen.tsx";\nimport "../common.ts";\nexport default () => <Screen className="third" lines={1}>Third</Screen>;\n',
    );
    const bundle = await bundleApplication(copy.folder);
    expect(Object.keys(bundle.areaScripts)).toContain("third");
    expect(weigh(scriptsFor(bundle, "home")) - before).toBeLessThanOrEqual(512);
    const list = scriptsFor(builtSite, "domains/list");
    expect(scriptsFor(bundle, "domains/list").size).toBe(list.size);
  });

  test("fails where a source does not build, or imports what the vendor script lacks", async () => {
    await using copy = await copyProject();
    const edits = [
      ["src/client/home/home.tsx", "export default", "export nothing"],
      ["src/server/site/vendor.ts", "  useTransition,\n", ""],
    ] as const;
    for (const [path, from, to] of edits) {
      const before = await Bun.file(join(copy.folder, path)).text();
      await copy.edit(path, from, to);
      await expect(bundleApplication(copy.folder)).rejects.toThrow("Bundle failed");
      await Bun.write(join(copy.folder, path), before);
    }
  });
});
