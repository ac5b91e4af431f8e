import type { SQL } from "bun";
import type { NameSelection } from "../../shared/accounts.ts";
import type { Undone } from "../../shared/operations.ts";
import { chunks } from "../database/bulk-rows.ts";
import type { Job } from "../database/database.ts";
import {
  addChanges,
  isRefusal,
  markNoNews,
  refusalChange,
  startOperation,
  type Maker,
  type Operator,
} from "../domains/write/history.ts";
import {
  foretell,
  MAX_KEPT_DOMAINS,
  recordUndo,
  undoOperation,
} from "../domains/write/undo-operation.ts";
import { lockAccount, registrarLabel } from "./stored-accounts.ts";
import { mergeRows } from "./merge-account.ts";
import { become, toldOf, type KnownName } from "./name-states.ts";
import { readNames, saveNames, selectNames } from "./names.ts";

/**
 * Adds names of an account to the register, or keeps them out of it: they are not asked for again. Null:
 * none of them could be.
 *
 * @throws {RequestError} 404, and 409 with `count` where another number is new by now.
 */
export const answerNames: Job<
  { id: string; action: "accept" | "refuse"; selection: NameSelection; by: Maker },
  { operation: string | null }
> = {
  name: "answer names",
  async run(sql, { id, action, selection, by }) {
    const account = await lockAccount(sql, id);
    const isWanted = action === "accept";
    const rows = await selectNames(sql, id, selection, isWanted);
    if (rows.length === 0) return { operation: null };
    const author = await startOperation(sql, by);
    const { operation, at } = author;
    const others: KnownName[] = [];
    if (isWanted) {
      const labels = { registrar: registrarLabel(account), account: account.label };
      const lines = rows.map((row) => ({ name: row.name, told: toldOf(row), labels }));
      await markNoNews(sql, author);
      await mergeRows(sql, lines, account, author, true);
      // Another account had them until they were deleted.
      for (const batch of chunks(rows.map(({ name }) => name))) {
        const where = sql`account_id <> ${id} and name in ${sql(batch)}`;
        others.push(...(await readNames(sql, where)));
      }
    }
    const event = isWanted ? "accepted" : "refused";
    const answered = rows.map((row) => become(row, event, at, operation));
    const released = others.map((row) => become(row, "released", at));
    await saveNames(sql, [...rows, ...others], [...answered, ...released]);
    if (!isWanted) await addRefusals(sql, rows, false, author);
    return { operation };
  },
};

/**
 * Undoes what a person wrote, in one transaction; the undo of several operations is as many, the last one
 * first. Null for an unknown operation.
 */
export const undo: Job<{ ids: readonly string[]; by: Maker }, Undone | null> = {
  name: "undo operations",
  async run(sql, { ids, by }) {
    const undone = (await Array.fromAsync(ids, (id) => undoOne(sql, id, by))).flat();
    if (undone.length === 0) return null;
    const operations = undone.flatMap(({ operation }) => operation ?? []);
    return {
      restored: undone.reduce((sum, { restored }) => sum + restored, 0),
      kept: undone.flatMap(({ kept }) => kept).slice(0, MAX_KEPT_DOMAINS),
      operation: operations.toReversed().join() || null,
    };
  },
};

async function undoOne(sql: SQL, id: string, by: Maker): Promise<Undone[]> {
  const author = await startOperation(sql, by);
  const refused = await undoRefusals(sql, id, author);
  if (refused !== null) return [refused];
  const undone = await undoOperation(sql, id, author);
  if (undone === null) return [];
  // Names that it accepted are new again, but not those whose domains stayed, or were deleted since.
  const removed = sql`select name from bin where operation = ${author.operation}`;
  const stored = await readNames(sql, sql`operation = ${id} and name in (${removed})`);
  const names = stored.map((row) => become(row, "undone", author.at, null));
  await saveNames(sql, stored, names);
  return [undone];
}

/**
 * Names that were refused are new again, or the other way round; not those that are in the register by now.
 * Null: the operation refused none.
 */
async function undoRefusals(sql: SQL, id: string, author: Operator): Promise<Undone | null> {
  const changes = await sql<{ id: string; fields: string }[]>`
    select domain_id as id, fields from changes where operation = ${id} and ${isRefusal(sql)}`;
  if (changes.length === 0) return null;
  const isBack = JSON.parse(changes[0]?.fields ?? "")[0].after !== null;
  const isStanding = isBack
    ? sql`refused_at is not null`
    : sql`refused_at is null and name not in (select name from domains where name = account_names.name)`;
  let restored = 0;
  for (const batch of chunks(changes)) {
    const where = sql`id in ${sql(batch, "id")} and holds = 0 and ${isStanding}`;
    const stored = await readNames(sql, where);
    const names = stored.map((row) => become(row, isBack ? "undone" : "refused", author.at));
    await saveNames(sql, stored, names);
    await addRefusals(sql, stored, isBack, author);
    restored += stored.length;
  }
  if (restored > 0) await recordUndo(sql, id, author);
  return { restored, kept: [], operation: restored > 0 ? author.operation : null };
}

function addRefusals(sql: SQL, rows: readonly KnownName[], isBack: boolean, author: Operator) {
  const changes = rows.map(({ id, name, account_id: account }) =>
    refusalChange(id, { name, account }, isBack),
  );
  return addChanges(sql, changes, author);
}

export const foretellUndo: typeof undo = {
  name: "foretell an undo",
  run: (sql, input) => foretell(sql, () => undo.run(sql, input)),
};
