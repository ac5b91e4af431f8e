import type { SQL } from "bun";
import { foldLabel } from "../../shared/text.ts";
import { recordAudit } from "../audit/audit.ts";
import { chunks, type SqlRow } from "../database/bulk-rows.ts";
import type { Job } from "../database/database.ts";
import { renameInBin } from "../domains/write/bin.ts";
import { startOperation, type Maker } from "../domains/write/history.ts";
import { readFields } from "../domains/list/read-domains.ts";
import { writeDomains } from "../domains/write/write-domains.ts";
import { lockAccount, sourceOfAccount, type AccountRow } from "./stored-accounts.ts";

/** A change of an account, which a person has decided on by what they saw of it. */
export interface AccountChange {
  seen: Pick<AccountRow, "id" | "version" | "refusals">;
  /** Columns to overwrite; null: the account is forgotten, its domains stay. */
  columns: SqlRow | null;
  label?: string | undefined;
  by: Maker;
  entry: Parameters<typeof recordAudit>[1];
}

/** Changes or forgets an account, unless it has changed since it was seen: then false. */
export const changeAccount: Job<AccountChange, boolean> = {
  name: "change account",
  async run(sql, { seen, columns, label, by, entry }) {
    const account = await lockAccount(sql, seen.id);
    if (account?.version !== seen.version || account.refusals !== seen.refusals) return false;
    if (label !== undefined) await renameDomains(sql, account, { label, by });
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
