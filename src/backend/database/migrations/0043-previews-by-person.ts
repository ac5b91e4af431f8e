import type { Migration } from "../database.ts";

/** A person is taken out of all previews before they are deleted: few rows of many name one. */
export const previewsByPerson: Migration = {
  version: 43,
  name: "previews by person",
  statements: [
    `create index import_rows_by_person on import_rows (person_id) where person_id is not null`,
  ],
};
