import type { SQL } from "bun";
import type { NameSelection } from "../../shared/accounts.ts";
import type { Instant } from "../../shared/day.ts";
import { chunks, type SqlRow } from "../database/bulk-rows.ts";
import type { BulkJob } from "../database/database.ts";
import type { Maker } from "../domains/history.ts";
import { registrarLabel, type AccountRow } from "./accounts.ts";
import { mergeRows, rowSource } from "./merge-rows.ts";
import { selectNames, sourceRow, toldOf, type NameRow } from "./names.ts";

interface AcceptInput {
  id: string;
  selection: NameSelection;
  by: Maker;
  at: Instant;
}

/** What became of a request about names; `count`: another number of them is new by now. */
type Answered = { operation: string | null } | { count: number } | "missing";

/** Adds names of an account to the register. */
export const acceptNames: BulkJob<AcceptInput, Answered> = {
  name: "accept names",
  async run(sql, { id, selection, by, at }) {
    const [account] = await sql<AccountRow[]>`select * from registrar_accounts where id = ${id}`;
    if (account === undefined) return "missing";
    const rows = await selectNames(sql, id, selection);
    if (typeof rows === "number") return { count: rows };
    if (rows.length === 0) return { operation: null };
    const author = { by, at, operation: Bun.randomUUIDv7() };
    const given = { registrar: registrarLabel(account), account: account.label };
    const lines = rows.map((row, index) => sourceRow(index + 1, row.name, toldOf(row), given));
    await mergeRows(sql, lines, rowSource(account), author);
    await mark(sql, rows, { holds: 1, refused_at: null, operation: author.operation });
    return { operation: author.operation };
  },
};

/** Keeps names out of the register, which are not asked for again. */
export async function refuseNames(
  sql: SQL,
  { id, selection, at }: Pick<AcceptInput, "id" | "selection" | "at">,
): Promise<Answered> {
  const rows = await selectNames(sql, id, selection);
  if (typeof rows === "number") return { count: rows };
  const open = rows.filter(({ holds, refused_at }) => holds === 0 && refused_at === null);
  if (open.length === 0) return { operation: null };
  const operation = Bun.randomUUIDv7();
  await mark(sql, open, { refused_at: at, operation });
  return { operation };
}

async function mark(sql: SQL, rows: readonly NameRow[], columns: SqlRow): Promise<void> {
  for (const batch of chunks(rows.map(({ id }) => id))) {
    await sql`update account_names set ${sql(columns)} where id in ${sql(batch)}`;
  }
}

/**
 * After the undo of an operation: names that it accepted or refused are new again, but not those whose
 * domains stayed. Returns how many.
 */
export async function undoAnswers(sql: SQL, operation: string): Promise<number> {
  const rows = await sql<unknown[]>`update account_names
    set holds = 0, refused_at = null, operation = null where operation = ${operation} and name not in (select name from domains) returning 1`;
  return rows.length;
}
