import type { SQL } from "bun";
import { formatSource } from "../../shared/source.ts";
import { chunks } from "../database/bulk-rows.ts";
import type { Maker, Operator } from "../domains/write/history.ts";
import { writeDomains } from "../domains/write/write-domains.ts";
import { planRows, type RowSource, type SourceRow } from "../merge/plan-rows.ts";
import { registrarLabel, sourceOfAccount, type AccountRow } from "./stored-accounts.ts";

type Account = Pick<AccountRow, "id" | "registrar" | "label" | "source_key">;

/** Who the history says made what a list changed, by the label of this time. */
export function makerOf({ registrar, label }: Account): Maker {
  return { id: null, name: formatSource({ kind: "account", registrar, account: label }) };
}

/** Compares rows of an account with the register and makes them part of it. Inside a transaction. */
export async function mergeRows(
  sql: SQL,
  rows: readonly SourceRow[],
  account: Account,
  author: Operator,
): Promise<void> {
  const name = registrarLabel(account);
  const source: RowSource = { own: false, name, account: sourceOfAccount(account) };
  for (const batch of chunks(rows)) {
    const edits = (await planRows(sql, batch, source)).flatMap(({ target }) => {
      if (target === null) return [];
      const { before, after, reports } = target;
      return { before, after, reports: reports.length > 0 ? { come: reports } : undefined };
    });
    await writeDomains(sql, edits, author);
  }
}
