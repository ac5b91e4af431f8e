import type { Migration } from "../database.ts";

const createParts = (bytes: "blob" | "bytea") => `create table upload_parts (
  upload_id text not null references uploads (id) on delete cascade,
  number integer not null,
  bytes ${bytes} not null,
  primary key (upload_id, number))`;

/** The content of uploads, which was in a folder that instances had to share. It goes with its upload. */
export const uploadParts: Migration = {
  version: 38,
  name: "upload parts",
  statements: [],
  sqlite: [createParts("blob")],
  postgres: [
    createParts("bytea"),
    // Compressing takes longer than writing, and what is swept after a day needs no saving.
    `alter table upload_parts alter column bytes set storage external`,
  ],
};
