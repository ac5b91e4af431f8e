import type { Migration } from "./migration.ts";

/**
 * Bulk jobs take an advisory lock now, and no longer one by a row of the settings. Nothing writes
 * `imports.unfinished` any more; what an older version left there, `revertUnfinished` reverts.
 */
export const atomicImports: Migration = {
  version: 9,
  name: "atomic imports",
  statements: [`delete from settings where name = 'import lock'`],
};
