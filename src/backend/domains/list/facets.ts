import type { SQL } from "bun";
import { facetOf, FIELDS, LABEL_FIELDS, recordOf } from "../../../shared/fields.ts";
import { type Facet, type Facets, MAX_FACETS } from "../../../shared/facets.ts";
import { foldLabel } from "../../../shared/text.ts";
import { DEFAULT_SORT, QUICK_FILTERS, withoutLapsed } from "../../../shared/view.ts";
import { countRows, type Fragment, isPostgres, type Job } from "../../database/database.ts";
import { COLUMNS } from "../columns.ts";
import { KNOWN_REGISTRARS } from "../known-registrars.ts";
import { EVERYTHING, type Sight } from "../../http/route.ts";
import { readSettings } from "../settings.ts";
import { filterCondition, inSight, isCurrent, isNotArchived } from "./filter-condition.ts";
import { countDomains, type DatedView } from "./list-domains.ts";
import { isShown } from "./shown.ts";

/** Every value that can be filtered by, most used first, each kind counted in an index of its own. */
export const readFacets: Job<Pick<DatedView, "today" | "sight">, Facets> = {
  name: "list facets",
  async run(sql, { today, sight }) {
    const total = await countDomains(sql, sight);
    const valuesOf = (column: string) => listValues(sql, column, total, sight);
    const flags = await valuesOf("auto_renew");
    const used = recordOf(LABEL_FIELDS.map(facetOf), (): Facet[] => []);
    for (const field of LABEL_FIELDS.filter((each) => isShown(each, sight))) {
      const { sortedBy: key } = FIELDS[field];
      const query =
        field === "registrar"
          ? labels(sql, "registrars", key, sql`domains where ${isCurrent(sql, sight)}`)
          : spellings(sql, COLUMNS[field][0], key, sight);
      used[facetOf(field)].push(...(await query));
    }
    const tagged = sql`domain_tags
      where ${isNotArchived(sql, "domain_id")} ${inSight(sql, sight, "domain_id")}`;
    const inUse = new Set(used.registrars.map(({ value }) => foldLabel(value)));
    return {
      ...used,
      tags: [...(await labels(sql, "tags", "tag_key", tagged))],
      tlds: await valuesOf("tld"),
      decisions: await valuesOf("decision"),
      autoRenew: flags.map(({ value, names }) => {
        return { value: value === "-" ? value : String(value === "1"), names };
      }),
      statuses: await valuesOf("status_key"),
      currencies: await listCurrencies(sql, sight),
      custom: await listCustomNames(sql, sight),
      known: KNOWN_REGISTRARS.filter((name) => !inUse.has(foldLabel(name))).map((value) => {
        return { value, names: 0 };
      }),
      quick: await countQuick(sql, { today, sight }),
    };
  },
};

/** Each by itself: it is read from an index of what it counts. */
async function countQuick(
  sql: SQL,
  { today, sight }: Pick<DatedView, "today" | "sight">,
): Promise<Facet[]> {
  const { leadDays } = await readSettings(sql);
  const quick: Facet[] = [];
  for (const [value, own] of Object.entries(QUICK_FILTERS)) {
    const { filter } = withoutLapsed({ filter: own, sort: DEFAULT_SORT });
    const condition = filterCondition(sql, filter, { today, leadDays }, sight);
    quick.push({ value, names: await countRows(sql, sql`domains where ${condition}`) });
  }
  return quick;
}

/** The names of custom fields; of those that fold alike, the usual spelling stands for all. */
async function listCustomNames(sql: SQL, sight: Sight): Promise<Facet[]> {
  const fields = isPostgres(sql)
    ? sql`json_object_keys(custom::json) f (key)`
    : sql`json_each(custom) f`;
  const isCounted = isPostgres(sql) || sight !== EVERYTHING;
  const rows = isCounted
    ? await sql<Facet[]>`
        select f.key as value, cast(count(*) as integer) as names from domains, ${fields}
        where custom is not null and ${isCurrent(sql, sight, "domains")} group by 1`
    : await sql<Facet[]>`
        select name as value, names - coalesce(archived, 0) as names from custom_names left join (
          select key, count(*) as archived from domains, json_each(custom)
          where archived_on is not null group by key
        ) on key = name where names > coalesce(archived, 0)`;
  const used = [...Map.groupBy(rows.toSorted(byUse), ({ value }) => foldLabel(value)).values()].map(
    (alike) => ({
      value: alike[0]?.value ?? "",
      names: alike.reduce((sum, { names }) => sum + names, 0),
    }),
  );
  return used.toSorted(byUse).slice(0, MAX_FACETS);
}

/** Counts the labels of a table in `used`, which ends with a condition. */
function labels(sql: SQL, table: string, key: string, used: Fragment): Promise<Facet[]> {
  return sql<Facet[]>`
    select l.label as value, used.names from ${sql(table)} l join (
      select ${sql(key)} as label_key, cast(count(*) as integer) as names from ${used}
        and ${sql(key)} is not null group by ${sql(key)}
    ) used on used.label_key = l.label_key
    order by used.names desc, l.label_key limit ${MAX_FACETS}`;
}

/** Each domain has its own spelling of these: the one of the first domain stands for all. */
function spellings(sql: SQL, spelling: string, key: string, sight: Sight): Promise<Facet[]> {
  return sql<Facet[]>`
    select d.${sql(spelling)} as value, used.names from (
      select min(sort_name) as name, ${sql(key)} as label_key, cast(count(*) as integer) as names
      from domains where ${sql(key)} is not null and ${isCurrent(sql, sight)} group by ${sql(key)}
      order by 3 desc, 2 limit ${MAX_FACETS}
    ) used join domains d on d.sort_name = used.name
    order by used.names desc, used.label_key`;
}

/** The values of a column as the filter writes them; `-` counts those of `total` without one. */
async function listValues(sql: SQL, column: string, total: number, sight: Sight): Promise<Facet[]> {
  const found = await sql<Facet[]>`
    select cast(${sql(column)} as text) as value, cast(count(*) as integer) as names from domains
    where ${sql(column)} is not null and ${isCurrent(sql, sight)}
    group by ${sql(column)} order by 2 desc, 1 limit ${MAX_FACETS}`;
  const none = found.reduce((rest, { names }) => rest - names, total);
  return none > 0 && found.length < MAX_FACETS
    ? [...found, { value: "-", names: none }].toSorted(byUse)
    : [...found];
}

/** The currencies of prices; `-` where the source named none. */
async function listCurrencies(sql: SQL, sight: Sight): Promise<Facet[]> {
  const found = await sql<Facet[]>`
    select coalesce(renewal_currency, '-') as value, cast(count(*) as integer) as names from domains
    where renewal_minor is not null and ${isCurrent(sql, sight)} group by renewal_currency order by 2 desc, 1`;
  return [...found];
}

function byUse(one: Facet, other: Facet): number {
  return other.names - one.names || (one.value < other.value ? -1 : 1);
}
