import type { SQL } from "bun";
import { CHANGE_KINDS } from "../../shared/changes.ts";
import * as p from "../../shared/parse.ts";
import { foldLabel, UUID } from "../../shared/text.ts";
import type { Fragment } from "../database/database.ts";
import { queryOf } from "../http/read-input.ts";
import { EVERYTHING, type Sight } from "../http/route.ts";
import { anyOf, containing, like } from "./list/search.ts";
import { isOfField } from "./list/shown.ts";
import { isRefusal } from "./write/history.ts";

export const CHANGES_CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(?:~(\d{1,6}))?$/;

export const parseChangesQuery = queryOf({
  /** An instant: what is older. With `~n`, what is as old too, but for the first n groups. */
  after: p.optional(p.textLike(CHANGES_CURSOR, "value", "an instant, or the next of a page")),
  person: p.optional(p.textLike(UUID, "value", "the id of a person")),
  kind: p.optional(p.oneOf(CHANGE_KINDS)),
  q: p.optional(p.textLike(/^[^\p{Cc}]{1,100}$/u, "value", "text of at most 100 characters")),
  change: p.optional(
    p.textLike(/^[\da-f-]{36}(,[\da-f-]{36}){0,49}$/, "value", "comma-separated ids"),
  ),
});

export type ChangesQuery = ReturnType<typeof parseChangesQuery>;

/** What a change has to be for its group to be shown; null: anything. */
export function changesCondition(
  sql: SQL,
  { person, kind, q }: ChangesQuery,
  sight: Sight,
): Fragment | null {
  const isTold = sql`made_by is null and import_id is null
    and (operation is null or made_by_name like 'account:%')`;
  const ofPeople = (action: string) =>
    sql`action = ${action} and import_id is null and not (${isTold})`;
  const kinds = {
    added: () => ofPeople("added"),
    edited: () => sql`${ofPeople("edited")} and not ${isRefusal(sql)}`,
    refused: () => isRefusal(sql),
    decided: () => sql`${ofPeople("edited")} and ${isOfField(sql, "decision")}`,
    deleted: () => ofPeople("deleted"),
    imported: () => sql`import_id is not null`,
    told: () => isTold,
  };
  const all = [
    ...(person === undefined ? [] : [sql`made_by = ${person}`]),
    ...(kind === undefined ? [] : [kinds[kind]()]),
    ...(q === undefined ? [] : [textCondition(sql, foldLabel(q), sight)]),
  ];
  return all.length === 0
    ? null
    : sql`${all.map((each, at) => (at === 0 ? each : sql` and ${each}`))}`;
}

/** What is no word of the values that a change has as JSON, in small letters. */
const JSON_MEMBERS =
  `"before":null "after":null "field": "before": "after": "minor": "currency": "years": "id": "name":
  "date": "source": "observedat": "conflict":true "conflict":false "alternatives":`.split(/\s+/);

/** Whether a text is in the name of the domain, what was written, the file, or who did it. */
function textCondition(sql: SQL, text: string, sight: Sight): Fragment {
  // `lower` may know ASCII alone: other capitals of the text are lowered one by one.
  const lower = (column: string) =>
    [...new Set(text.match(/(?![a-z])\p{Ll}/gu))].reduce(
      (lowered, letter) => sql`replace(${lowered}, ${letter.toUpperCase()}, ${letter})`,
      sql`lower(${sql(column)})`,
    );
  const written = JSON_MEMBERS.filter((member) => member.includes(text)).reduce(
    (column, member) => sql`replace(${column}, ${member}, '')`,
    lower("fields"),
  );
  return sql`(${anyOf(sql, [
    // Hidden fields are among what was written.
    ...(sight === EVERYTHING ? [like(sql, written, JSON.stringify(text).slice(1, -1))] : []),
    // So is the label of an account.
    sql`(${like(sql, lower("made_by_name"), text)}
      ${sight === EVERYTHING ? sql`` : sql`and made_by_name not like 'account:%'`})`,
    sql`import_id in (select id from imports where ${like(sql, lower("file_name"), text)})`,
    sql`domain_id in (
      select id from domains where ${containing(sql, "name", text)} or ${containing(sql, "unicode", text)})`,
  ])})`;
}
