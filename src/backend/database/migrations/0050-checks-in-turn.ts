import type { Migration } from "../database.ts";

/** By it the next check is found, however many are due: the other index holds all that are, unsorted. */
export const checksInTurn: Migration = {
  version: 50,
  name: "checks in turn",
  statements: ["create index checks_in_turn on checks (queue, priority, due_at)"],
};
