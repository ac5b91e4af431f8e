import type { SQL } from "bun";
import type { Change, ChangePage, Domain } from "../../shared/contract.ts";
import { insertion, type Statement } from "../database/statement.ts";
import { DOMAIN_FIELDS, type DomainField } from "./domain-fields.ts";

/** Who changes something, and when: one instant for everything that one request writes. */
export interface Author {
  email: string;
  at: string;
}

const EMPTY = { tags: [], notes: "" };

/** The fields in which two copies of a domain differ; null stands for a domain that is not there. */
export function changedFields(before: Domain | null, after: Domain | null): Change["fields"] {
  return DOMAIN_FIELDS.flatMap((field) => {
    const was = historyValue(before, field);
    const is = historyValue(after, field);
    return was === is || Bun.deepEquals(was, is) ? [] : [{ field, before: was, after: is }];
  });
}

/** A change of one domain, about to be written down. */
export interface NewChange extends Pick<Change, "action" | "fields"> {
  domainId: string;
}

/** Writes one change down. */
export async function addChange(
  sql: SQL,
  domainId: string,
  { action, fields }: Pick<Change, "action" | "fields">,
  author: Author,
): Promise<void> {
  await sql`insert into changes ${sql(rowOf({ domainId, action, fields }, author))}`;
}

/** Writes changes down, at least one and at most 5,000: a statement has so many values and no more. */
export function insertChanges(changes: readonly NewChange[], author: Author): Statement {
  return insertion(
    "changes",
    changes.map((change) => rowOf(change, author)),
  );
}

function rowOf({ domainId, action, fields }: NewChange, { at, email }: Author) {
  return {
    id: Bun.randomUUIDv7(),
    domain_id: domainId,
    at,
    made_by: email,
    action,
    fields: JSON.stringify(fields),
  };
}

/**
 * What happened to a domain, newest first, at most `limit` changes older than the change `after`;
 * null where nothing is known of this id. The history of a deleted domain stays.
 */
export async function listChanges(
  sql: SQL,
  domainId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<ChangePage | null> {
  const rows = await sql<ChangeRow[]>`select id, at, made_by, action, fields, import_id from changes
    where domain_id = ${domainId} ${after === null ? sql`` : sql`and id < ${after}`}
    order by id desc limit ${limit + 1}`;
  if (rows.length === 0 && after === null) return null;

  const items = rows.slice(0, limit).map(toChange);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** A row of `changes`; `fields` is JSON. */
export interface ChangeRow {
  id: string;
  at: string;
  made_by: string;
  action: Change["action"];
  fields: string;
  import_id: string | null;
}

/** A row of `changes` as the API says it. */
export function toChange(row: ChangeRow): Change {
  return {
    id: row.id,
    at: row.at,
    by: row.made_by,
    action: row.action,
    fields: JSON.parse(row.fields),
    ...(row.import_id !== null && { import: row.import_id }),
  };
}

/** The expiry without what only the clock decides, so that a change is one that a person sees. */
export function historyValue(domain: Domain | null, field: DomainField): unknown {
  if (domain === null) return field === "tags" || field === "notes" ? EMPTY[field] : null;
  if (field !== "expires" || domain.expires === null) return domain[field];
  const { date, source, conflict } = domain.expires;
  return { date, source, conflict };
}
