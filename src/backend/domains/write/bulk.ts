import type { SQL } from "bun";
import type { BulkResult } from "../../../shared/register.ts";
import { type Conflicts, SETTLING_RULES } from "../../../shared/settling.ts";
import { parseSource } from "../../../shared/source.ts";
import { foldLabel } from "../../../shared/text.ts";
import { chunks } from "../../database/bulk-rows.ts";
import { type Database, type Job, readColumn } from "../../database/database.ts";
import { RequestError } from "../../http/request-error.ts";
import { EVERYTHING } from "../../http/route.ts";
import { removeBinned } from "./bin.ts";
import { applyChange, type Bulk, conflictingReports, settledDay } from "./bulk-changes.ts";
import { startOperation, type Maker } from "./history.ts";
import type { ParsedSelection } from "../input.ts";
import { viewCondition } from "../list/list-domains.ts";
import { readDomains } from "../list/read-domains.ts";
import { carryRename, renameOf } from "./renames.ts";
import { foretell } from "./undo-operation.ts";

const BATCH_SIZE = 500;

/** Domains that are read at a time, so that others are answered in between. */
const READ_SIZE = 100;

/** Ids that one statement looks up; SQLite takes 32,766 parameters. */
const LOOK_UP_SIZE = 2000;

/** Changes all or none. @throws {RequestError} 400, or 409 if another number matches now. */
export const changeMany: Job<Bulk & { by: Maker }, BulkResult> = {
  name: "change domains",
  async run(sql, { selection, change, by: maker }) {
    const author = await startOperation(sql, maker);
    const ids = await selectIds(sql, selection);
    const all = selection.kind === "ids" ? selection.ids.length : 0;
    const { expectedCount = all } = selection;
    if (ids.length !== expectedCount) {
      const count = ids.length;
      const detail = `The number of domains that match is ${count} now, not ${expectedCount}.`;
      throw new RequestError(409, detail, { count });
    }
    let changed = 0;
    for (const batch of chunks(ids, BATCH_SIZE)) {
      changed += await applyChange(sql, batch, change, author);
    }
    if (change.kind === "delete") await removeBinned(sql, author);
    const rename = renameOf(selection, change);
    if (rename && changed > 0) await carryRename(sql, author.operation, rename);
    const isUndoable = changed > 0 && change.kind !== "check";
    return { matched: ids.length, changed, operation: isUndoable ? author.operation : null };
  },
};

/** Says what a change would do now, to as many as match now. */
export const foretellMany: typeof changeMany = {
  name: "foretell a change of domains",
  async run(sql, { selection: asked, ...input }) {
    const selection = { kind: "ids", ids: await selectIds(sql, asked) } as const;
    const told = await foretell(sql, () => changeMany.run(sql, { ...input, selection }));
    return { ...told, operation: null };
  },
};

/** Some conflicts after another, as reading all may take longer than a database has for one reading. */
export async function listConflicts(
  database: Pick<Database, "readMany">,
  selection: ParsedSelection,
): Promise<Conflicts> {
  const ids = await database.readMany(readConflictIds, selection);
  const found = new Map<string, Settled>();
  for (const batch of chunks(ids, LOOK_UP_SIZE)) {
    for (const [key, part] of await database.readMany(readConflicts, batch)) {
      const { domains = 0, changes = 0 } = found.get(key) ?? {};
      found.set(key, { ...part, domains: domains + part.domains, changes: changes + part.changes });
    }
  }
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { domains: ids.length, settlings: sorted.map(([, settling]) => settling) };
}

type Settled = Conflicts["settlings"][number];

export const readConflictIds: Job<ParsedSelection, string[]> = {
  name: "select conflicts",
  run: (sql, selection) => selectIds(sql, selection, true),
};

/** What settles the conflicts of some domains, by how it is sorted. */
export const readConflicts: Job<readonly string[], Map<string, Settled>> = {
  name: "list conflicts",
  async run(sql, ids) {
    const found = new Map<string, Settled>();
    for (const batch of chunks(ids, READ_SIZE)) {
      for (const domain of await readDomains(sql, batch, EVERYTHING)) {
        const named = conflictingReports(domain).filter(
          ({ source }) => !["registry", "registrar"].includes(parseSource(source).kind),
        );
        const sources = new Map(named.map(({ source }) => [foldLabel(source), source]));
        for (const by of SETTLING_RULES) {
          for (const source of by === "source" ? sources.values() : [null]) {
            const day = settledDay(domain, { by, source });
            const key = `${SETTLING_RULES.indexOf(by)} ${foldLabel(source ?? "")}`;
            const { domains = 0, changes = 0 } = found.get(key) ?? {};
            if (day === undefined) continue;
            const isChange = day !== domain.expires?.date;
            found.set(key, {
              by,
              source,
              domains: domains + 1,
              changes: changes + Number(isChange),
            });
          }
        }
      }
    }
    return found;
  },
};

/** Ids in order, as the rows of the tables that belong to domains are. */
async function selectIds(
  sql: SQL,
  selection: ParsedSelection,
  onlyConflicts = false,
): Promise<string[]> {
  const more = () => (onlyConflicts ? sql`and expires_conflict = 1` : sql``);
  if (selection.kind === "filter") {
    const where = await viewCondition(sql, { ...selection, sight: EVERYTHING });
    const found = await readColumn(sql`select id from domains where ${where()} ${more()}`);
    return found.toSorted();
  }
  const ids: string[] = [];
  for (const batch of chunks(selection.ids, LOOK_UP_SIZE)) {
    const found = sql`select id from domains where id in ${sql(batch)} ${more()}`;
    ids.push(...(await readColumn(found)));
  }
  return ids.toSorted();
}
