import type { Migration } from "./migration.ts";

/**
 * Which fields an import changes of the names that are there, as a list in JSON, so that its commit
 * leaves the indexes of all others alone. Null where its preview is older than this column.
 */
export const changedFieldsOfImports: Migration = {
  version: 4,
  name: "changed fields of imports",
  statements: [`alter table imports add column changed_fields text`],
};
