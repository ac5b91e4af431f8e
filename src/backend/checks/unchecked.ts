import type { SQL } from "bun";
import { DAY_MS, type Instant } from "../../shared/day.ts";
import { FINDINGS } from "../../shared/findings.ts";
import { SEVERITIES } from "../../shared/severity.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";

/** Without an answer for so long a domain is not checked: its DNS is asked every day. */
const UNCHECKED_MS = 7 * DAY_MS;

/** Failures in a row of a registry. One says nothing: the answer before may be a month old. */
const MIN_REGISTRY_FAILURES = 5;

/** A domain with one of its checks, and the code of its finding where it has that already. */
export interface Look {
  id: string;
  created_at: Instant;
  kind: string | null;
  answered_at: Instant | null;
  failures: number | null;
  unchecked: string | null;
}

/**
 * Says when a domain that is not checked was answered about last, or null where it is checked: that no
 * source has answered for seven days, or that its registry fails for as long.
 */
function findUnchecked(looks: readonly Look[], limit: Instant): string | null {
  const old = looks.filter(({ answered_at }) => (answered_at ?? "") <= limit);
  const failing = old.filter(({ failures }) => (failures ?? 0) > 0);
  const registry = failing.find(
    ({ kind, failures }) =>
      (kind === "registry" || kind === "whois") && (failures ?? 0) >= MIN_REGISTRY_FAILURES,
  );
  if (!registry && (old.length < looks.length || failing.length === 0)) return null;
  const answers = (registry ? [registry] : old).map(({ answered_at }) => answered_at ?? "");
  const last = answers.toSorted().at(-1)?.slice(0, 10) || "never";
  return `Last answer${registry ? " of the registry" : ""}: ${last}`;
}

/**
 * Plans the change of the finding `not-checked` of domains, each given with all its checks; null where
 * there is none. Seven days from `since`, or since a domain was added, are too early to tell.
 */
export function planUnchecked(
  domains: readonly (readonly Look[])[],
  { since, now }: { since: Instant; now: Date },
): ((sql: SQL) => Promise<void>) | null {
  const limit = new Date(now.getTime() - UNCHECKED_MS).toISOString();
  const severity = SEVERITIES.indexOf(FINDINGS["not-checked"].severity);
  const opened: SqlRow[] = [];
  const closed: string[] = [];
  for (const looks of domains) {
    const [domain] = looks;
    if (domain === undefined) continue;
    const isEarly = since > limit || domain.created_at > limit;
    const evidence = isEarly ? null : findUnchecked(looks, limit);
    if (evidence === null && domain.unchecked !== null) closed.push(domain.id);
    if (evidence !== null && domain.unchecked === null) {
      const row = { domain_id: domain.id, code: "not-checked", severity, evidence };
      opened.push({ ...row, since: now.toISOString() });
    }
  }
  if (opened.length + closed.length === 0) return null;
  return async (sql) => {
    if (closed.length > 0) {
      await sql`delete from findings where code = 'not-checked' and domain_id in ${sql(closed)}`;
    }
    await insertRows(sql, "findings", opened, "on conflict do nothing");
  };
}
