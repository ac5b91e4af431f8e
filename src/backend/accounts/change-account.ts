import type { SQL } from "bun";
import type { parseAccountAnswer } from "../../shared/accounts.ts";
import type { Instant } from "../../shared/day.ts";
import type { Parsed } from "../../shared/parse.ts";
import { matchesStrongly } from "../../shared/entity-tag.ts";
import { foldLabel } from "../../shared/text.ts";
import { recordAudit, type Audited } from "../audit/audit.ts";
import { chunks } from "../database/bulk-rows.ts";
import { type Job, readColumn } from "../database/database.ts";
import { renameInBin } from "../domains/write/bin.ts";
import { startOperation, type Maker } from "../domains/write/history.ts";
import { carryRename } from "../domains/write/renames.ts";
import { RequestError } from "../http/request-error.ts";
import { readFields } from "../domains/list/read-domains.ts";
import { writeDomains } from "../domains/write/write-domains.ts";
import { lack } from "./name-states.ts";
import { readNames, saveNames } from "./names.ts";
import {
  lockAccount,
  mayAsk,
  NO_QUESTION,
  sourceOfAccount,
  subjectOf,
  type AccountRow,
} from "./stored-accounts.ts";

type AccountAction =
  | { kind: "forget" }
  | ({ kind: "answer" } & Parsed<typeof parseAccountAnswer>)
  /** `credentials` are sealed; those, or the state `on`, have it read at once. */
  | { kind: "edit"; label?: string; credentials?: string | undefined; state?: "on" | "paused" };

export interface ChangeInput {
  id: string;
  ifMatch: string | null;
  action: AccountAction;
  at: Instant;
  entry: Omit<Audited, "action" | "subject"> & { by: Maker };
}

/**
 * Changes an account, or forgets it: its domains stay. Returns its new version.
 *
 * @throws {RequestError} 404, 409 if it asks nothing, 412 and 429.
 */
export const changeAccount: Job<ChangeInput, number> = {
  name: "change account",
  async run(sql, { id, ifMatch, action, at, entry }) {
    const account = await lockAccount(sql, id);
    if (ifMatch !== null) expectMatch(ifMatch, account);
    const isForgotten = action.kind === "forget";
    const what = isForgotten ? "account-deleted" : "account-changed";
    await recordAudit(sql, { ...entry, action: what, subject: subjectOf(account) });
    if (isForgotten) {
      const former = { source: sourceOfAccount(account), label: account.label };
      await sql`insert into former_accounts ${sql(former)}`;
      await sql`delete from registrar_accounts where id = ${id}`;
      return account.version;
    }
    const columns =
      action.kind === "answer"
        ? await answerQuestion(sql, account, action)
        : await edit(sql, account, action, { at, by: entry.by });
    await sql`update registrar_accounts set ${sql(columns)} where id = ${id}`;
    return columns.version ?? account.version;
  },
};

/** @throws {RequestError} 412 */
export function expectMatch(ifMatch: string, { version }: AccountRow): void {
  const tag = `"${version}"`;
  if (matchesStrongly(ifMatch, tag)) return;
  const detail = "This account has changed since you loaded it.";
  throw new RequestError(412, detail, {}, { ETag: tag });
}

async function answerQuestion(
  sql: SQL,
  account: AccountRow,
  { shrunken, was, now }: Extract<AccountAction, { kind: "answer" }>,
): Promise<Partial<AccountRow>> {
  if (account.shrunk_since === null) {
    throw new RequestError(409, "This account has no open question.");
  }
  const { shrunk_was, shrunk_now } = account;
  if ((was ?? shrunk_was) !== shrunk_was || (now ?? shrunk_now) !== shrunk_now) {
    const detail = `Nothing was marked: ${shrunk_now} of ${shrunk_was} domains are listed now.`;
    throw new RequestError(409, detail);
  }
  if (shrunken === "wait") return { shrunk_wait: 1 };
  await believeLists(sql, account);
  return NO_QUESTION;
}

async function edit(
  sql: SQL,
  account: AccountRow,
  { label, credentials, state }: Extract<AccountAction, { kind: "edit" }>,
  { at, by }: { at: Instant; by: Maker },
): Promise<Partial<AccountRow> & { priority?: number }> {
  if (credentials === undefined && state === "on") mayAsk(account, new Date(at));
  if (label !== undefined) await renameDomains(sql, account, { label, by });
  return {
    version: account.version + 1,
    ...(label !== undefined && { label, label_key: foldLabel(label) }),
    ...(credentials !== undefined && {
      credentials,
      refusals: "[]",
      failures: 0,
      told_at: null,
      notice: null,
      ...(account.state === "refused" && { state: "on" }),
    }),
    ...(state !== undefined && { state }),
    // A reading with the former credentials has to stop.
    ...((credentials !== undefined || state !== undefined) && {
      ...(state !== "paused" && { due_at: at, priority: 1 }),
      run: null,
      leased_until: null,
    }),
  };
}

/** Flags what the lists lack, as if they had never been doubted. */
async function believeLists(sql: SQL, { id, complete_at }: AccountRow): Promise<void> {
  const stored = await readNames(sql, sql`account_id = ${id} and place <> 'listed'`);
  const domains = await readColumn(sql`
    select name from domains where name in (
      select name from account_names where account_id = ${id} and place <> 'listed')`);
  const names = new Set(domains);
  const rows = stored.map((row) => {
    const about = { at: complete_at ?? "", hasDomain: names.has(row.name), isElsewhere: false };
    return lack(row, about) ?? row;
  });
  await saveNames(sql, stored, rows);
}

async function renameDomains(
  sql: SQL,
  account: AccountRow,
  { label, by }: { label: string; by: Maker },
): Promise<void> {
  const domains = await readColumn(sql`
    select d.id from domains d join account_names n on n.name = d.name
    where n.account_id = ${account.id} and n.holds = 1 and d.account_key = ${account.label_key}
    order by d.id`);
  // Its undo would give them a label that no account has: the account is renamed back instead.
  const { at, operation } = await startOperation(sql, by);
  for (const batch of chunks(domains)) {
    const edits = (await readFields(sql, "id", batch)).map((before) => {
      return { before, after: { ...before, account: label } };
    });
    await writeDomains(sql, edits, { by, at });
  }
  const binned = await readColumn(sql`
    select b.id from bin b join account_names n on n.name = b.name
    where n.account_id = ${account.id} order by b.id`);
  const rename = { from: account.label, to: label };
  for (const batch of chunks(binned)) await renameInBin(sql, batch, rename);
  await carryRename(sql, operation, { field: "account", ...rename });
}
