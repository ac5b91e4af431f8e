import type { SQL } from "bun";
import { foldLabel } from "../../shared/text.ts";
import { recordAudit } from "../audit/audit.ts";
import { chunks, type SqlRow } from "../database/bulk-rows.ts";
import type { Job } from "../database/database.ts";
import { renameInBin } from "../domains/write/bin.ts";
import { startOperation, type Maker } from "../domains/write/history.ts";
import { readFields } from "../domains/list/read-domains.ts";
import { writeDomains } from "../domains/write/write-domains.ts";
import { lack } from "./name-states.ts";
import { readNames, saveNames } from "./names.ts";
import { lockAccount, sourceOfAccount, type AccountRow } from "./stored-accounts.ts";

/** A change of an account, which a person has decided on by what they saw of it. */
export interface AccountChange {
  seen: Pick<AccountRow, "id" | "version" | "refusals" | "shrunk_since">;
  /** Columns to overwrite; null: the account is forgotten, its domains stay. */
  columns: SqlRow | null;
  /** The lists of the account are believed. */
  believes?: boolean | undefined;
  entry: Parameters<typeof recordAudit>[1] & { by: Maker };
}

/** Changes or forgets an account, unless it has changed since it was seen: then false. */
export const changeAccount: Job<AccountChange, boolean> = {
  name: "change account",
  async run(sql, { seen, columns, believes, entry }) {
    const account = await lockAccount(sql, seen.id);
    const { version, refusals, shrunk_since } = seen;
    if (account?.version !== version || account.refusals !== refusals) return false;
    if (account.shrunk_since !== shrunk_since) return false;
    const label = columns?.["label"];
    if (typeof label === "string") await renameDomains(sql, account, { label, by: entry.by });
    if (believes === true) await believeLists(sql, account);
    if (columns !== null) {
      await sql`update registrar_accounts set ${sql(columns)} where id = ${seen.id}`;
    } else {
      await sql`insert into former_accounts ${sql({ source: sourceOfAccount(account), label: account.label })}`;
      await sql`delete from registrar_accounts where id = ${seen.id}`;
    }
    await recordAudit(sql, entry);
    return true;
  },
};

/** Flags what the lists lack, as if they had never been doubted. */
async function believeLists(sql: SQL, { id, complete_at }: AccountRow): Promise<void> {
  const stored = await readNames(sql, sql`account_id = ${id} and place <> 'listed'`);
  const domains = await sql<{ name: string }[]>`
    select name from domains where name in (
      select name from account_names where account_id = ${id} and place <> 'listed')`;
  const names = new Set(domains.map(({ name }) => name));
  const rows = stored.map((row) => {
    const about = { at: complete_at ?? "", hasDomain: names.has(row.name), isElsewhere: false };
    return lack(row, about) ?? row;
  });
  await saveNames(sql, stored, rows);
}

/** Gives the domains that are in the register or the bin from an account its new label. */
async function renameDomains(
  sql: SQL,
  account: AccountRow,
  { label, by }: { label: string; by: Maker },
): Promise<void> {
  const domains = await sql<{ id: string }[]>`
    select d.id from domains d join account_names n on n.name = d.name
    where n.account_id = ${account.id} and n.holds = 1 and d.account_key = ${foldLabel(account.label)}
    order by d.id`;
  // Its undo would give them a label that no account has: the account is renamed back instead.
  const { at } = await startOperation(sql, by);
  for (const batch of chunks(domains.map(({ id }) => id))) {
    const edits = (await readFields(sql, "id", batch)).map((before) => {
      return { before, after: { ...before, account: label } };
    });
    await writeDomains(sql, edits, { by, at });
  }
  const binned = await sql<{ id: string }[]>`
    select b.id from bin b join account_names n on n.name = b.name
    where n.account_id = ${account.id} order by b.id`;
  for (const batch of chunks(binned.map(({ id }) => id))) {
    await renameInBin(sql, batch, { from: account.label, to: label });
  }
}
