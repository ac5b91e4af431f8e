import type { Migration } from "../database.ts";

/** An import is an operation like any other: what its commit wrote can be undone by its id. */
export const importsAsOperations: Migration = {
  version: 23,
  name: "imports as operations",
  statements: [
    // The ids of what a commit wrote begin with its stamp; those of its undo do not.
    `update changes set operation = import_id where operation is null and import_id is not null
      and substr(id, 1, 24) = (select stamp from imports where imports.id = import_id)`,
    `alter table imports drop column unfinished`,
    `alter table imports drop column changed_fields`,
  ],
};
