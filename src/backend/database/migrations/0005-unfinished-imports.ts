import type { Migration } from "./migration.ts";

/**
 * How far the commit or the undo of an import has come, as JSON, while it is under way in several
 * transactions; what a process leaves that dies in between is finished by the next one.
 */
export const unfinishedImports: Migration = {
  version: 5,
  name: "unfinished imports",
  statements: [`alter table imports add column unfinished text`],
};
