import type { SQL } from "bun";
import { type Fragment, isPostgres } from "../../database/database.ts";
import { addDays, type Day } from "../../../shared/day.ts";
import type { NamedPerson, RegistrarStatus } from "../../../shared/domain.ts";
import { FIELDS, LABEL_FIELDS, recordOf } from "../../../shared/fields.ts";
import {
  activeFilters,
  customFieldOf,
  type CustomName,
  type Filter,
  type FilterName,
  filterValues,
  isCustomName,
} from "../../../shared/filter.ts";
import {
  parseNextDays,
  parsePriceRange,
  parseTerm,
  type Term,
} from "../../../shared/filter-term.ts";
import { SEVERITIES } from "../../../shared/check-summary.ts";
import { OTHER_DIGITS } from "../../../shared/money.ts";
import { foldText } from "../../../shared/search.ts";
import { customKeyOf, foldLabel } from "../../../shared/text.ts";
import {
  GONE_DAYS,
  lapsedBefore,
  TO_DO,
  UNREGISTERED,
  type Work,
  WORK,
  type WorkTime,
} from "../../../shared/work.ts";
import { EVERYTHING, NOTHING, type Sight } from "../../http/route.ts";
import { toAscii } from "../domain-name.ts";
import { yearlyPrice } from "./list-price.ts";
import { anyOf, containing, mayContain, searchCondition } from "./search.ts";
import { inShown, isOfField, isShown } from "./shown.ts";

/** The domains in sight that a filter finds; archived ones only where the filter asks for them. */
export function filterCondition(
  sql: SQL,
  filter: Filter,
  time: WorkTime,
  sight: Sight,
  people: readonly NamedPerson[] = [],
): Fragment {
  const asksForArchived = filter.archived ?? filter.change ?? filter.import;
  // The names of a tag are counted in an index of ids.
  const current = () =>
    filter.tag === undefined ? isCurrent(sql, EVERYTHING) : isNotArchived(sql, "id");
  return sql`${asksForArchived === undefined ? current() : sql`1 = 1`}
    ${inSight(sql, sight)} ${matchesOf(sql, filter, time, sight, people)}`;
}

/**
 * SQL that begins with `and`: the row of `domains` is in sight, or, with `id`, the domain whose id is in that
 * column, for which all ids in sight are looked up. Empty for those who see everything.
 */
export function inSight(sql: SQL, sight: Sight, id?: string): Fragment {
  if (sight === EVERYTHING) return sql``;
  if (sight === NOTHING) return sql`and 1 = 0`;
  const seen = sql`${matchesOf(sql, sight.filter, sight.time, EVERYTHING, sight.people)}`;
  return id === undefined
    ? seen
    : sql`and ${sql.unsafe(id)} in (select id from domains where 1 = 1 ${seen})`;
}

/** SQL that begins with `and`, for `changes`: the domain is in sight, and more than hidden fields changed. */
export function changeInSight(sql: SQL, sight: Sight): Fragment {
  return sql`${inSight(sql, sight, "domain_id")} ${inShown(sql, sight)}`;
}

/** Conditions that begin with `and`: what a filter says, archived or not. */
function matchesOf(
  sql: SQL,
  filter: Filter,
  time: WorkTime,
  sight: Sight,
  people: readonly NamedPerson[],
): Fragment[] {
  const all = [sql``];
  const isNarrowed = activeFilters(filter).length > 1;
  for (const name of activeFilters(filter)) {
    if (name === "q") continue;
    const terms = filterValues(filter, name).map(parseTerm);
    const matches = (term: Term) => {
      if (!isShown(name, sight)) return sql`1 = 0`;
      return isCustomName(name)
        ? customCondition(sql, customFieldOf(name), term)
        : CONDITIONS[name](sql, term, time, isNarrowed, sight);
    };
    const wanted = terms.filter(({ not }) => !not);
    if (wanted.length > 0) all.push(sql`and (${anyOf(sql, wanted.map(matches))})`);
    // A domain without a value is not what is left out.
    for (const term of terms.filter(({ not }) => not)) {
      all.push(sql`and (${matches(term)}) is not true`);
    }
  }
  if (filter.q !== undefined) {
    all.push(sql`and (${searchCondition(sql, filter.q, people, sight)})`);
  }
  return all;
}

/** A condition for each filter but the search; it may be null where a domain has no value. */
const CONDITIONS: {
  readonly [N in Exclude<FilterName, CustomName | "q">]: (
    sql: SQL,
    term: Term,
    time: WorkTime,
    isNarrowed: boolean,
    sight: Sight,
  ) => Fragment;
} = {
  ...recordOf(
    LABEL_FIELDS,
    (field) => (sql: SQL, term: Term) => labelCondition(sql, FIELDS[field].sortedBy, term),
  ),
  person: (sql, { text }) => (text === "none" ? sql`person_id is null` : sql`person_id = ${text}`),
  tag: (sql, term) =>
    term.match === "none"
      ? sql`not exists (select 1 from domain_tags where domain_id = domains.id)`
      : sql`id in (select domain_id from domain_tags where ${labelCondition(sql, "tag_key", term)})`,
  tld: (sql, { text }) => sql`tld = ${toAscii(text.replace(/^\./, "")) ?? ""}`,
  decision: (sql, term) => labelCondition(sql, "decision", term),
  autoRenew: (sql, { match, text }) =>
    match === "none" ? sql`auto_renew is null` : sql`auto_renew = ${Number(text === "true")}`,
  status: (sql, term) => labelCondition(sql, "status_key", term),
  work: (sql, { text }, time) => workCondition(sql, text, time),
  // By name all are left out within any index; of few, Postgres would read all names for each.
  lapsed: (sql, { text }, { today }, isNarrowed) =>
    text === "false" && isNarrowed
      ? sql`(${lapsedCondition(sql, today)}) is not true`
      : sql`sort_name ${text === "true" ? sql`` : sql`not`} in (${lapsedNames(sql, today)})`,
  archived: (sql, { text }, { today }) => {
    if (text === "proposed") return sql`sort_name in (${goneNames(sql, today)})`;
    return text === "true" ? sql`archived_on is not null` : sql`1 = 1`;
  },
  sold: (sql, { text }) =>
    text === "true" ? sql`not (${unsoldCondition(sql)})` : unsoldCondition(sql),
  expires: (sql, { text }, time) => expiryCondition(sql, text, time),
  expiresFrom: (sql, { text }) => sql`expires_earliest >= ${text}`,
  expiresBefore: (sql, { text }) => sql`expires_earliest < ${text}`,
  finding: (sql, { text }) => findingCondition(sql, text),
  handled: (sql, { text }, { today }) => handledCondition(sql, text, today),
  // All changes of one request have its instant.
  change: (sql, { text }, _time, _isNarrowed, sight) => sql`id in (
    select domain_id from changes c
    join (select at, import_id, operation from changes where id = ${text}) first
      on c.at = first.at and c.import_id is not distinct from first.import_id
      and c.operation is not distinct from first.operation
    where 1 = 1 ${inShown(sql, sight)})`,
  // All changes of an import have its instant; those of its undo have another.
  import: (sql, { text }, _time, _isNarrowed, sight) => sql`id in (
    select domain_id from changes where import_id = ${text} ${inShown(sql, sight)}
      and at = (select committed_at from imports where imports.id = ${text}))`,
  price: (sql, { text }) => priceCondition(sql, text),
  currency: (sql, { match, text }) => {
    const { minor, currency } = yearlyPrice(sql);
    return match === "none"
      ? sql`(${currency}) is null and (${minor}) is not null`
      : sql`(${currency}) = ${text}`;
  },
};

/** A domain is not archived, and in sight. Every index has the column. `table` is named beside other tables. */
export function isCurrent(sql: SQL, sight: Sight, table?: string): Fragment {
  const seen = inSight(sql, sight, table && `${table}.id`);
  return sql`${sql(table ?? "domains")}.archived_on is null ${seen}`;
}

/** The domain whose id is in a column is not archived; those that are have an index of their own. */
export function isNotArchived(sql: SQL, column: string): Fragment {
  return sql`${sql(column)} not in (select id from domains where archived_on is not null)`;
}

/** The names that the registry does not know, or that expired long ago and it was never asked about. */
function goneNames(sql: SQL, today: Day): Fragment {
  return sql`
    select sort_name from findings cross join domains
    where code = ${UNREGISTERED} and id = domain_id and ${isCurrent(sql, EVERYTHING)}
    union all select sort_name from domains
    where expires_earliest < ${addDays(today, -GONE_DAYS)} and ${isCurrent(sql, EVERYTHING)} and not exists (
      select 1 from checks where domain_id = domains.id and kind in ('registry', 'whois')
        and answered_at is not null)`;
}

function labelCondition(sql: SQL, column: string, { match, text }: Term): Fragment {
  if (match === "none") return sql`${sql(column)} is null`;
  if (match === "is") return sql`${sql(column)} = ${foldLabel(text)}`;
  return containing(sql, column, foldLabel(text));
}

/** Of the fields in a domain's `custom_key`, compares the one of this name. */
function customCondition(sql: SQL, field: string, { match, text }: Term): Fragment {
  const start = customKeyOf(field);
  const has = containing(sql, "custom_key", start);
  if (match === "none") return sql`(${has}) is not true`;
  if (match === "is") {
    const whole = customKeyOf(field, text);
    return sql`${containing(sql, "custom_key", whole)} and ${mayContain(sql, [foldText(text).trim()])}`;
  }
  const position = isPostgres(sql) ? sql`strpos` : sql`instr`;
  // A parameter that is sliced by characters, not by UTF-16 units.
  const rest = sql`substr(custom_key, ${position}(custom_key, ${start}) + ${[...start].length})`;
  const end = start.slice(0, 1);
  const folded = foldLabel(text);
  return sql`${has} and ${mayContain(sql, [foldText(text).trim()])}
    and ${position}(${rest}, ${folded}) between 1 and ${position}(${rest}, ${end})`;
}

function expiryCondition(sql: SQL, word: string, { today }: WorkTime): Fragment {
  const days = parseNextDays(word);
  if (days !== null) {
    return sql`expires_earliest >= ${today} and expires_earliest <= ${addDays(today, days)}`;
  }
  if (word === "expired") return sql`expires_earliest < ${today}`;
  if (word === "conflict") return sql`expires_conflict = 1`;
  return word === "none" ? sql`expires_earliest is null` : sql`expires_earliest is not null`;
}

function findingCondition(sql: SQL, word: string): Fragment {
  const severity = SEVERITIES.findIndex((each) => each === word);
  const one = severity < 0 ? sql`code = ${word}` : sql`severity = ${severity}`;
  const which = word === "any" ? sql`` : sql`where ${one}`;
  return sql`id in (select domain_id from ${openFindings(sql)} n ${which})`;
}

/** A snooze that has ended leaves its domain open. */
function handledCondition(sql: SQL, word: string, today: Day): Fragment {
  const isHandled = (how: Fragment) => sql`exists (select 1 from handled
    where domain_id = domains.id and handled.expires_on = domains.expires_earliest and ${how})`;
  if (word === "acknowledged") return isHandled(sql`until is null`);
  if (word === "snoozed") return isHandled(sql`until > ${today}`);
  return sql`not ${isHandled(sql`(until is null or until > ${today})`)}`;
}

function priceCondition(sql: SQL, word: string): Fragment {
  const range = parsePriceRange(word);
  const { minor, currency } = yearlyPrice(sql);
  if (word === "none") return sql`(${minor}) is null`;
  if (range === null) return sql`(${minor}) is not null`;
  const unit = sql`case ${Object.entries(OTHER_DIGITS).map(
    ([digits, codes]) =>
      sql`when (${currency}) in ${sql(codes.split(" "))} then ${10 ** Number(digits)} `,
  )} else 100 end`;
  // Divided, as 32.3 times 100 is less than 3230.
  const { from, to } = range;
  return sql`(${minor}) / (${unit}) between ${from ?? 0} and ${to ?? Number.MAX_SAFE_INTEGER}`;
}

/** The names of what has lapsed, each once: either half from an index, which no "or" is. */
export function lapsedNames(sql: SQL, today: Day): Fragment {
  const isOver = sql`expires_conflict = 0 and expires_on < ${lapsedBefore(today)}`;
  const isDropped = sql`decision = 'drop' and ${isCurrent(sql, EVERYTHING)}`;
  return sql`
    select sort_name from domains where ${isDropped} and ${isOver}
    union all select sort_name from findings cross join domains
    where code = ${UNREGISTERED} and id = domain_id and ${isDropped} and (${isOver}) is not true`;
}

/** `isLapsed` in SQL, of what is not archived; may be null. */
export function lapsedCondition(sql: SQL, today: Day): Fragment {
  return sql`decision = 'drop' and ${isCurrent(sql, EVERYTHING)} and (expires_conflict = 0 and expires_on < ${lapsedBefore(today)}
    or id in (select domain_id from findings where code = ${UNREGISTERED}))`;
}

export function unsoldCondition(sql: SQL): Fragment {
  return sql`sold_on is null and sold_minor is null`;
}

/** `workOf` in SQL: a kind of work, `todo` or `any`. */
export function workCondition(sql: SQL, work: string, { today, leadDays }: WorkTime): Fragment {
  const own = sql`${unsoldCondition(sql)} and ${isCurrent(sql, EVERYTHING)}`;
  const upToLead = sql`${own} and expires_earliest <= ${addDays(today, leadDays)}`;
  const soon = sql`${upToLead} and expires_earliest >= ${today}`;
  const undone = sql`coalesce(done_for, '') <> expires_earliest`;
  const open = sql`${soon} and ${undone}`;
  const mayLapse = sql`coalesce(auto_renew, 0) = 0`;
  const notDropped = sql`coalesce(decision, '') <> 'drop'`;
  const isTroubled = sql`${notDropped} and ${findingCondition(sql, "critical")}`;
  const kinds: Readonly<Record<Work, () => Fragment>> = {
    expired: () => sql`${own} and expires_earliest < ${today} and ${notDropped}`,
    undecided: () => sql`${soon} and coalesce(decision, 'watch') = 'watch' and ${mayLapse}`,
    renew: () => sql`${open} and decision = 'keep' and ${mayLapse}`,
    transfer: () => sql`${open} and decision = 'transfer'`,
    "switch-off": () => sql`${upToLead} and ${undone} and decision = 'drop'
      and coalesce(auto_renew, 1) = 1 and (${lapsedCondition(sql, today)}) is not true`,
    trouble: () => sql`${soon} and ${isTroubled}
      and (${any(["undecided", "renew", "transfer"])}) is not true`,
    look: () => sql`${own} and (expires_earliest is null and ${notDropped}
      or expires_earliest > ${addDays(today, leadDays)} and ${isTroubled})`,
  };
  const any = (some: readonly Work[]) =>
    anyOf(
      sql,
      some.map((kind) => kinds[kind]()),
    );
  const one = ([...WORK, "look"] as const).find((kind) => kind === work);
  if (one !== undefined) return kinds[one]();
  // By what all have in common they are read at once; "is true" keeps SQLite from an index for each.
  return sql`${upToLead} and (${any(work === "todo" ? TO_DO : WORK)}) is true`;
}

/** Meanings of a registrar's status with which a domain may be lost, in the order of their index. */
export const LOSING: ReadonlySet<unknown> = new Set<RegistrarStatus>([
  "cancelled",
  "on-hold",
  "redemption",
  "pending-delete",
]);

/**
 * All findings as a table. Those of checks are stored; what the registrar says follows from the
 * domain, so nothing has to keep it in step. Dropped, sold and archived domains have none of the latter.
 */
export function openFindings(sql: SQL): Fragment {
  // Constants, as the index of these takes no parameters.
  const losing = sql.unsafe(`'${[...LOSING].join("', '")}'`);
  return sql`(
    select domain_id, code, severity, since, evidence from findings
    union all
    select id, 'registrar-' || status_key, 0,
      coalesce((select max(at) from changes where changes.domain_id = domains.id
        and ${isOfField(sql, "status")}), created_at),
      coalesce((select label from registrars where label_key = registrar_key), 'The registrar')
        || ' says “' || status || '”'
    from domains
    where status_key in (${losing})
      and coalesce(decision, '') <> 'drop' and ${unsoldCondition(sql)} and ${isCurrent(sql, EVERYTHING)})`;
}
