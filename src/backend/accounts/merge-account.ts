import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import type { ImportValues } from "../../shared/import.ts";
import { formatSource } from "../../shared/source.ts";
import { chunks } from "../database/bulk-rows.ts";
import type { Job } from "../database/database.ts";
import { yieldIfBusy } from "../database/event-loop.ts";
import { parseDomainName } from "../domains/domain-name.ts";
import { foldStatus } from "../domains/registrar-status.ts";
import { addChanges, type Maker, type Operator } from "../domains/write/history.ts";
import { writeDomains } from "../domains/write/write-domains.ts";
import { planRows, type RowSource, type SourceRow } from "../merge/plan-rows.ts";
import {
  type Contest,
  type Domains,
  type Labels,
  readClaims,
  readContest,
  readHoldings,
  settleNames,
} from "./contest.ts";
import {
  become,
  judgeLoss,
  newName,
  see,
  toldOf,
  type KnownName,
  type Seen,
} from "./name-states.ts";
import { readNames, saveNames } from "./names.ts";
import { type ListedName, onlyTold, type Reading, type Told } from "./reading.ts";
import {
  registrarLabel,
  sourceOfAccount,
  type AccountRow,
  type AccountNotice,
} from "./stored-accounts.ts";

interface MergeInput {
  id: string;
  run: string;
  at: Instant;
  dueAt: Instant;
  /** Names as JSON, in pieces: cloning 50,000 objects at once would keep the thread that answers. */
  reading: Pick<Reading, "skipped" | "left"> & { names: string[] };
}

/** What an account tells of a name, and what it is called in the register where that changes. */
interface ToldRow {
  name: string;
  told: Told;
  labels: Labels;
}

/**
 * Makes a complete list part of the register, in one transaction, with all that follows for the account;
 * nothing where the lease was lost.
 */
export const mergeAccount: Job<MergeInput, void> = {
  name: "merge account",
  async run(sql, { id, run, at, dueAt, reading }) {
    // Locked as by `lockAccount`.
    const [account] = await sql<AccountRow[]>`
      update registrar_accounts set version = version where id = ${id} and run = ${run} returning *`;
    if (account === undefined) return;
    const stored = await readNames(sql, sql`account_id = ${id}`);
    const before = new Map(stored.map((row) => [row.name, row]));
    const list = readList(reading);
    const rows = new Map<string, KnownName>();
    for (const name of new Set([...before.keys(), ...list.keys()])) {
      await yieldIfBusy();
      rows.set(name, see(before.get(name) ?? newName(id, name, at), list.get(name), at));
    }
    const claims = await readClaims(sql, account);
    for (const { name } of claims) {
      if (!rows.has(name)) rows.set(name, become(newName(id, name, at), "claimed", at));
    }
    const domains = await readHoldings(sql, [...rows.keys()]);
    // Before the first list, what the register has of the account is what was known of it.
    const known = account.complete_at === null ? claims.map(({ name }) => name) : [];
    const question = judgeLoss(account, stored, known, { rows, at });

    const contest = await readContest(sql, { ...account, ...question }, domains);
    const moved = await settleNames(rows, domains, contest, {
      isBelieved: question.shrunk_since === null,
      at,
    });
    await refuseDeleted(sql, before, rows);
    const others = [...contest.others.values()].flat();
    const forgotten = stored.filter(({ name }) => !rows.has(name));
    await saveNames(sql, [...stored, ...others], [...rows.values(), ...moved], forgotten);

    const author: Operator = { by: makerOf(account), at, operation: Bun.randomUUIDv7() };
    const { mine, returned } = await tellMine(rows, domains, account, { before, list, contest });
    await addChanges(sql, returned, { by: author.by, at });
    await mergeRows(sql, mine, account, author);
    const given = moved.filter(({ holds }) => holds === 1);
    for (const [of, theirs] of Map.groupBy(given, (row) => row.account_id)) {
      const other = contest.accounts.get(of);
      if (other === undefined) continue;
      const told = theirs.map((row) => {
        const labels = contest.labelsOf(domains.get(row.name), other);
        return { name: row.name, told: toldOf(row), labels };
      });
      await mergeRows(sql, told, other, author);
    }
    const isFirst = question.shrunk_since !== null && account.shrunk_since === null;
    await sql`update registrar_accounts set ${sql({
      ...question,
      outcome: "ok",
      detail: null,
      complete_at: at,
      failures: 0,
      refusals: "[]",
      told_at: null,
      notice: isFirst ? lossNotice({ ...account, ...question }) : account.notice,
      due_at: dueAt,
      priority: 0,
      leased_until: null,
      run: null,
    })} where id = ${id}`;
  },
};

/** What the list tells of the domains that the account has, and which of them are back in it. */
async function tellMine(
  rows: ReadonlyMap<string, KnownName>,
  domains: Domains,
  account: AccountRow,
  about: {
    before: ReadonlyMap<string, KnownName>;
    list: ReadonlyMap<string, Seen>;
    contest: Contest;
  },
) {
  const { before, list, contest } = about;
  const mine: ToldRow[] = [];
  const returned: Parameters<typeof addChanges>[1][number][] = [];
  for (const { name, holds } of rows.values()) {
    await yieldIfBusy();
    const domain = domains.get(name);
    const seen = list.get(name);
    if (domain === undefined || holds === 0 || seen?.place !== "listed") continue;
    const stood = before.get(name);
    const old = stood?.holds === 1 ? stood : null;
    if (old?.vanished_at) {
      const since = old.vanished_at.slice(0, 10);
      const fields = [{ field: "gone from its account", before: since, after: null }];
      returned.push({ domainId: domain.id, action: "edited", fields });
    }
    const told = { ...seen.told };
    // A person's price stands until the account tells another.
    if (old && Bun.deepEquals(toldOf(old).price, told.price)) told.price = null;
    // Does not set the status to active where it was unknown.
    if (told.status === "active" && domain.status === null) told.status = told.statusRaw = null;
    // It may be under the label of another since, by an undo or by hand.
    const isNamed = old !== null && !contest.isUnderOther(domain);
    mine.push({ name, told, labels: isNamed ? {} : contest.labelsOf(domain, account) });
  }
  return { mine, returned };
}

/** What a list says of each name. One that is listed, too, has come back. */
function readList({ names, left, skipped }: MergeInput["reading"]): Map<string, Seen> {
  const list = new Map<string, Seen>();
  for (const { name, reason } of skipped) list.set(name, { place: "skipped", reason });
  for (const { name, reason } of left) list.set(name, { place: "left", reason });
  for (const piece of names) {
    const listed: ListedName[] = JSON.parse(piece);
    for (const { name, reason, detailAt, ...told } of listed) {
      list.set(name, { place: "listed", reason, detailAt, told });
    }
  }
  return list;
}

/** What has been deleted in the register before its account was known is not asked for. */
async function refuseDeleted(
  sql: SQL,
  before: ReadonlyMap<string, KnownName>,
  rows: Map<string, KnownName>,
): Promise<void> {
  const added = [...rows.values()].filter(({ name }) => !before.has(name));
  for (const batch of chunks(added.map(({ name }) => name))) {
    const deleted = await sql<{ name: string; at: Instant }[]>`
      select name, max(deleted_at) as at from bin where name in ${sql(batch)} group by name`;
    for (const { name, at } of deleted) {
      const row = rows.get(name);
      if (row !== undefined) rows.set(name, become(row, "deleted", at));
    }
  }
}

function lossNotice({ label, shrunk_was: was, shrunk_now: now }: AccountRow): string {
  const title = `The account “${label}” lists only ${now} of ${was} names: were the others removed?`;
  const text =
    "Too many names are missing from its list at once, so none of them counts as gone yet. Likely causes: a key that sees only some names, another organization or another sub-account. Open the account under Registrars and say whether they were removed.";
  return JSON.stringify({ title, text } satisfies AccountNotice);
}

/** Who the history says made what a list changed, by the label of this time. */
function makerOf({ registrar, label }: AccountRow): Maker {
  const name = formatSource({ kind: "account", registrar, account: label });
  return { id: null, name, token: null };
}

/** Compares rows of an account with the register and makes them part of it; `bringBack`: archived ones, too. */
export async function mergeRows(
  sql: SQL,
  rows: readonly ToldRow[],
  account: AccountRow,
  author: Operator,
  bringBack = false,
): Promise<void> {
  const name = registrarLabel(account);
  const source: RowSource = { own: false, name, account: sourceOfAccount(account), bringBack };
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
  if (status === null || status === "unknown") return word ?? status;
  const known = word === null ? null : foldStatus(word);
  // Spaceship's "registered" may be suspended.
  const isTrue = known !== null && (known !== "active" || status === "active");
  return isTrue ? word : status.replace("-", " ");
}
