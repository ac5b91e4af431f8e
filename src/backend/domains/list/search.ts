import type { SQL } from "bun";
import { type Database, type Fragment, hasRows, isPostgres } from "../../database/database.ts";
import type { Domain, NamedPerson } from "../../../shared/domain.ts";
import { log } from "../../../shared/log.ts";
import { foldText, HIDDEN_WORDS, parseWords, searchText } from "../../../shared/search.ts";
import { EVERYTHING, type Sight } from "../../http/route.ts";
import { foldStatus } from "../registrar-status.ts";

/** The column `words` of a domain. */
export function searchWords(domain: Domain): string {
  const { status } = domain;
  return searchText({ ...domain, statusMeaning: status === null ? null : foldStatus(status) });
}

/** Whether a domain has every word of a search and none left out, see `parseWords`; a person is found by id. */
export function searchCondition(
  sql: SQL,
  q: string,
  people: readonly NamedPerson[],
  sight: Sight,
): Fragment {
  const named = people.map(({ id, name }) => ({ id, folded: foldText(name) }));
  const words = parseWords(q).map(({ not, text }) => {
    const ids = named.filter(({ folded }) => folded.includes(text)).map(({ id }) => id);
    return { not, text, ids, isIndexed: !not && trigramsOf(text).length > 0 };
  });
  const compare = (column: Fragment, compared: typeof words) =>
    compared.map(({ not, text, ids }) => {
      const isOf = ids.length === 0 ? sql`` : sql`or coalesce(person_id, '') in ${sql(ids)}`;
      return sql`and ${not ? sql`not` : sql``} (${like(sql, column, text)} ${isOf})`;
    });
  const ofText = words.filter(({ ids }) => ids.length === 0);
  const ofPeople = words.filter(({ ids }) => ids.length > 0);
  const found = ofText.flatMap(({ isIndexed, text }) => (isIndexed ? text : []));
  if (found.length > 0 && isPostgres(sql) && sight === EVERYTHING) {
    // Compared there, so that no row of `domains` is read for it.
    const isFound = sql`domain_search where ${[sql`true`, ...compare(sql`text`, ofText)]}`;
    const isOf = compare(sql`words`, ofPeople);
    return sql`${[sql`id in (select domain_id from ${isFound})`, ...isOf]}`;
  }
  const first = words.find(({ isIndexed }) => isIndexed);
  const isNear =
    found.length > 0 || first === undefined
      ? mayContain(sql, found)
      : sql`(${mayContain(sql, [first.text])} or person_id in ${sql(first.ids)})`;
  return sql`${[isNear, ...compare(sight === EVERYTHING ? sql`words` : shownWords(sql), words)]}`;
}

/** True of each domain that has these folded texts among its words, and of hardly any other. */
export function mayContain(sql: SQL, texts: readonly string[]): Fragment {
  const match = texts.flatMap(trigramsOf).join(" ");
  if (match === "") return sql`1 = 1`;
  if (!isPostgres(sql)) {
    return sql`rowid in (select rowid from domain_words where domain_words match ${match})`;
  }
  const inText = texts.map((text) => sql`and ${containing(sql, "text", text)}`);
  return sql`id in (select domain_id from domain_search where true ${inText})`;
}

/** The words of a domain but for those of its hidden fields. */
function shownWords(sql: SQL): Fragment {
  const end = sql.unsafe(`'${HIDDEN_WORDS}'`);
  if (isPostgres(sql)) return sql`split_part(words, ${end}, 1)`;
  return sql`substr(words, 1, instr(words || ${end}, ${end}) - 1)`;
}

export function containing(sql: SQL, column: string, folded: string): Fragment {
  return like(sql, sql`${sql(column)}`, folded);
}

export function like(sql: SQL, text: Fragment, folded: string): Fragment {
  const pattern = `%${folded.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`${text} like ${pattern} escape '\\'`;
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

/** At each start, as the extension may be allowed later. Without it, searches read the whole register. */
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
