import type { SQL } from "bun";
import { takeTurns } from "../../take-turns.ts";

/** Staged rows of the names from one `lookup`, exclusive, to another. */
export interface RowRange {
  from: string;
  to: string;
}

/** Who commits which import, when; ids of what is written are `stamp` and a row key. */
export interface CommitStamp {
  importId: string;
  stamp: string;
  email: string;
  at: string;
}

/** Makes a range of staged rows part of the register. The plans must be of this very moment. */
export async function copyRows(sql: SQL, range: RowRange, commit: CommitStamp): Promise<void> {
  for (const copy of [keepRegistrars, addDomains, editDomains, addObservations, addTags]) {
    await copy(sql, range, commit);
    await takeTurns();
  }
  await addChanges(sql, range, commit);
}

async function keepRegistrars(sql: SQL, range: RowRange): Promise<void> {
  await sql`insert into registrars (label_key, label)
    select registrar_key, min(registrar) from import_rows r
    where ${within(sql, range)} and class in ('new', 'changed') and registrar_key is not null
    group by registrar_key
    on conflict (label_key) do nothing`;
}

async function addDomains(sql: SQL, range: RowRange, { at }: CommitStamp): Promise<void> {
  await sql`insert into domains (
      id, version, name, unicode, tld, registrar_key, account, account_key, owner, owner_key,
      decision, auto_renew, expires_on, expires_source, expires_observed_at, expires_conflict,
      renewal_minor, renewal_currency, renewal_years, created_at, updated_at, notes)
    select r.domain_id, 1, name, unicode, tld, registrar_key, account, account_key, owner, owner_key,
      decision, auto_renew, expires_on, expires_source,
      case when expires_on is null then null else coalesce(expires_observed_at, ${at}) end,
      expires_conflict, renewal_minor, renewal_currency, renewal_years, ${at}, ${at}, notes
    from import_rows r where ${within(sql, range)} and class = 'new'
    on conflict (name) do nothing`;
}

async function editDomains(sql: SQL, range: RowRange, { at }: CommitStamp): Promise<void> {
  await sql`update domains set version = domains.version + 1, registrar_key = r.registrar_key,
      account = r.account, account_key = r.account_key, owner = r.owner, owner_key = r.owner_key,
      decision = r.decision, auto_renew = r.auto_renew, expires_on = r.expires_on,
      expires_source = r.expires_source, expires_conflict = r.expires_conflict,
      expires_observed_at =
        case when r.expires_on is null then null else coalesce(r.expires_observed_at, ${at}) end,
      renewal_minor = r.renewal_minor, renewal_currency = r.renewal_currency,
      renewal_years = r.renewal_years, notes = r.notes, updated_at = ${at}
    from import_rows r where ${within(sql, range)} and r.class = 'changed'
      and domains.id = r.domain_id`;
}

async function addObservations(sql: SQL, range: RowRange, commit: CommitStamp): Promise<void> {
  await sql`insert into observations (id, domain_id, kind, source, value, observed_at)
    select ${commit.stamp} || row_key, domain_id, 'expires', observed_source, observed_day,
      ${commit.at}
    from import_rows r
    where ${within(sql, range)} and class in ('new', 'changed') and observed_day is not null`;
}

async function addTags(sql: SQL, range: RowRange): Promise<void> {
  const rows = await sql<{ domain_id: string; added_tags: string }[]>`
    select domain_id, added_tags from import_rows r
    where ${within(sql, range)} and class in ('new', 'changed') and added_tags is not null`;
  const pairs = rows.flatMap(({ domain_id, added_tags }) => {
    const tags: [string, string][] = JSON.parse(added_tags);
    return tags.map(([tag_key, label]) => ({ domain_id, tag_key, label }));
  });
  const labels = new Map(pairs.map(({ tag_key, label }) => [tag_key, label]));
  for (const part of chunks([...labels], 500)) {
    const records = part.map(([label_key, label]) => ({ label_key, label }));
    await sql`insert into tags ${sql(records)} on conflict (label_key) do nothing`;
  }
  for (const part of chunks(pairs, 1000)) {
    await sql`insert into domain_tags ${sql(part, "domain_id", "tag_key")}`;
    await takeTurns();
  }
}

async function addChanges(sql: SQL, range: RowRange, commit: CommitStamp): Promise<void> {
  await sql`insert into changes (id, domain_id, at, made_by, action, fields, import_id)
    select ${commit.stamp} || row_key, domain_id, ${commit.at}, ${commit.email},
      case when class = 'new' then 'added' else 'edited' end, changes, ${commit.importId}
    from import_rows r where ${within(sql, range)} and class in ('new', 'changed')`;
}

function within(sql: SQL, { from, to }: RowRange): SQL.Query<unknown> {
  return sql`r.lookup > ${from} and r.lookup <= ${to}`;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
