import type { NameSelection } from "../../shared/accounts.ts";
import type { Undone } from "../../shared/operations.ts";
import { chunks } from "../database/bulk-rows.ts";
import type { Job } from "../database/database.ts";
import { markNoNews, startOperation, type Maker } from "../domains/write/history.ts";
import { undoOperation } from "../domains/write/undo-operation.ts";
import { lockAccount, registrarLabel } from "./stored-accounts.ts";
import { mergeRows } from "./merge-rows.ts";
import { selectNames, sourceRow, toldOf } from "./names.ts";

interface AnswerInput {
  id: string;
  action: "accept" | "refuse";
  selection: NameSelection;
  by: Maker;
}

/** What became of a request about names; `count`: another number of them is new by now. */
type Answered = { operation: string | null } | { count: number } | "missing";

/** Adds names of an account to the register, or keeps them out of it: they are not asked for again. */
export const answerNames: Job<AnswerInput, Answered> = {
  name: "answer names",
  async run(sql, { id, action, selection, by }) {
    const account = await lockAccount(sql, id);
    if (account === undefined) return "missing";
    const isWanted = action === "accept";
    const rows = await selectNames(sql, id, selection, isWanted);
    if (typeof rows === "number") return { count: rows };
    if (rows.length === 0) return { operation: null };
    const author = await startOperation(sql, by);
    const { operation, at } = author;
    if (isWanted) {
      const given = { registrar: registrarLabel(account), account: account.label };
      const lines = rows.map((row, index) => sourceRow(index + 1, row.name, toldOf(row), given));
      await markNoNews(sql, author);
      await mergeRows(sql, lines, account, author);
      // Another account had them until they were deleted.
      for (const batch of chunks(rows.map(({ name }) => name))) {
        await sql`update account_names set holds = 0 where holds = 1 and name in ${sql(batch)}`;
      }
    }
    const columns = isWanted ? { holds: 1, refused_at: null } : { refused_at: at };
    for (const batch of chunks(rows.map((row) => row.id))) {
      await sql`update account_names set ${sql({ ...columns, operation })} where id in ${sql(batch)}`;
    }
    return { operation };
  },
};

/**
 * Undoes what a person wrote, in one transaction; the undo is an operation too. Names that it accepted or
 * refused are new again, but not those whose domains stayed, or were deleted since. Null where there is no
 * such operation. An import is undone as such.
 */
export const undo: Job<{ id: string; by: Maker }, Undone | null> = {
  name: "undo operation",
  async run(sql, { id, by }) {
    const author = await startOperation(sql, by);
    const undone = await undoOperation(sql, id, author);
    const names = await sql<unknown[]>`
      update account_names set holds = 0, refused_at = null, operation = null
      where operation = ${id} and (refused_at is not null
        or name in (select name from bin where operation = ${author.operation})) returning 1`;
    if (undone !== null || names.length === 0) return undone;
    return { restored: names.length, kept: [], operation: null };
  },
};
