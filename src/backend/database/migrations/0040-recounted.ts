import type { Migration } from "../database.ts";
import { ON_POSTGRES, renewalsOf } from "./0037-aggregates.ts";
import { REPORTED_AGAIN } from "./0039-search-table.ts";

/**
 * Counts domains and renewals on Postgres again. While migrations 35 and 37 counted them, an older
 * instance could add or delete domains that were not seen; and a report that waited for the new table
 * did not see its rows and added them twice. The trigger now makes such a writer run again.
 */
export const recounted: Migration = {
  version: 40,
  name: "recounted",
  statements: [],
  postgres: [
    `lock table domains, domain_counts, observations in share row exclusive mode`,
    `delete from domain_counts`,
    `insert into domain_counts select count(*) from domains`,
    `create or replace function refresh_renewals_paid() returns trigger language plpgsql as $$ begin
        if not exists (select from schema_migrations where version >= 37) then
          raise serialization_failure;
        end if;
        delete from renewals_paid where domain_id in (select domain_id from reports_changed);
        ${renewalsOf(ON_POSTGRES, "= changed.id", REPORTED_AGAIN)} return null; end $$`,
    `delete from renewals_paid`,
    renewalsOf(ON_POSTGRES, "is not null"),
  ],
};
