import type { SQL } from "bun";
import type { Change, Domain } from "../../../shared/contract.ts";
import { effectiveExpiry } from "../../domains/expiry.ts";
import { changedFields } from "../../domains/history.ts";
import { foldLabel } from "../../../shared/text.ts";
import type { Statements } from "../../database/run-all.ts";
import { insertion, statement, type Statement } from "../../database/statement.ts";
import { takeTurns } from "../../database/take-turns.ts";
import { readObservations } from "../preview/known-domains.ts";
import { domainColumns, expiryColumns } from "../preview/staged-rows.ts";
import { fieldColumns } from "./field-columns.ts";
import type { CommitStamp } from "./copy-rows.ts";
import type { Verdict } from "./judge-undo.ts";

type Of<Kind extends Verdict["kind"]> = Extract<Verdict, { kind: Kind }>;

/** Who undoes an import; `stamp` is that of its commit. */
export type UndoStamp = Omit<CommitStamp, "turn">;

/** Removes names which an import added; their history stays and says so. */
export function* removeDomains(
  verdicts: readonly Of<"remove">[],
  undo: UndoStamp,
): Generator<Statement, void, unknown> {
  if (verdicts.length === 0) return;
  const ids = verdicts.map(({ domain }) => domain.id);
  yield statement`delete from domain_tags where domain_id in ${ids}`;
  yield statement`delete from observations where domain_id in ${ids}`;
  yield* addChanges(
    verdicts.map(({ domain }) => ({
      domain,
      action: "deleted",
      fields: changedFields(domain, null),
    })),
    undo,
  );
  yield statement`delete from domains where name in ${verdicts.map(({ domain }) => domain.name)}`;
}

/**
 * Gives names back what they had. What the file's registrar said is forgotten: it was the import
 * that said so; the expiry follows from what is left.
 */
export async function* restoreDomains(
  sql: SQL,
  verdicts: readonly Of<"restore">[],
  undo: UndoStamp,
): Statements<void> {
  if (verdicts.length === 0) return;
  const said = verdicts.filter(({ observed }) => observed).map(({ rowKey }) => undo.stamp + rowKey);
  const ids = verdicts.map(({ domain }) => domain.id);
  const left = await readObservations(sql, ids, said);
  await takeTurns();
  const pairs = verdicts.map(({ domain, restored }) => {
    const expires = effectiveExpiry(left.get(domain.id) ?? []);
    const after: Domain = { ...restored, expires, version: domain.version + 1 };
    return { domain, after };
  });
  if (said.length > 0) yield statement`delete from observations where id in ${said}`;
  const changes = pairs.flatMap(({ domain, after }) => {
    const fields = changedFields(domain, after);
    return fields.length === 0 ? [] : [{ domain, action: "edited" as const, fields }];
  });
  const changed = new Set(changes.flatMap(({ fields }) => fields.map(({ field }) => field)));
  if (said.length > 0) changed.add("expires");
  yield overwrite(
    pairs.map(({ after }) => after),
    { at: undo.at, columns: fieldColumns(changed) },
  );
  yield* replaceTags(pairs.filter(({ domain, after }) => !Bun.deepEquals(domain.tags, after.tags)));
  yield* addChanges(changes, undo);
}

/** Writes columns of domains that are there: an insert, which always finds its row taken. */
function overwrite(
  domains: readonly Domain[],
  { at, columns }: { at: string; columns: readonly string[] },
): Statement {
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
  const sets = ["version", "updated_at", ...columns].map((name) => `${name} = excluded.${name}`);
  const clause = `on conflict (id) do update set ${sets.join(", ")}`;
  return insertion("domains", rows, clause);
}

/** Takes away the tags that a domain has not any more: an undo gives none back. */
function* replaceTags(
  pairs: readonly { domain: Domain; after: Domain }[],
): Generator<Statement, void, unknown> {
  const gone = pairs.flatMap(({ domain, after }) => {
    const kept = new Set(after.tags.map(foldLabel));
    const keys = domain.tags.map(foldLabel).filter((key) => !kept.has(key));
    return keys.map((key) => ({ id: domain.id, key }));
  });
  for (const [key, of] of Map.groupBy(gone, (pair) => pair.key)) {
    const ids = of.map(({ id }) => id);
    yield statement`delete from domain_tags where tag_key = ${key} and domain_id in ${ids}`;
  }
}

function* addChanges(
  changes: readonly {
    domain: Domain;
    action: Change["action"];
    fields: Change["fields"];
  }[],
  { importId, email, at }: UndoStamp,
): Generator<Statement, void, unknown> {
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
  yield insertion("changes", rows);
}
