import type { SQL } from "bun";
import type { Domain } from "../../shared/contract.ts";
import type { Statements } from "../database/run-all.ts";
import { insertion, statement, update, type Statement } from "../database/statement.ts";
import type { Operation } from "./bulk-input.ts";
import { LIMITS } from "./domain-input.ts";
import { changedFields, insertChanges, type Author } from "./history.ts";
import { foldLabel, shareLabels } from "./label.ts";

/** What is done to many names. */
export interface BulkWork {
  /** Does all but for their own rows to some names, and returns the ids of those that change. */
  change(domains: readonly Domain[]): Generator<Statement, string[], unknown>;
  /** Does the rest to some of those that change, which are said by their names. */
  conclude(names: readonly string[]): Statement;
}

/** A name would have more tags than it may. */
export class TooManyTagsError extends Error {
  override readonly name = "TooManyTagsError";
}

type Edit = Extract<Operation, { kind: "edit" }>;

/** Prepares one edit for many names; what they share is written here, once. */
export async function* prepareEdit(sql: SQL, edit: Edit, author: Author): Statements<BulkWork> {
  const { registrar, account, owner, decision, autoRenew } = edit.values;
  const registrars = yield* shareLabels(sql, "registrars", registrar ? [registrar] : []);
  const [[registrarKey, registrarLabel] = [null, null]] = registrars;
  const added = yield* shareLabels(sql, "tags", edit.addTags);
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

  function* change(domains: readonly Domain[]) {
    const changes = domains.flatMap((before) => {
      const after = { ...before, ...values, tags: editTags(before, added, removed) };
      const fields = changedFields(before, after);
      return fields.length > 0 ? [{ domainId: before.id, action: "edited" as const, fields }] : [];
    });
    if (changes.length === 0) return [];
    const ids = changes.map(({ domainId }) => domainId);
    if (removed.length > 0) {
      yield statement`delete from domain_tags
        where domain_id in ${ids} and tag_key in ${removed}`;
    }
    const rows = ids.flatMap((id) =>
      [...added.keys()].map((key) => ({ domain_id: id, tag_key: key })),
    );
    if (rows.length > 0) yield insertion("domain_tags", rows, "on conflict do nothing");
    yield insertChanges(changes, author);
    return ids;
  }

  return {
    change,
    conclude: (names) =>
      update("domains", columns, statement`, version = version + 1 where name in ${names}`),
  };
}

/** Prepares to delete many names; their history stays. */
export function prepareDeletion(author: Author): BulkWork {
  function* change(domains: readonly Domain[]) {
    const ids = domains.map(({ id }) => id);
    // It would go with the name, but sooner by itself than one name after the other.
    yield statement`delete from domain_tags where domain_id in ${ids}`;
    yield statement`delete from observations where domain_id in ${ids}`;
    const changes = domains.map((domain) => {
      const fields = changedFields(domain, null);
      return { domainId: domain.id, action: "deleted" as const, fields };
    });
    yield insertChanges(changes, author);
    return ids;
  }

  return { change, conclude: (names) => statement`delete from domains where name in ${names}` };
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
