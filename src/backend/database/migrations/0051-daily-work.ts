import type { Migration } from "../database.ts";

/** What is looked for each day and at each start is found without a look at every check or report. */
export const dailyWork: Migration = {
  version: 51,
  name: "daily work",
  statements: [
    "create index checks_by_look on checks (checked_at)",
    // Only a registry's report has a detail.
    "create index observations_of_registries on observations (value) where detail is not null",
  ],
};
