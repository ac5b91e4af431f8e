import type { SQL } from "bun";
import type { Domain } from "../../../shared/contract.ts";
import { readDomainsNamed } from "../../domains/read-domains.ts";
import type { Observation } from "../../../shared/domain.ts";

/** A domain as the register has it, and all that was ever said of its expiry, oldest first. */
export interface KnownDomain {
  domain: Domain;
  observations: Observation[];
}

/** Those of some names that the register has, by name. */
export async function readKnown(
  sql: SQL,
  names: readonly string[],
): Promise<Map<string, KnownDomain>> {
  const { domains, more: observations } = await readDomainsNamed(sql, names, (ids) =>
    readObservations(sql, ids),
  );
  return new Map(
    domains.map((domain) => [
      domain.name,
      { domain, observations: observations.get(domain.id) ?? [] },
    ]),
  );
}

/** What was observed of the expiry of some domains, by id, oldest first. */
export async function readObservations(
  sql: SQL,
  ids: readonly string[],
): Promise<Map<string, Observation[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<(Observation & { domainId: string })[]>`
    select domain_id as "domainId", source, value as date, observed_at as "observedAt"
    from observations where domain_id in ${sql(ids)} and kind = 'expires'
    order by domain_id, observed_at, id`;
  return Map.groupBy(rows, ({ domainId }) => domainId);
}

/** How the register spells labels, by their folded form; those that it does not have are absent. */
export async function readSpellings(
  sql: SQL,
  kind: "registrars" | "tags",
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<{ label_key: string; label: string }[]>`
    select label_key, label from ${sql(kind)} where label_key in ${sql(keys)}`;
  return new Map([...rows].map((row) => [row.label_key, row.label]));
}
