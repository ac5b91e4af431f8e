import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const oxlint = join(root, "node_modules", ".bin", "oxlint");

/** A file of the house, what it imports, and whether it may. */
const RULES = [
  ["src/client/home/a.ts", "../domains/b.ts", false],
  ["src/client/domains/a.ts", "../home/b.ts", false],
  ["src/client/import/a.ts", "../domains/b.ts", false],
  ["src/client/domains/list/a.ts", "../../import/b.ts", false],
  ["src/client/domains/bin/a.ts", "../../home/b.ts", false],
  ["src/client/domains/bin/a.ts", "../domain-dialog.tsx", true],
  ["src/client/domains/bin/a.ts", "../../register/b.ts", true],
  ["src/client/domains/list/a.ts", "../domain/b.tsx", true],
  ["src/client/home/a.ts", "../costs/b.ts", false],
  ["src/client/changes/a.ts", "../home/b.ts", false],
  ["src/client/home/a.ts", "../palette/b.tsx", false],
  ["src/client/settings/a.ts", "../home/b.ts", false],
  ["src/client/registrars/a.ts", "../settings/b.ts", false],
  ["src/client/costs/a.ts", "../registrars/b.ts", false],
  ["src/client/checks/a.ts", "../domains/b.ts", false],
  ["src/client/palette/a.ts", "../domains/b.ts", false],
  ["src/client/palette/a.ts", "../session/b.ts", true],
  ["src/client/home/a.ts", "../session/b.ts", true],
  ["src/client/home/a.ts", "../http.ts", true],
  ["src/client/domains/a.ts", "../ui/b.tsx", true],
  ["src/client/domains/a.ts", "../shell/b.tsx", false],
  ["src/client/domains/a.ts", "../../backend/b.ts", false],
  ["src/client/domains/a.ts", "../../shared/b.ts", true],
  ["src/client/session/a.ts", "../home/b.ts", false],
  ["src/client/session/a.ts", "../palette/b.tsx", false],
  ["src/client/session/a.ts", "../shell/b.ts", false],
  ["src/client/session/a.ts", "../http.ts", true],
  ["src/client/session/a.ts", "../register/b.ts", false],
  ["src/client/register/a.ts", "../session/b.ts", true],
  ["src/client/register/a.ts", "../domains/b.ts", false],
  ["src/client/register/a.ts", "../shell/b.ts", false],
  ["src/client/home/a.ts", "../register/b.ts", true],
  ["src/client/shell/a.ts", "../home/b.tsx", false],
  ["src/client/shell/a.ts", "../palette/b.tsx", false],
  ["src/client/shell/a.ts", "../session/b.ts", false],
  ["src/client/shell/a.ts", "../ui/lazy-code.ts", true],
  ["src/client/shell/a.ts", "../register/b.ts", false],
  ["src/client/ui/a.ts", "../http.ts", false],
  ["src/client/ui/a.ts", "../register/b.ts", false],
  ["src/client/ui/a.ts", "wouter", false],
  ["src/client/ui/a.ts", "./b.tsx", true],
  ["src/client/ui/a.ts", "../../shared/b.ts", true],
  ["src/client/http.ts", "wouter", false],
  ["src/client/http.ts", "../shared/b.ts", false],
  ["src/client/app.tsx", "../server/b.ts", false],
  ["src/shared/a.ts", "./b.ts", true],
  ["src/shared/a.ts", "../client/b.ts", false],
  ["src/shared/a.ts", "react", false],
  ["src/backend/a.ts", "../shared/b.ts", true],
  ["src/backend/a.ts", "../server/b.ts", false],
  ["src/backend/a.ts", "../client/http.ts", false],
  ["src/backend/domains/a.ts", "../../server/b.ts", false],
  ["src/backend/domains/a.ts", "../import/b.ts", false],
  ["src/backend/domains/a.ts", "../reminders/b.ts", false],
  ["src/backend/database/a.ts", "../import/b.ts", false],
  ["src/backend/domains/a.ts", "../merge/b.ts", false],
  ["src/backend/merge/a.ts", "../domains/b.ts", true],
  ["src/backend/merge/a.ts", "../database/b.ts", true],
  ["src/backend/merge/a.ts", "../../shared/b.ts", true],
  ["src/backend/merge/a.ts", "../import/b.ts", false],
  ["src/backend/merge/a.ts", "../import/reading/b.ts", false],
  ["src/backend/merge/a.ts", "../uploads/b.ts", false],
  ["src/backend/merge/a.ts", "../../client/http.ts", false],
  ["src/backend/import/a.ts", "../merge/b.ts", true],
  ["src/backend/import/a.ts", "../domains/b.ts", true],
  ["src/backend/import/values/a.ts", "../../../client/home/b.ts", false],
  ["src/backend/import/a.ts", "../uploads/b.ts", true],
  ["src/backend/import/a.ts", "../checks/b.ts", false],
  ["src/backend/import/reading/a.ts", "../values/b.ts", true],
  ["src/backend/import/reading/a.ts", "../../domains/b.ts", true],
  ["src/backend/import/reading/a.ts", "../../checks/b.ts", false],
  ["src/backend/import/reading/a.ts", "../../../shared/b.ts", true],
  ["src/backend/backup/a.ts", "../uploads/b.ts", true],
  ["src/backend/backup/a.ts", "../import/b.ts", false],
  ["src/backend/accounts/a.ts", "../merge/b.ts", true],
  ["src/backend/accounts/a.ts", "../reminders/b.ts", false],
  ["src/backend/accounts/a.ts", "../checks/b.ts", false],
  ["src/backend/reminders/a.ts", "../auth/tokens/secrets.ts", true],
  ["src/backend/reminders/a.ts", "../auth/sessions.ts", false],
  ["src/backend/reminders/a.ts", "../checks/b.ts", false],
  ["src/backend/costs/a.ts", "../registrars/b.ts", false],
  ["src/backend/new-room/a.ts", "../reminders/b.ts", false],
  ["src/backend/new-room/a.ts", "../auth/b.ts", false],
  ["src/backend/new-room/a.ts", "../../client/http.ts", false],
  ["src/backend/new-room/a.ts", "react", false],
  ["src/backend/new-room/a.ts", "../domains/b.ts", true],
  ["src/backend/new-room/a.ts", "../outbound/b.ts", true],
  ["src/backend/new-room/a.ts", "../settings.ts", true],
  ["src/backend/new-room/a.ts", "../../shared/b.ts", true],
  ["src/backend/domains/a.ts", "../jobs/lease.ts", true],
  ["src/backend/domains/a.ts", "../jobs/loop.ts", false],
  ["src/backend/domains/a.ts", "../outbound/b.ts", false],
  ["src/backend/outbound/a.ts", "../domains/b.ts", false],
  ["src/backend/a.ts", "react", false],
  ["src/server/a.ts", "../backend/b.ts", false],
  ["src/server/a.ts", "../shared/b.ts", true],
  ["src/server/a.ts", "../client/app.tsx", false],
  ["src/server/site/pages.ts", "../../client/app.tsx", true],
  ["src/server/site/pages.ts", "../../client/home/b.tsx", false],
  ["src/server/config/config.ts", "../../client/screens.ts", true],
  ["src/server/config/config.ts", "../../client/app.tsx", false],
  ["server.ts", "./src/backend/b.ts", true],
] as const;

/** The one line of `file` that the linter would refuse, in a file of its own for each rule. */
const probe = (file: string, index: number) => file.replace(/(?<=\/)a\.ts$/, `a${index}.ts`);

let folder = "";
let report = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "freehold-lint-"));
  await cp(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  for (const [index, [from, what]] of RULES.entries()) {
    const code = `import { b${index} } from "${what}";\n\nexport const a${index} = b${index};\n`;
    const file = join(folder, probe(from, index));
    const before = await Bun.file(file)
      .text()
      .catch(() => "");
    await Bun.write(file, before + code);
  }
  const run = Bun.spawnSync([oxlint, "--format=unix", "."], { cwd: folder });
  report = run.stdout.toString();
});

afterAll(() => rm(folder, { recursive: true }));

describe("the linter's import rules", () => {
  test.each(RULES.map(([from, what, allowed], index) => [from, what, allowed, index] as const))(
    "%s imports %s: %p",
    (from, what, allowed, index) => {
      const lines = report.split("\n").filter((line) => line.includes(probe(from, index)));
      const refused = lines.some(
        (line) => line.includes("no-restricted-imports") && line.includes(`'${what}'`),
      );
      expect(refused).toBe(!allowed);
    },
  );
});
