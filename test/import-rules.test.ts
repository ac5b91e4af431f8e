import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const root = join(import.meta.dir, "..");
const oxlint = join(root, "node_modules", ".bin", "oxlint");

/** What a file may import; with a minus in front, what it may not. */
const RULES = `
src/client/home/a.ts: -../domains/b.ts -../costs/b.ts -../palette/b.tsx ../session/b.ts ../http.ts
src/client/home/a.ts: -../settings/b.ts -../registrars/b.ts -../import/b.ts ../register/b.ts
src/client/domains/a.ts: -../home/b.ts -../shell/b.tsx -../../backend/b.ts ../ui/b.tsx
src/client/domains/a.ts: ../../shared/b.ts
src/client/domains/list/a.ts: -../../import/b.ts ../domain/b.tsx
src/client/domains/bin/a.ts: -../../home/b.ts ../domain-dialog.tsx ../../register/b.ts
src/client/{import,changes,settings,registrars,costs,checks,palette}/a.ts: -../home/b.ts -../domains/b.ts
src/client/session/a.ts: -../home/b.ts -../palette/b.tsx -../shell/b.ts -../register/b.ts ../http.ts
src/client/register/a.ts: -../domains/b.ts -../shell/b.ts ../session/b.ts
src/client/shell/a.ts: -../home/b.tsx -../palette/b.tsx -../session/b.ts -../register/b.ts
src/client/shell/a.ts: ../ui/lazy-code.ts
src/client/ui/a.ts: -../http.ts -../register/b.ts -wouter ./b.tsx ../../shared/b.ts
src/client/http.ts: -wouter -../shared/b.ts
src/client/app.tsx: -../server/b.ts
src/shared/a.ts: -../client/b.ts -react ./b.ts
src/backend/a.ts: -../server/b.ts -../client/http.ts -react ../shared/b.ts
src/backend/domains/a.ts: -../../server/b.ts -../import/b.ts -../reminders/b.ts -../merge/b.ts
src/backend/domains/a.ts: -../jobs/loop.ts -../outbound/b.ts ../jobs/lease.ts
src/backend/database/a.ts: -../import/b.ts
src/backend/merge/a.ts: -../import/b.ts -../import/reading/b.ts -../uploads/b.ts
src/backend/merge/a.ts: -../../client/http.ts ../domains/b.ts ../database/b.ts ../../shared/b.ts
src/backend/import/a.ts: -../checks/b.ts ../merge/b.ts ../domains/b.ts ../uploads/b.ts
src/backend/import/values/a.ts: -../../../client/home/b.ts
src/backend/import/reading/a.ts: -../../checks/b.ts ../values/b.ts ../../domains/b.ts
src/backend/import/reading/a.ts: ../../../shared/b.ts
src/backend/backup/a.ts: -../import/b.ts ../uploads/b.ts
src/backend/accounts/a.ts: -../reminders/b.ts -../checks/b.ts ../merge/b.ts
src/backend/reminders/a.ts: -../auth/sessions.ts -../checks/b.ts ../auth/tokens/secrets.ts
src/backend/costs/a.ts: -../registrars/b.ts
src/backend/new-room/a.ts: -../reminders/b.ts -../auth/b.ts -../../client/http.ts -react
src/backend/new-room/a.ts: ../domains/b.ts ../outbound/b.ts ../settings.ts ../../shared/b.ts
src/backend/outbound/a.ts: -../domains/b.ts
src/server/a.ts: -../backend/b.ts -../client/app.tsx ../shared/b.ts
src/server/site/pages.ts: -../../client/home/b.tsx ../../client/app.tsx
src/server/config/config.ts: -../../client/app.tsx ../../client/screens.ts
server.ts: ./src/backend/b.ts
`;

const cases = RULES.trim()
  .split("\n")
  .flatMap((line, index) => {
    const [files = "", ...marked] = line.split(/:? /);
    const [, folders = ""] = /\{(.*)\}/.exec(files) ?? [];
    return folders.split(",").map((folder) => {
      const file = files.replace(/\{.*\}/, folder);
      // A file of its own for each line.
      return { file, marked, probe: file.replace(/(?<=\/)a\.ts$/, `a${index}.ts`) };
    });
  });

const nameOf = (marked: string) => marked.replace(/^-/, "");

const folder = createTemporaryFolder();
let report: string[] = [];

beforeAll(async () => {
  await cp(join(root, ".oxlintrc.json"), join(folder.path, ".oxlintrc.json"));
  for (const { probe, marked } of cases) {
    const code = marked.map((each, at) => `export { b${at} } from "${nameOf(each)}";\n`);
    await Bun.write(join(folder.path, probe), code.join(""));
  }
  const run = Bun.spawnSync([oxlint, "--format=unix", "."], { cwd: folder.path });
  const lines = run.stdout.toString().split("\n");
  report = lines.filter((line) => line.includes("no-restricted-imports"));
});

afterAll(() => folder[Symbol.dispose]());

test.each(cases)("the linter knows what $file may import: $marked", ({ probe, marked }) => {
  const found = marked.map((each) => {
    const name = nameOf(each);
    const isRefused = report.some((line) => line.includes(probe) && line.includes(`'${name}'`));
    return isRefused ? `-${name}` : name;
  });
  expect(found).toEqual(marked);
});
