import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own for one test: `using folder = createTemporaryFolder()` removes it again. */
export interface TemporaryFolder extends Disposable {
  path: string;
}

/** Makes an empty folder that is gone, with all that is in it, when the block ends. */
export function createTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "freehold-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
