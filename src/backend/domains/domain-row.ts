import type { SQL } from "bun";
import type { Decision, Domain, Expiry } from "../../shared/contract.ts";
import { isOneOf } from "../database/read-by-keys.ts";

/** A row of `domains` with the registrar's spelling; Postgres gives a bigint as a string. */
interface DomainRow {
  id: string;
  version: number;
  name: string;
  unicode: string;
  registrar: string | null;
  account: string | null;
  owner: string | null;
  decision: Decision | null;
  auto_renew: number | null;
  expires_on: string | null;
  expires_source: string | null;
  expires_observed_at: string | null;
  expires_conflict: number;
  renewal_minor: number | string | null;
  renewal_currency: string | null;
  renewal_years: number | null;
  notes: string;
}

/** The domains with these ids, in their order; an id that nobody has is left out. */
export async function readDomains(sql: SQL, ids: readonly string[]): Promise<Domain[]> {
  if (ids.length === 0) return [];
  const [rows, tags] = await Promise.all([readRows(sql, "id", ids), readTags(sql, ids)]);
  const domains = new Map(rows.map((row) => [row.id, toDomain(row, tags.get(row.id))]));
  return ids.flatMap((id) => domains.get(id) ?? []);
}

/** The domains that are there of some names, with what `readMore` reads of their ids meanwhile. */
export async function readDomainsNamed<T>(
  sql: SQL,
  names: readonly string[],
  readMore: (ids: readonly string[]) => Promise<T>,
): Promise<{ domains: Domain[]; more: T }> {
  const rows = names.length === 0 ? [] : await readRows(sql, "name", names);
  const ids = rows.map(({ id }) => id);
  const [tags, more] = await Promise.all([readTags(sql, ids), readMore(ids)]);
  return { domains: rows.map((row) => toDomain(row, tags.get(row.id))), more };
}

async function readRows(sql: SQL, column: "id" | "name", keys: readonly string[]) {
  // Not by a join, of which Postgres may think that it reads the whole register.
  const rows = await sql<DomainRow[]>`
    select d.id, d.version, d.name, d.unicode, d.account, d.owner, d.decision, d.auto_renew,
      (select label from registrars where label_key = d.registrar_key) as registrar,
      d.expires_on, d.expires_source, d.expires_observed_at, d.expires_conflict,
      d.renewal_minor, d.renewal_currency, d.renewal_years, d.notes
    from domains d where ${sql(column)} ${isOneOf(sql, keys)}`;
  return [...rows];
}

/** The tags of some domains, by id. */
async function readTags(sql: SQL, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ domain_id: string; label: string }[]>`
    select dt.domain_id, t.label from domain_tags dt join tags t on t.label_key = dt.tag_key
    where dt.domain_id ${isOneOf(sql, ids)} order by dt.tag_key`;
  const tags = new Map<string, string[]>();
  for (const { domain_id, label } of rows) {
    const known = tags.get(domain_id);
    if (known === undefined) tags.set(domain_id, [label]);
    else known.push(label);
  }
  return tags;
}

/** One domain, or null where there is none with this id. */
export async function readDomain(sql: SQL, id: string): Promise<Domain | null> {
  const [domain] = await readDomains(sql, [id]);
  return domain ?? null;
}

function toDomain(row: DomainRow, tags: string[] = []): Domain {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    unicode: row.unicode,
    registrar: row.registrar,
    account: row.account,
    owner: row.owner,
    tags,
    decision: row.decision,
    autoRenew: row.auto_renew === null ? null : row.auto_renew === 1,
    expires: toExpiry(row),
    renewal:
      row.renewal_minor === null
        ? null
        : {
            minor: Number(row.renewal_minor),
            currency: row.renewal_currency,
            years: row.renewal_years,
          },
    notes: row.notes,
  };
}

function toExpiry(row: DomainRow): Expiry | null {
  const { expires_on: date, expires_source: source, expires_observed_at: observedAt } = row;
  if (date === null || source === null || observedAt === null) return null;
  return { date, source, observedAt, conflict: row.expires_conflict === 1 };
}
