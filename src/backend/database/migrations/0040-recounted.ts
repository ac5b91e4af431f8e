import type { Migration } from "../database.ts";
import { ON_POSTGRES, renewalsOf } from "./0037-aggregates.ts";
import { REPORTED_AGAIN } from "./0039-search-table.ts";

/**
 * Counts on Postgres what migrations 35 and 37 may have missed: what an older instance was adding or
 * removing while its domains were counted, and renewals of a report that waited for their table, which
 * did not see its rows and added them again. Such a writer is now run again.
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
