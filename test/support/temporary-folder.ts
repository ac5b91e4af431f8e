import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own for one test: `using folder = createTemporaryFolder()` removes it again. */
export interface TemporaryFolder extends Disposable {
  path: string;
}

export function createTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "freehold-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
