import type { SQL } from "bun";
import type { Change, Domain } from "../../../contract.ts";
import { effectiveExpiry } from "../../register/expiry.ts";
import { changedFields } from "../../register/history.ts";
import { foldLabel } from "../../register/label.ts";
import { takeTurns } from "../../take-turns.ts";
import { readObservations } from "../preview/known-domains.ts";
import { domainColumns, expiryColumns } from "../preview/staged-rows.ts";
import type { CommitStamp } from "./copy-rows.ts";
import type { Verdict } from "./judge-undo.ts";

type Of<Kind extends Verdict["kind"]> = Extract<Verdict, { kind: Kind }>;

/** Who undoes an import; `stamp` is that of its commit. */
export type UndoStamp = CommitStamp;

/** Removes names that an import added; their history stays and says so. */
export async function removeDomains(
  sql: SQL,
  verdicts: readonly Of<"remove">[],
  undo: UndoStamp,
): Promise<void> {
  if (verdicts.length === 0) return;
  const ids = verdicts.map(({ domain }) => domain.id);
  await sql`delete from domains where id in ${sql(ids)}`;
  await takeTurns();
  await addChanges(
    sql,
    verdicts.map(({ domain }) => ({
      domain,
      action: "deleted",
      fields: changedFields(domain, null),
    })),
    undo,
  );
}

/**
 * Gives names back what they had. What the file's registrar said is forgotten: it was the import
 * that said so; the expiry follows from what is left.
 */
export async function restoreDomains(
  sql: SQL,
  verdicts: readonly Of<"restore">[],
  undo: UndoStamp,
): Promise<void> {
  if (verdicts.length === 0) return;
  const said = verdicts.filter(({ observed }) => observed).map(({ rowKey }) => undo.stamp + rowKey);
  if (said.length > 0) await sql`delete from observations where id in ${sql(said)}`;
  await takeTurns();
  const ids = verdicts.map(({ domain }) => domain.id);
  const left = await readObservations(sql, ids);
  const pairs = verdicts.map(({ domain, restored }) => {
    const expires = effectiveExpiry(left.get(domain.id) ?? []);
    const after: Domain = { ...restored, expires, version: domain.version + 1 };
    return { domain, after };
  });
  await overwrite(
    sql,
    pairs.map(({ after }) => after),
    undo.at,
  );
  await takeTurns();
  await replaceTags(
    sql,
    pairs.filter(({ domain, after }) => !Bun.deepEquals(domain.tags, after.tags)),
  );
  await addChanges(
    sql,
    pairs.flatMap(({ domain, after }) => {
      const fields = changedFields(domain, after);
      return fields.length === 0 ? [] : [{ domain, action: "edited" as const, fields }];
    }),
    undo,
  );
}

/** Writes whole copies of domains that are there: an insert, which always finds its row taken. */
async function overwrite(sql: SQL, domains: readonly Domain[], at: string): Promise<void> {
  const rows = domains.map((domain) => ({
    id: domain.id,
    name: domain.name,
    unicode: domain.unicode,
    tld: domain.name.slice(domain.name.lastIndexOf(".") + 1),
    version: domain.version,
    created_at: at,
    updated_at: at,
    ...domainColumns(domain),
    ...expiryColumns(domain),
  }));
  await sql`insert into domains ${sql(rows)} on conflict (id) do update set
    version = excluded.version, updated_at = excluded.updated_at,
    registrar_key = excluded.registrar_key, account = excluded.account,
    account_key = excluded.account_key, owner = excluded.owner, owner_key = excluded.owner_key,
    decision = excluded.decision, auto_renew = excluded.auto_renew,
    expires_on = excluded.expires_on, expires_source = excluded.expires_source,
    expires_observed_at = excluded.expires_observed_at,
    expires_conflict = excluded.expires_conflict, renewal_minor = excluded.renewal_minor,
    renewal_currency = excluded.renewal_currency, renewal_years = excluded.renewal_years,
    notes = excluded.notes`;
}

/** Takes away the tags that a domain has not any more: an undo gives none back. */
async function replaceTags(
  sql: SQL,
  pairs: readonly { domain: Domain; after: Domain }[],
): Promise<void> {
  const gone = pairs.flatMap(({ domain, after }) => {
    const kept = new Set(after.tags.map(foldLabel));
    const keys = domain.tags.map(foldLabel).filter((key) => !kept.has(key));
    return keys.map((key) => ({ id: domain.id, key }));
  });
  for (const [key, of] of Map.groupBy(gone, (pair) => pair.key)) {
    const ids = of.map(({ id }) => id);
    await sql`delete from domain_tags where tag_key = ${key} and domain_id in ${sql(ids)}`;
  }
}

async function addChanges(
  sql: SQL,
  changes: readonly {
    domain: Domain;
    action: Change["action"];
    fields: Change["fields"];
  }[],
  { importId, email, at }: UndoStamp,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ domain, action, fields }) => ({
    id: Bun.randomUUIDv7(),
    domain_id: domain.id,
    at,
    made_by: email,
    action,
    fields: JSON.stringify(fields),
    import_id: importId,
  }));
  await sql`insert into changes ${sql(rows)}`;
}
