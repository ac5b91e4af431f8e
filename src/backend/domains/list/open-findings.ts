import type { SQL } from "bun";
import type { Fragment } from "../../database/database.ts";

/**
 * All findings, as a table: `domain_id`, `code`, `severity`, `since` and `evidence`. Those of the checks
 * are stored; what the registrar says follows from the domain, so that nothing has to keep it in step.
 * A domain that is dropped or sold has none of the latter.
 */
export function openFindings(sql: SQL): Fragment {
  return sql`(
    select domain_id, code, severity, since, evidence from findings
    union all
    select id, 'registrar-' || status_key, 0,
      coalesce((select max(at) from changes where changes.domain_id = domains.id
        and changes.fields like '%"field":"status"%'), created_at),
      coalesce((select label from registrars where label_key = registrar_key), 'The registrar')
        || ' says “' || status || '”'
    from domains
    where status_key in ('cancelled', 'on-hold', 'redemption', 'pending-delete')
      and coalesce(decision, '') <> 'drop' and sold_on is null and sold_minor is null)`;
}
