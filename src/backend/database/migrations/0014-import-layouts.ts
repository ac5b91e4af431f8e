import type { Migration } from "./migration.ts";

/**
 * What a person last decided about files with the same headers, of which `key` is a hash; `mapping`
 * and `defaults` are JSON. Preview rows tell which of them are read in part.
 */
export const importLayouts: Migration = {
  version: 14,
  name: "import layouts",
  statements: [
    `create table import_layouts (
      key text primary key,
      mapping text not null,
      date_order text,
      defaults text not null,
      used_at text not null)`,
    `alter table import_rows add column partly smallint`,
    `create index import_rows_partly on import_rows (staging, row_key) where partly = 1`,
  ],
};
