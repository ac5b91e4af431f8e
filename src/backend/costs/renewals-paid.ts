import type { SQL } from "bun";

type Fragment = SQL.Query<unknown>;

/**
 * The renewals that the reports of expiry dates show, as a table to select from: `domain_id`, `years`
 * and `reported_on`. A domain was renewed where a source reports a day about whole years after every
 * day that was known. The first word of a source is none, as it may only know better; that of a person
 * is one. `condition` narrows the reports.
 */
export function renewalsPaid(sql: SQL, condition: Fragment = sql``): Fragment {
  return sql`(
    select domain_id, substr(observed_at, 1, 10) as reported_on, (months + 1) / 12 as years
    from (
      select domain_id, source, observed_at, own, ${monthsOf(sql, sql`value`)}
        - ${monthsOf(sql, sql`known`)} as months
      from (
        select domain_id, source, value, observed_at,
          max(value) over (partition by domain_id order by observed_at, id
            rows between unbounded preceding and 1 preceding) as known,
          lag(value) over (partition by domain_id, source order by observed_at, id) as own
        from observations where kind = 'expires' and value is not null ${condition}
      ) reports
    ) steps
    where months >= 11 and (own is not null or source = 'manual'))`;
}

/** The months from year 0 to a day. */
function monthsOf(sql: SQL, day: Fragment): Fragment {
  return sql`(12 * cast(substr(${day}, 1, 4) as integer) + cast(substr(${day}, 6, 2) as integer))`;
}
