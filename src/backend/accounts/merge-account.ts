import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import { foldLabel } from "../../shared/text.ts";
import { chunks } from "../database/bulk-rows.ts";
import type { Job } from "../database/database.ts";
import { createYielder } from "../database/event-loop.ts";
import { addChanges, type Operator } from "../domains/write/history.ts";
import { labelsOf, makerOf, mergeRows, type ToldRow } from "./merge-rows.ts";
import {
  become,
  findHolder,
  isListing,
  judgeLoss,
  lack,
  newName,
  see,
  toldOf,
  type KnownName,
  type Seen,
} from "./name-states.ts";
import { readNames, readRegistry, saveNames } from "./names.ts";
import type { ListedName, Reading } from "./reading.ts";
import { lockAccount, registrarLabel, type AccountRow, type Notice } from "./stored-accounts.ts";

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

/** A domain of the register as far as it decides which account has it. */
interface Holding {
  id: string;
  name: string;
  account_key: string | null;
  registrar_key: string | null;
  status: string | null;
}

type Domains = ReadonlyMap<string, Holding>;

/**
 * Makes a complete list part of the register, in one transaction, with all that follows for the account.
 * False: the lease was lost, and nothing is written.
 */
export const mergeAccount: Job<MergeInput, boolean> = {
  name: "merge account",
  async run(sql, { id, run, at, dueAt, reading }) {
    const account = await lockAccount(sql, id);
    if (account?.run !== run) return false;
    const stored = await readNames(sql, sql`account_id = ${id}`);
    const before = new Map(stored.map((row) => [row.name, row]));
    const list = readList(reading);
    const rows = new Map<string, KnownName>();
    const yielder = createYielder();
    for (const name of new Set([...before.keys(), ...list.keys()])) {
      await yielder();
      rows.set(name, see(before.get(name) ?? newName(id, name, at), list.get(name), at));
    }
    const claims = await readClaims(sql, account);
    for (const { name } of claims) {
      if (!rows.has(name)) rows.set(name, become(newName(id, name, at), "claimed", at));
    }
    const holdings = [...(await readHoldings(sql, rows.keys())), ...claims];
    const domains = new Map(holdings.map((domain) => [domain.name, domain]));
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
    const mine: ToldRow[] = [];
    const returned: Parameters<typeof addChanges>[1][number][] = [];
    for (const row of rows.values()) {
      await yielder();
      const domain = domains.get(row.name);
      const seen = list.get(row.name);
      if (domain === undefined || row.holds === 0 || seen?.place !== "listed") continue;
      const old = before.get(row.name);
      if (old?.holds === 1 && old.vanished_at !== null) {
        const since = old.vanished_at.slice(0, 10);
        const fields = [{ field: "gone from its account", before: since, after: null }];
        returned.push({ domainId: domain.id, action: "edited", fields });
      }
      const isNew = old?.holds !== 1;
      const told = { ...seen.told };
      // A person's price stands until the account tells another.
      if (old?.holds === 1 && Bun.deepEquals(toldOf(old).price, told.price)) told.price = null;
      // Does not set the status to active where it was unknown.
      const isUsual = told.status === "active" && domain.status === null;
      if (isUsual) Object.assign(told, { status: null, statusRaw: null });
      const labels = isNew ? labelsOf(domain, account, contest.labelKeys) : {};
      mine.push({ name: row.name, told, labels });
    }
    await addChanges(sql, returned, { by: author.by, at });
    await mergeRows(sql, mine, account, author);
    for (const [of, theirs] of Map.groupBy(
      moved.filter(({ holds }) => holds === 1),
      (row) => row.account_id,
    )) {
      const other = contest.accounts.get(of);
      if (other === undefined) continue;
      const told = theirs.map((row) => {
        const labels = labelsOf(domains.get(row.name), other, contest.labelKeys);
        return { name: row.name, told: toldOf(row), labels };
      });
      await mergeRows(sql, told, other, author);
    }
    const isFirst = question.shrunk_since !== null && account.shrunk_since === null;
    const done = {
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
    };
    await sql`update registrar_accounts set ${sql(done)} where id = ${id}`;
    return true;
  },
};

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

const selectHoldings = (sql: SQL) =>
  sql`select id, name, account_key, registrar_key, status from domains`;

async function readHoldings(sql: SQL, names: Iterable<string>): Promise<Holding[]> {
  const found: Holding[] = [];
  for (const batch of chunks([...names])) {
    found.push(...(await sql<Holding[]>`${selectHoldings(sql)} where name in ${sql(batch)}`));
  }
  return found;
}

/** The domains that the register has under an account's label, and from no account. */
async function readClaims(sql: SQL, account: AccountRow): Promise<Holding[]> {
  return sql<Holding[]>`
    ${selectHoldings(sql)} where account_key = ${account.label_key}
      and (registrar_key is null or registrar_key = ${foldLabel(registrarLabel(account))})
      and not exists (select 1 from account_names n
        where n.name = domains.name and n.holds = 1)`;
}

type Contest = Awaited<ReturnType<typeof readContest>>;

/** What decides between the account whose list came and others that know its names. */
async function readContest(sql: SQL, account: AccountRow, domains: Domains) {
  const all = await sql<AccountRow[]>`select * from registrar_accounts`;
  const accounts = new Map(all.map((each) => [each.id, each.id === account.id ? account : each]));
  const unread = all.filter((each) => each.id !== account.id && each.complete_at === null);
  const rows: KnownName[] = [];
  for (const batch of all.length > 1 ? chunks([...domains.keys()]) : []) {
    const where = sql`account_id <> ${account.id} and name in ${sql(batch)}`;
    rows.push(...(await readNames(sql, where)));
  }
  const others = Map.groupBy(rows, ({ name }) => name);
  const contested = [...others.keys()].flatMap((name) => domains.get(name)?.id ?? []);
  return {
    accounts,
    others,
    registry: await readRegistry(sql, contested),
    /** Labels of accounts that have not been read yet. */
    unread: new Set(unread.map(({ label_key }) => label_key)),
    labelKeys: new Set(all.map(({ label_key }) => label_key)),
  };
}

/** Decides which account has each domain, and what is gone. Returns the rows of others that change. */
async function settleNames(
  rows: Map<string, KnownName>,
  domains: Domains,
  { accounts, others, registry, unread }: Contest,
  { isBelieved, at }: { isBelieved: boolean; at: Instant },
): Promise<KnownName[]> {
  const moved: KnownName[] = [];
  const yielder = createYielder();
  for (const [name, row] of rows) {
    await yielder();
    const domain = domains.get(name);
    const rivals = others.get(name) ?? [];
    let mine: KnownName | null = row;
    if (domain !== undefined) {
      const holder = findHolder(row, rivals, {
        accounts,
        isClaimed: unread.has(domain.account_key ?? ""),
        registrar: registry.get(domain.id)?.registrar ?? null,
      });
      const settle = (each: KnownName) =>
        become(each, each === holder ? "assigned" : "released", at);
      if (holder !== undefined) {
        mine = settle(row);
        moved.push(...rivals.map(settle).filter((each) => !rivals.includes(each)));
      }
    }
    if (isBelieved) {
      const isElsewhere = rivals.some((each) => isListing(each, accounts.get(each.account_id)));
      mine = lack(mine, { at, hasDomain: domain !== undefined, isElsewhere });
    }
    if (mine === null) rows.delete(name);
    else if (mine !== row) rows.set(name, mine);
  }
  return moved;
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
  const title = `${now} of ${was} names: has the account “${label}” shrunk?`;
  const text =
    "Its list lacks too many names at once, so none of them counts as gone yet. Likely causes: a key that sees only some names, another organization or sub-account. Open the account under Registrars and say whether it has shrunk.";
  return JSON.stringify({ title, text } satisfies Notice);
}
