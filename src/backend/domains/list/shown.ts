import type { SQL } from "bun";
import type { Change } from "../../../shared/changes.ts";
import { type Domain, UNKNOWN_VALUES } from "../../../shared/domain.ts";
import { FIELD_NAMES, isHidden } from "../../../shared/fields.ts";
import { isRecord } from "../../../shared/parse.ts";
import { formatSource, parseSource } from "../../../shared/source.ts";
import type { Fragment } from "../../database/database.ts";
import { RequestError } from "../../http/request-error.ts";
import { EVERYTHING, type Sight } from "../../http/route.ts";

const HIDDEN = FIELD_NAMES.filter(isHidden);
const UNKNOWN = Object.fromEntries(
  Object.entries(UNKNOWN_VALUES).filter(([field]) => isHidden(field)),
);

/** Whether a sight shows a field, or `prices`, the price lists of a statement. */
export function isShown(field: string, sight: Sight): boolean {
  return sight === EVERYTHING || !(isHidden(field) || field === "prices");
}

/** @throws {RequestError} 403 where these fields are named by those who do not see them. */
export function refuseHidden(fields: readonly string[], sight: Sight): void {
  if (fields.every((field) => isShown(field, sight))) return;
  throw new RequestError(
    403,
    "Accounts, purchase prices, price lists and notes are not yours to see.",
  );
}

export function withoutHidden(domain: Domain, sight: Sight): Domain {
  return sight === EVERYTHING ? domain : { ...domain, ...UNKNOWN };
}

/** For `changes`: this field was changed. A custom field of that name, which is among the values, is none. */
export function isOfField(sql: SQL, field: string): Fragment {
  const change = `{"field":"${field}"`;
  return sql`(fields like ${`[${change}%`} or fields like ${`%,${change}%`})`;
}

/** SQL that begins with `and`, for `changes`: more than hidden fields changed. */
export function inShown(sql: SQL, sight: Sight): Fragment {
  if (sight === EVERYTHING) return sql``;
  const shown = HIDDEN.reduce(
    (fields, field) => sql`replace(${fields}, ${`"field":"${field}"`}, '')`,
    sql`fields`,
  );
  return sql`and (fields = '[]' or ${shown} like '%"field":%')`;
}

/** Who made a change: for a limited viewer, an account without its label. */
export function shownMaker(by: string, sight: Sight): string {
  return sight === EVERYTHING ? by : withoutLabel(by);
}

export function withoutHiddenFields<C extends Pick<Change, "by" | "fields">>(
  change: C,
  sight: Sight,
): C {
  const fields = change.fields.filter(({ field }) => isShown(field, sight));
  return { ...change, by: shownMaker(change.by, sight), fields };
}

/** Gives the text of a source as it is shown: an account has its label there in place of its id. */
export type SourceNames = (source: string) => string;

/** Reads the labels of all accounts, former ones too. A limited viewer sees only at which registrar one is. */
export async function readSourceNames(sql: SQL, sight: Sight): Promise<SourceNames> {
  if (sight !== EVERYTHING) return withoutLabel;
  const rows = await sql<{ source: string; label: string }[]>`
    select 'account:' || registrar || ':' || coalesce(source_key, id) as source, label
    from registrar_accounts union all select source, label from former_accounts`;
  const labels = new Map(rows.map(({ source, label }) => [source, label]));
  return (text) => {
    const account = labels.get(text);
    const source = parseSource(text);
    return account && source.kind === "account" ? formatSource({ ...source, account }) : text;
  };
}

/** The text of a source as those see it who see no accounts: only whose account it is. */
function withoutLabel(text: string): string {
  const source = parseSource(text);
  return source.kind === "account" ? formatSource({ ...source, account: source.registrar }) : text;
}

export function nameSources(expires: Domain["expires"], nameOf: SourceNames): Domain["expires"] {
  if (expires === null) return null;
  const alternatives = expires.alternatives.map((other) => {
    return { ...other, source: nameOf(other.source) };
  });
  return { ...expires, source: nameOf(expires.source), alternatives };
}

export function nameChangedSources(
  fields: Change["fields"],
  nameOf: SourceNames,
): Change["fields"] {
  const named = (value: unknown) =>
    isRecord(value) && typeof value.source === "string"
      ? { ...value, source: nameOf(value.source) }
      : value;
  return fields.map((change) =>
    change.field === "expires"
      ? { ...change, before: named(change.before), after: named(change.after) }
      : change,
  );
}
