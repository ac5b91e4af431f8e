import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes an empty folder: `using folder = …` removes it again, with all that is in it. */
export function createTemporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "freehold-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
