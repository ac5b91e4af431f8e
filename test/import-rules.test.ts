import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const oxlint = join(root, "node_modules/.bin/oxlint");

/** Who may know whom, as `[from, what is imported, allowed]`. */
const RULES = [
  ["src/home/a.ts", "../domains/b.ts", false],
  ["src/domains/a.ts", "../home/b.ts", false],
  ["src/home/a.ts", "../session/b.ts", true],
  ["src/home/a.ts", "../http.ts", true],
  ["src/domains/a.ts", "../ui/b.tsx", true],
  ["src/domains/a.ts", "../shell/b.tsx", false],
  ["src/domains/a.ts", "../backend/b.ts", false],
  ["src/session/a.ts", "../home/b.ts", false],
  ["src/session/a.ts", "../http.ts", true],
  ["src/shell/a.ts", "../home/b.tsx", false],
  ["src/shell/a.ts", "../session/b.ts", false],
  ["src/shell/a.ts", "../brand.ts", true],
  ["src/ui/a.ts", "../http.ts", false],
  ["src/ui/a.ts", "wouter", false],
  ["src/ui/a.ts", "./b.tsx", true],
  ["src/http.ts", "wouter", false],
  ["src/http.ts", "./brand.ts", false],
  ["src/http.ts", "./contract.ts", true],
  ["src/backend/a.ts", "../contract.ts", true],
  ["src/backend/a.ts", "../server/b.ts", false],
  ["src/backend/a.ts", "../http.ts", false],
  ["src/backend/rooms/a.ts", "../../server/b.ts", false],
  ["src/backend/rooms/a.ts", "../../home/b.ts", false],
  ["src/backend/rooms/a.ts", "../../contract.ts", true],
  ["src/backend/a.ts", "react", false],
  ["src/server/a.ts", "../backend/b.ts", false],
  ["src/server/a.ts", "../home/b.tsx", false],
  ["src/server/a.ts", "../app.tsx", false],
  ["src/server/site/prerender.tsx", "../../app.tsx", true],
  ["src/server/site/prerender.tsx", "../../home/b.tsx", false],
  ["server.ts", "./src/backend/b.ts", true],
] as const;

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "freehold-lint-"));
  await cp(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
});

afterAll(() => rm(folder, { recursive: true }));

describe("the linter's import rules", () => {
  test.each(RULES)("%s imports %s: %p", async (from, what, allowed) => {
    await Bun.write(join(folder, from), `import { b } from "${what}";\n\nexport const a = b;\n`);
    const run = Bun.spawnSync([oxlint, "--deny-warnings", from], { cwd: folder });
    await rm(join(folder, from));
    const refused = run.stdout.toString().includes("no-restricted-imports");
    expect(refused).toBe(!allowed);
  });
});
