import type { SQL } from "bun";
import type { NameSelection } from "../../shared/accounts.ts";
import type { Instant } from "../../shared/day.ts";
import { chunks } from "../database/bulk-rows.ts";
import type { Job } from "../database/database.ts";
import type { Maker } from "../domains/history.ts";
import { lockAccount, registrarLabel } from "./stored-accounts.ts";
import { mergeRows, rowSource } from "./merge-rows.ts";
import { selectNames, sourceRow, toldOf } from "./names.ts";

interface AnswerInput {
  id: string;
  action: "accept" | "refuse";
  selection: NameSelection;
  by: Maker;
  at: Instant;
}

/** What became of a request about names; `count`: another number of them is new by now. */
type Answered = { operation: string | null } | { count: number } | "missing";

/** Adds names of an account to the register, or keeps them out of it: they are not asked for again. */
export const answerNames: Job<AnswerInput, Answered> = {
  name: "answer names",
  async run(sql, { id, action, selection, by, at }) {
    const account = await lockAccount(sql, id);
    if (account === undefined) return "missing";
    const isWanted = action === "accept";
    const rows = await selectNames(sql, id, selection, isWanted);
    if (typeof rows === "number") return { count: rows };
    if (rows.length === 0) return { operation: null };
    const operation = Bun.randomUUIDv7();
    if (isWanted) {
      const given = { registrar: registrarLabel(account), account: account.label };
      const lines = rows.map((row, index) => sourceRow(index + 1, row.name, toldOf(row), given));
      await mergeRows(sql, lines, rowSource(account), { by, at, operation });
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
 * After the undo of an operation: names that it accepted or refused are new again, but not those whose
 * domains stayed. Returns how many.
 */
export async function undoAnswers(sql: SQL, operation: string): Promise<number> {
  const rows = await sql<unknown[]>`update account_names
    set holds = 0, refused_at = null, operation = null where operation = ${operation} and name not in (select name from domains) returning 1`;
  return rows.length;
}
