import type { SQL } from "bun";
import { type Database, type Fragment, hasRows, isPostgres } from "../../database/database.ts";
import { FIELDS, LABEL_FIELDS } from "../../../shared/fields.ts";
import { log } from "../../../shared/log.ts";
import { foldLabel, letterOfNames } from "../../../shared/text.ts";

const LABELS = LABEL_FIELDS.map((field) => FIELDS[field].sortedBy);

/** Whether any name, label, tag, note or custom field of a domain has this text in it, once folded. */
export function searchCondition(sql: SQL, q: string): Fragment {
  const text = foldLabel(q);
  const contains = (column: string) => containing(sql, column, text);
  const tagged = sql`select domain_id from domain_tags
    where tag_key in (select label_key from tags where ${contains("label_key")})`;
  const trigrams = trigramsOf(text);
  if (trigrams.length > 0 && isPostgres(sql)) {
    // An array is read first. Of a query Postgres would take each tag for one that many domains have, and
    // read all of them beside it.
    return sql`id = any (array(${searched(sql, text)} union all ${tagged}))`;
  }
  // Letters of names would be found by one alone.
  const custom = (text.length > 2 ? [] : letterOfNames(text)).reduce(
    (column, letter) => sql`replace(${column}, ${letter}, '')`,
    sql`custom_key`,
  );
  const inRow = anyOf(sql, [
    contains("name"),
    // Most names are the same in Unicode, and comparing is cheaper than searching once more.
    sql`unicode <> name and ${contains("unicode")}`,
    ...[...LABELS, "notes_key"].map(contains),
    sql`${custom} ${isLike(sql, text)}`,
  ]);
  return sql`${mayContain(sql, text)} and (${inRow}) or id in (${tagged})`;
}

/** True of each domain that has these texts in one of its own, in their order, and of hardly any other. */
export function mayContain(sql: SQL, ...folded: string[]): Fragment {
  const match = folded.flatMap(trigramsOf).join(" ");
  if (match === "") return sql`1 = 1`;
  if (isPostgres(sql)) return sql`id in (${searched(sql, ...folded)})`;
  return sql`rowid in (select rowid from domain_search where domain_search match ${match})`;
}

function searched(sql: SQL, ...folded: string[]): Fragment {
  return sql`select domain_id from domain_search where text ${isLike(sql, ...folded)}`;
}

export function containing(sql: SQL, column: string, folded: string): Fragment {
  return sql`${sql(column)} ${isLike(sql, folded)}`;
}

function isLike(sql: SQL, ...folded: string[]): Fragment {
  const pattern = `%${folded.map((text) => text.replace(/[\\%_]/g, "\\$&")).join("%")}%`;
  return sql`like ${pattern} escape '\\'`;
}

export function anyOf(sql: SQL, parts: readonly Fragment[]): Fragment {
  return sql`${parts.map((part, index) => (index === 0 ? sql`(${part})` : sql` or (${part})`))}`;
}

/** Trigrams by which a search finds the rows that it compares; more find hardly fewer. */
const MAX_TRIGRAMS = 64;

/** Trigrams of a text, of whole characters, each once, quoted for FTS5; none for a shorter text. */
function trigramsOf(text: string): string[] {
  const characters = [...text];
  const trigrams = characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(""));
  return [...new Set(trigrams)]
    .slice(0, MAX_TRIGRAMS)
    .map((trigram) => `"${trigram.replaceAll('"', '""')}"`);
}

/** The extension may be in any schema. */
const INDEX_TRIGRAMS = `do $$ declare place text; begin
  if to_regclass('domain_search_trigrams') is not null then return; end if;
  create extension if not exists pg_trgm;
  select nspname into place from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where extname = 'pg_trgm';
  execute format('create index domain_search_trigrams on domain_search
    using gin (text %I.gin_trgm_ops)', place);
exception when insufficient_privilege or feature_not_supported or undefined_file then null; end $$`;

/**
 * At a start, not by a migration, as the extension may be allowed later. Without it, searches read
 * the whole register.
 */
export async function indexSearch(database: Database): Promise<void> {
  const isIndexed = await database.migrate(async (sql) => {
    if (!isPostgres(sql)) return true;
    await sql.unsafe(INDEX_TRIGRAMS);
    return hasRows(sql`select 1 where to_regclass('domain_search_trigrams') is not null`);
  });
  if (isIndexed) return;
  log.warn(
    `Searches read the whole register, as ${database.place} has no extension pg_trgm: ` +
      "have an administrator run “create extension pg_trgm” there, and start again",
  );
}
