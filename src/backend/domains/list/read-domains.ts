import type { SQL } from "bun";
import { type Domain, type Handled, REGISTRAR_STATUSES } from "../../../shared/domain.ts";
import type { DomainDetail } from "../../../shared/domain-detail.ts";
import { SEVERITIES } from "../../../shared/check-summary.ts";
import { foldLabel } from "../../../shared/text.ts";
import { readColumn } from "../../database/database.ts";
import { SHORT_LABELS } from "../expiry/advice.ts";
import { FIELD_COLUMNS, fromRow, type StoredDomain } from "../columns.ts";
import { effectiveExpiry, latestObservations, readObservations } from "../expiry/expiry.ts";
import { findKnownRegistrar } from "../known-registrars.ts";
import { readListPrices } from "./list-price.ts";
import { EVERYTHING, type Sight } from "../../http/route.ts";
import { inSight, openFindings } from "./filter-condition.ts";
import { nameSources, readSourceNames, type SourceNames, withoutHidden } from "./shown.ts";

/** Domains as shown, in the order of ids: with findings, list prices and names of sources. */
export async function readDomains(
  sql: SQL,
  ids: readonly string[],
  sight: Sight,
  nameOf?: SourceNames,
): Promise<Domain[]> {
  const seen = await readFields(sql, "id", ids, sight);
  const read = seen.map((domain) => withoutHidden(domain, sight));
  await addDerived(sql, read, nameOf ?? (await readSourceNames(sql, sight)));
  const domains = new Map(read.map((domain) => [domain.id, domain]));
  return ids.flatMap((id) => domains.get(id) ?? []);
}

export async function readDomain(sql: SQL, id: string, sight: Sight): Promise<Domain | null> {
  const [domain] = await readDomains(sql, [id], sight);
  return domain ?? null;
}

/** One domain with the latest report of every source about its expiry, the newest first. */
export async function readDomainDetail(
  sql: SQL,
  id: string,
  sight: Sight,
): Promise<Omit<DomainDetail, "checks" | "waiting" | "findings" | "checksOn" | "vanished"> | null> {
  const nameOf = await readSourceNames(sql, sight);
  const [domain] = await readDomains(sql, [id], sight, nameOf);
  if (domain === undefined) return null;
  const [login] = await readColumn<string | null>(sql`
    select login_url from registrars where label_key = ${foldLabel(domain.registrar ?? "")}`);
  const reports = (await readObservations(sql, [id])).get(id) ?? [];
  const observations = latestObservations(reports)
    .map(({ source, date, observedAt }) => ({ source: nameOf(source), date, observedAt }))
    .toSorted((one, other) => other.observedAt.localeCompare(one.observedAt));
  const expiryRule = effectiveExpiry(reports)?.rule ?? null;
  const loginUrl = login ?? findKnownRegistrar(domain.registrar ?? "")?.url ?? null;
  return { ...domain, observations, expiryRule, loginUrl };
}

/** Domains as written, in any order: no findings or list prices; accounts as sources by id. */
export async function readFields(
  sql: SQL,
  column: "id" | "name",
  keys: readonly string[],
  sight: Sight = EVERYTHING,
): Promise<Domain[]> {
  if (keys.length === 0) return [];
  const columns = FIELD_COLUMNS.map((each) => sql`, ${sql(each)}`);
  // A subquery: for a join, Postgres may decide to read all of `domains`.
  const rows = await sql<StoredDomain[]>`
    select id, version, created_at, updated_at ${columns},
      (select label from registrars where label_key = registrar_key) as registrar,
      (select coalesce(name, email) from users where users.id = person_id) as person
    from domains where ${sql(column)} in ${sql(keys)} ${inSight(sql, sight)}`;
  if (rows.length === 0) return [];
  const found = rows.map(({ id }) => id);
  const tags = await sql<{ domain_id: string; label: string }[]>`
    select dt.domain_id, t.label from domain_tags dt join tags t on t.label_key = dt.tag_key
    where dt.domain_id in ${sql(found)} order by dt.tag_key`;
  const byDomain = Map.groupBy(tags, (tag) => tag.domain_id);
  const handled = await readHandled(sql, found);
  const read = rows.map((row) => {
    const domain = fromRow(row, byDomain.get(row.id)?.map(({ label }) => label) ?? []);
    domain.statusMeaning = REGISTRAR_STATUSES.find((each) => each === row["status_key"]) ?? null;
    domain.handled = handled.get(`${row.id} ${row["expires_earliest"]}`) ?? null;
    return domain;
  });
  await readAlternatives(sql, read);
  return read;
}

/** Adds what a list shows of domains from other tables: findings, list prices and names of accounts. */
async function addDerived(sql: SQL, domains: Domain[], nameOf: SourceNames): Promise<void> {
  if (domains.length === 0) return;
  const ids = domains.map(({ id }) => id);
  const found = await sql<{ domain_id: string; code: string; severity: number }[]>`
    select domain_id, code, severity from ${openFindings(sql)} n where domain_id in ${sql(ids)}
    order by severity, code`;
  const findings = Map.groupBy(found, (finding) => finding.domain_id);
  const unpriced = domains.filter(({ renewal }) => renewal === null).map(({ id }) => id);
  const listPrices = await readListPrices(sql, unpriced);
  for (const domain of domains) {
    domain.expires = nameSources(domain.expires, nameOf);
    domain.listPrice = listPrices.get(domain.id) ?? null;
    const codes = findings.get(domain.id) ?? [];
    domain.findingCodes = codes.map(({ code }) => code);
    domain.severity = SEVERITIES[codes[0]?.severity ?? SEVERITIES.length] ?? null;
    domain.alert = domain.findingCodes.map((code) => SHORT_LABELS[code]).find(Boolean) ?? null;
  }
}

async function readAlternatives(sql: SQL, domains: readonly Domain[]): Promise<void> {
  const ids = domains.flatMap(({ id, expires }) => (expires?.conflict ? id : []));
  const reports = await readObservations(sql, ids);
  for (const domain of domains) {
    const { alternatives } = effectiveExpiry(reports.get(domain.id) ?? []) ?? {};
    if (domain.expires && alternatives) domain.expires = { ...domain.expires, alternatives };
  }
}

/** Who takes care of which expiry, by the domain's id and that day; it may have moved since. */
async function readHandled(sql: SQL, ids: readonly string[]): Promise<Map<string, Handled>> {
  const rows = await sql<(Handled & { id: string })[]>`
    select domain_id as id, expires_on as "expiresOn", until, made_by_name as "by", made_by as "byId", made_at as at
    from handled where domain_id in ${sql([...ids])}`;
  // A value of the history: nothing else may be in it.
  return new Map(rows.map(({ id, ...handled }) => [`${id} ${handled.expiresOn}`, handled]));
}
