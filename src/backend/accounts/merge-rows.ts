import type { SQL } from "bun";
import type { ImportValues } from "../../shared/import.ts";
import { formatSource } from "../../shared/source.ts";
import { foldLabel } from "../../shared/text.ts";
import { chunks } from "../database/bulk-rows.ts";
import { parseDomainName } from "../domains/domain-name.ts";
import { foldStatus } from "../domains/registrar-status.ts";
import type { Maker, Operator } from "../domains/write/history.ts";
import { writeDomains } from "../domains/write/write-domains.ts";
import { planRows, type RowSource, type SourceRow } from "../merge/plan-rows.ts";
import { onlyTold, type Told } from "./reading.ts";
import { registrarLabel, sourceOfAccount, type AccountRow } from "./stored-accounts.ts";

type Account = Pick<AccountRow, "id" | "registrar" | "label" | "source_key">;

/** What an account tells of a name, and what it is called in the register where that changes. */
export interface ToldRow {
  name: string;
  told: Told;
  labels: Pick<ImportValues, "registrar" | "account">;
}

/** Who the history says made what a list changed, by the label of this time. */
export function makerOf({ registrar, label }: Account): Maker {
  return { id: null, name: formatSource({ kind: "account", registrar, account: label }) };
}

/** Compares rows of an account with the register and makes them part of it. Inside a transaction. */
export async function mergeRows(
  sql: SQL,
  rows: readonly ToldRow[],
  account: Account,
  author: Operator,
): Promise<void> {
  const name = registrarLabel(account);
  const source: RowSource = { own: false, name, account: sourceOfAccount(account) };
  for (const batch of chunks(rows)) {
    const edits = (await planRows(sql, batch.map(sourceRow), source)).flatMap(({ target }) => {
      if (target === null) return [];
      const { before, after, reports } = target;
      return { before, after, reports: reports.length > 0 ? { come: reports } : undefined };
    });
    await writeDomains(sql, edits, author);
  }
}

function sourceRow({ name, told, labels }: ToldRow, index: number): SourceRow {
  const parsed = parseDomainName(name);
  const { expires, autoRenew, locked, privacy, price: renewal } = told;
  const nameservers = told.nameservers?.length === 0 ? null : told.nameservers;
  const facts = { expires, autoRenew, locked, privacy, renewal, nameservers };
  const values: ImportValues = { ...labels, ...onlyTold({ ...facts, status: statusOf(told) }) };
  const line = index + 1;
  return { line, name: "code" in parsed ? null : parsed, values, problems: [], repeats: null };
}

/** The registrar's own word, where the register knows it; else ours for what it means. */
function statusOf({ status, statusRaw }: Told): string | null {
  const word = statusRaw?.slice(0, 100) ?? null;
  if (word !== null && (status === null || status === "unknown" || foldStatus(word) !== null)) {
    return word;
  }
  return status === null ? null : status.replace("-", " ");
}

/**
 * Registrar and account of a name that comes to an account. A domain keeps the word for the account that
 * a person chose, unless that names one of ours.
 */
export function labelsOf(
  domain: { account_key: string | null; registrar_key: string | null } | undefined,
  account: Pick<AccountRow, "registrar" | "label">,
  labelKeys: ReadonlySet<string>,
): ToldRow["labels"] {
  const key = domain?.account_key ?? null;
  // A person has said that it is there.
  if (key === foldLabel(account.label) && domain?.registrar_key === null) return {};
  const keepsAccount = key !== null && !labelKeys.has(key);
  return { registrar: registrarLabel(account), ...(!keepsAccount && { account: account.label }) };
}
