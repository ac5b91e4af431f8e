import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { withoutUnused } from "../../../src/server/site/vendor/unused-react.ts";
import { PROJECT } from "../../support/server-process.ts";

const source = await Bun.file(
  join(PROJECT, "node_modules/react-dom/cjs/react-dom-client.production.js"),
).text();

describe("withoutUnused", () => {
  test("empties what it names, and nothing else", () => {
    const code = withoutUnused(source);
    expect(code).toContain("function startViewTransition() {}");
    expect(code).not.toContain("FragmentInstance.prototype.focus");
    const count = (text: string) => text.match(/^function /gm)?.length;
    expect(count(code)).toBe(count(source) ?? 0);
    expect(() => new Bun.Transpiler({ loader: "js" }).scan(code)).not.toThrow();
  });

  test("fails where another React lacks a name", () => {
    const other = source.replaceAll("startViewTransition", "beginViewTransition");
    expect(() => withoutUnused(other)).toThrow("Expected the function startViewTransition");
  });

  test("takes nothing away that a screen renders", async () => {
    const screens = new Bun.Glob("{shell,session,home,domains,ui}/**/*.tsx");
    const paths = await Array.fromAsync(screens.scan(join(PROJECT, "src")));
    expect(paths.length).toBeGreaterThan(40);
    for (const path of paths) {
      const code = await Bun.file(join(PROJECT, "src", path)).text();
      expect(code).not.toMatch(/<(?:meta|link|style|script|[a-z]+-[a-z]+)\b/);
      expect(code).not.toMatch(/<Fragment[^>]* ref=/);
      expect(code).not.toContain("componentStack");
    }
  });
});
