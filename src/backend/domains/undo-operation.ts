import type { SQL } from "bun";
import { type Change, type Domain, MANUAL } from "../../shared/domain.ts";
import type { KeptDomain, Undone } from "../../shared/operations.ts";
import { isRecord } from "../../shared/parse.ts";
import type { BulkJob } from "../database/database.ts";
import { deleteDomains, restoreDomains } from "./bin.ts";
import { parseDomainName } from "./domain-name.ts";
import { editMany, type DomainEdit } from "./edit-many.ts";
import {
  editedSinceAdded,
  hasValue,
  listOperation,
  namesOfDeleted,
  startOperation,
  valuesBefore,
  type Operator,
} from "./history.ts";
import { readDomains, readDomainsNamed } from "./read-domains.ts";

/** Domains that are read and written at a time. */
const BATCH_SIZE = 500;

const MAX_KEPT_DOMAINS = 1000;

type DomainChange = Change & { domainId: string };

/**
 * Undoes an operation in one transaction: each field is set back that still has the value which the
 * operation gave it, what was deleted comes back from the bin, and what was added goes there. What
 * is so already counts neither as restored nor as kept. Null where there is no such operation.
 */
export const undoOperation: BulkJob<{ id: string; email: string }, Undone | null> = {
  name: "undo operation",
  async run(sql, { id, email }) {
    const author = startOperation(email);
    const kept: KeptDomain[] = [];
    let restored = 0;
    for (let after = ""; ;) {
      const changes = await listOperation(sql, id, { limit: BATCH_SIZE, after });
      if (after === "" && changes.length === 0) return null;
      restored += await undoChanges(sql, changes, { author, operation: id, kept });
      const last = changes.at(-1);
      if (last === undefined || changes.length < BATCH_SIZE) break;
      after = last.id;
    }
    return {
      restored,
      kept: kept.slice(0, MAX_KEPT_DOMAINS),
      operation: restored > 0 ? author.operation : null,
    };
  },
};

interface Undo {
  author: Operator;
  operation: string;
  /** Receives what stays as it is. */
  kept: KeptDomain[];
}

async function undoChanges(
  sql: SQL,
  changes: readonly DomainChange[],
  { author, operation, kept }: Undo,
): Promise<number> {
  const ids = changes.map(({ domainId }) => domainId);
  const domains = new Map((await readDomains(sql, ids)).map((domain) => [domain.id, domain]));
  const edits: DomainEdit[] = [];
  const removed: Domain[] = [];
  for (const { action, domainId, fields } of changes) {
    const domain = domains.get(domainId);
    if (domain === undefined || action === "deleted") continue;
    const { name, unicode } = domain;
    if (action === "edited") {
      const { edit, since } = planUndo(fields, domain);
      if (edit !== null) edits.push(edit);
      if (since.length > 0) kept.push({ name, unicode, fields: since });
      continue;
    }
    const since = editedSinceAdded(fields, domain);
    if (since.length > 0) kept.push({ name, unicode, fields: since });
    else removed.push(domain);
  }
  const free = await keepTakenNames(sql, edits, kept);
  const count = (await editMany(sql, free, author)) + (await deleteDomains(sql, removed, author));

  const missing = changes.filter(({ domainId }) => !domains.has(domainId));
  const deleted = missing.filter(({ action }) => action === "deleted");
  const binned = deleted.map(({ domainId }) => domainId);
  const { restored, taken } = await restoreDomains(sql, binned, author, operation);
  for (const { name, unicode } of taken) kept.push({ name, unicode, fields: ["name"] });
  const found = new Set([...restored.map(({ id }) => id), ...taken.map((row) => row.domain_id)]);
  const gone = missing.filter(({ action, domainId }) => action !== "added" && !found.has(domainId));
  const names = await namesOfDeleted(
    sql,
    gone.map(({ domainId }) => domainId),
  );
  for (const { name, unicode } of names.values()) kept.push({ name, unicode, fields: [] });
  return count + restored.length;
}

/** How the edit of a domain is undone; null: not at all. `since` are fields that were changed since. */
function planUndo(fields: Change["fields"], domain: Domain) {
  const open = fields.filter(({ field, before }) => !hasValue(domain, field, before));
  const since = open.filter(({ field, after }) => !hasValue(domain, field, after));
  const back = open.filter((change) => !since.includes(change));
  const named = back.find(({ field }) => field === "name");
  const name = named === undefined ? null : parseDomainName(String(named.before));
  const expires = back.find(({ field }) => field === "expires");
  const edit: DomainEdit = {
    before: domain,
    after: {
      ...domain,
      ...valuesBefore(back),
      ...(name !== null && !("code" in name) && { name: name.name, unicode: name.unicode }),
    },
    manual: expires && manualDay(expires.before),
  };
  return {
    edit: back.length > 0 ? edit : null,
    since: since.map(({ field }) => field),
  };
}

/** The day that was set by hand in an expiry of the history, or null. */
function manualDay(expiry: unknown): string | null {
  const isManual = isRecord(expiry) && expiry.source === MANUAL;
  return isManual && typeof expiry.date === "string" ? expiry.date : null;
}

/** Keeps the names of those domains whose former names have been taken since. */
async function keepTakenNames(sql: SQL, edits: readonly DomainEdit[], kept: KeptDomain[]) {
  const renamed = edits.filter(({ before, after }) => before.name !== after.name);
  const named = await readDomainsNamed(
    sql,
    renamed.map(({ after }) => after.name),
  );
  const names = new Set(named.map(({ name }) => name));
  return edits.map((edit): DomainEdit => {
    const { name, unicode } = edit.before;
    if (name === edit.after.name || !names.has(edit.after.name)) return edit;
    kept.push({ name, unicode, fields: ["name"] });
    return { ...edit, after: { ...edit.after, name, unicode } };
  });
}
