import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import { chunks, insertRows, updateRows } from "../database/bulk-rows.ts";
import type { Job } from "../database/database.ts";
import { addChanges, type Operator } from "../domains/write/history.ts";
import { createYielder } from "../database/event-loop.ts";
import type { SourceRow } from "../merge/plan-rows.ts";
import { lockAccount } from "./stored-accounts.ts";
import { assignNames, labelsOf, readHoldings } from "./assign-names.ts";
import { makerOf, mergeRows } from "./merge-rows.ts";
import { sourceRow, toldOf, type NameRow } from "./names.ts";
import { claimedRow, flagNames, judgeLoss, placeNames } from "./place-names.ts";
import type { ListedName, Reading } from "./reading.ts";

/** A complete list, which the reading `run` brought. */
interface MergeInput {
  id: string;
  run: string;
  at: Instant;
  /** When the account is read next. */
  dueAt: Instant;
  /** Names as JSON, in pieces: cloning 50,000 objects at once would keep the thread that answers. */
  reading: Pick<Reading, "skipped" | "left"> & { names: string[] };
}

/**
 * Makes a complete list part of the register, in one transaction, with all that follows for the account.
 * False: the lease was lost, and nothing is written.
 */
export const mergeAccount: Job<MergeInput, boolean> = {
  name: "merge account",
  async run(sql, input) {
    const account = await lockAccount(sql, input.id);
    if (account?.run !== input.run) return false;
    const before = new Map(
      (await sql<NameRow[]>`select * from account_names where account_id = ${account.id}`).map(
        (row) => [row.name, row],
      ),
    );
    const names = input.reading.names.flatMap((piece): ListedName[] => JSON.parse(piece));
    const reading = { ...input.reading, names };
    const listing = await placeNames(before, account, { reading, at: input.at });
    const { rows } = listing;
    const domains = await readHoldings(sql, account, [...rows.keys()]);
    const claims = [...domains.values()].flatMap(({ name, isClaim }) => (isClaim ? name : []));
    for (const name of claims) {
      if (!rows.has(name)) rows.set(name, claimedRow(account.id, name, input.at));
    }
    // Before the first list, what the register has of the account is what was known of it.
    const known = account.complete_at === null ? claims : [];
    const shrink = judgeLoss(before, known, { listing, account, at: input.at });
    const moved = await assignNames(sql, { ...account, ...shrink.columns }, rows, domains);
    const returned = flagNames(rows, domains, moved.elsewhere, {
      isAsked: shrink.isAsked,
      at: input.at,
    });
    await saveNames(sql, before, rows, (row) => !shrink.isAsked && !domains.has(row.name));

    const author: Operator = {
      by: makerOf(account),
      at: input.at,
      operation: Bun.randomUUIDv7(),
    };
    await addChanges(
      sql,
      returned.map(({ name, since }) => ({
        domainId: domains.get(name)?.id ?? "",
        action: "edited",
        fields: [{ field: "gone from its account", before: since.slice(0, 10), after: null }],
      })),
      { by: author.by, at: author.at },
    );
    const lines: SourceRow[] = [];
    const yielder = createYielder();
    for (const [index, row] of [...rows.values()].entries()) {
      await yielder();
      const now = listing.told.get(row.name);
      if (row.holds !== 1 || now === undefined || !domains.has(row.name)) continue;
      const old = before.get(row.name);
      const isNew = old?.holds !== 1;
      // A person's price stands until the account tells another.
      const isSamePrice = !isNew && Bun.deepEquals(toldOf(old).price, now.price);
      // Does not set the status to active where it was unknown.
      const isUsual = now.status === "active" && domains.get(row.name)?.status === null;
      const told = {
        ...now,
        ...(isSamePrice && { price: null }),
        ...(isUsual && { status: null, statusRaw: null }),
      };
      const given = isNew ? labelsOf(domains.get(row.name), account, moved.labelKeys) : {};
      lines.push(sourceRow(index + 1, row.name, told, given));
    }
    await mergeRows(sql, lines, account, author);
    for (const away of Map.groupBy(moved.away, (row) => row.account_id).values()) {
      const [other] = away;
      if (other === undefined) continue;
      const theirs = away.map((row, index) => {
        const given = labelsOf(domains.get(row.name), row, moved.labelKeys);
        return sourceRow(index + 1, row.name, toldOf(row), given);
      });
      await mergeRows(sql, theirs, { ...other, id: other.account_id }, author);
    }
    const done = {
      ...shrink.columns,
      outcome: "ok",
      detail: null,
      complete_at: input.at,
      failures: 0,
      refusals: "[]",
      told_at: null,
      notice: shrink.notice ?? account.notice,
      due_at: input.dueAt,
      priority: 0,
      leased_until: null,
      run: null,
    };
    await sql`update registrar_accounts set ${sql(done)} where id = ${account.id}`;
    return true;
  },
};

async function saveNames(
  sql: SQL,
  before: ReadonlyMap<string, NameRow>,
  rows: ReadonlyMap<string, NameRow>,
  /** Whether a name that is absent, and was never wanted here, can be forgotten. */
  mayForget: (row: NameRow) => boolean,
): Promise<void> {
  const isOver = (row: NameRow) =>
    row.place === "absent" && row.holds === 0 && row.refused_at === null && mayForget(row);
  const over = [...rows.values()].filter(isOver);
  for (const batch of chunks(over.map(({ id }) => id))) {
    await sql`delete from account_names where id in ${sql(batch)}`;
  }
  const all = [...rows.values()].filter((row) => !isOver(row));
  const added = all.filter(({ name }) => !before.has(name));
  for (const batch of chunks(await withoutDeleted(sql, added))) {
    await insertRows(sql, "account_names", batch);
  }
  const changed = all.filter((row) => {
    const old = before.get(row.name);
    return old !== undefined && !Bun.deepEquals(old, row);
  });
  for (const batch of chunks(changed)) await updateRows(sql, "account_names", batch);
}

/** What has been deleted in the register before its account was known is not asked for again. */
async function withoutDeleted(sql: SQL, added: readonly NameRow[]): Promise<NameRow[]> {
  const deleted = new Map<string, Instant>();
  for (const batch of chunks(added.map(({ name }) => name))) {
    const rows = await sql<{ name: string; at: Instant }[]>`
      select name, max(deleted_at) as at from bin where name in ${sql(batch)} group by name`;
    for (const { name, at } of rows) deleted.set(name, at);
  }
  return added.map((row) => ({ ...row, refused_at: deleted.get(row.name) ?? null }));
}
