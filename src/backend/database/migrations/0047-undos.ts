import type { Migration } from "../database.ts";

/** Which operation undid which; `redo`: what it undid was an undo. */
export const undos: Migration = {
  version: 47,
  name: "undos",
  statements: [
    `create table undos (
      undoes text not null,
      operation text not null,
      redo integer not null,
      primary key (undoes, operation))`,
    `create index undos_operation on undos (operation)`,
  ],
};
