import type { SQL } from "bun";
import type { Domain } from "../../contract.ts";
import { takeTurns } from "../take-turns.ts";
import type { Operation } from "./bulk-input.ts";
import { LIMITS } from "./domain-input.ts";
import { addChanges, changedFields, type Author } from "./history.ts";
import { foldLabel, shareLabels } from "./label.ts";

/** Does its part to some names, and says how many of them differ now. */
export type BulkStep = (domains: readonly Domain[]) => Promise<number>;

/** A name would have more tags than it may. */
export class TooManyTagsError extends Error {
  override readonly name = "TooManyTagsError";
}

type Edit = Extract<Operation, { kind: "edit" }>;

/** Prepares one edit for many names; what they share is written here, once. */
export async function prepareEdit(sql: SQL, edit: Edit, author: Author): Promise<BulkStep> {
  const { registrar, account, owner, decision, autoRenew } = edit.values;
  const registrars = await shareLabels(sql, "registrars", registrar ? [registrar] : []);
  const [[registrarKey, registrarLabel] = [null, null]] = registrars;
  const added = await shareLabels(sql, "tags", edit.addTags);
  const removed = edit.removeTags.map(foldLabel);

  const values: Partial<Domain> = { ...edit.values };
  if (registrar !== undefined) values.registrar = registrarLabel;
  const columns = {
    updated_at: author.at,
    ...(registrar !== undefined && { registrar_key: registrarKey }),
    ...(account !== undefined && { account, account_key: account && foldLabel(account) }),
    ...(owner !== undefined && { owner, owner_key: owner && foldLabel(owner) }),
    ...(decision !== undefined && { decision }),
    ...(autoRenew !== undefined && { auto_renew: autoRenew === null ? null : Number(autoRenew) }),
  };

  return async (domains) => {
    const changes = domains.flatMap((before) => {
      const after = { ...before, ...values, tags: editTags(before, added, removed) };
      const fields = changedFields(before, after);
      return fields.length > 0 ? [{ domainId: before.id, action: "edited" as const, fields }] : [];
    });
    if (changes.length === 0) return 0;
    const ids = changes.map(({ domainId }) => domainId);
    await sql`update domains set ${sql(columns)}, version = version + 1 where id in ${sql(ids)}`;
    await takeTurns();
    if (removed.length > 0) {
      await sql`delete from domain_tags
        where domain_id in ${sql(ids)} and tag_key in ${sql(removed)}`;
    }
    const rows = ids.flatMap((id) =>
      [...added.keys()].map((key) => ({ domain_id: id, tag_key: key })),
    );
    if (rows.length > 0) await sql`insert into domain_tags ${sql(rows)} on conflict do nothing`;
    await takeTurns();
    await addChanges(sql, changes, author);
    return changes.length;
  };
}

/** Prepares to delete many names; their history stays. */
export function prepareDeletion(sql: SQL, author: Author): BulkStep {
  return async (domains) => {
    const ids = domains.map(({ id }) => id);
    await sql`delete from domains where id in ${sql(ids)}`;
    await takeTurns();
    const changes = domains.map((domain) => {
      const fields = changedFields(domain, null);
      return { domainId: domain.id, action: "deleted" as const, fields };
    });
    await addChanges(sql, changes, author);
    return ids.length;
  };
}

/** The tags in the order in which they are read: that of their folded forms, by their bytes. */
function editTags(
  { tags, unicode }: Domain,
  added: ReadonlyMap<string, string>,
  removed: readonly string[],
): string[] {
  const kept = new Map(tags.map((tag) => [foldLabel(tag), tag]));
  for (const key of removed) kept.delete(key);
  for (const [key, label] of added) kept.set(key, label);
  if (kept.size > LIMITS.tags) {
    throw new TooManyTagsError(
      `Expected names of at most ${LIMITS.tags} tags, but ${unicode} would have ${kept.size}`,
    );
  }
  const byBytes = ([one]: [string, string], [other]: [string, string]) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other));
  return [...kept].toSorted(byBytes).map(([, label]) => label);
}
