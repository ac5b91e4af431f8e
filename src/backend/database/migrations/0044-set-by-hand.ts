import type { Migration } from "../database.ts";

/** The fields, separated by commas, in which a row has another value than a person set by hand. */
export const setByHand: Migration = {
  version: 44,
  name: "set by hand",
  statements: [
    `alter table import_rows add column by_hand text`,
    `create index import_rows_by_hand on import_rows (lookup) where by_hand is not null`,
  ],
};
