import type { SQL } from "bun";
import type { NameSelection } from "../../shared/accounts.ts";
import type { Instant } from "../../shared/day.ts";
import type { ImportCounts } from "../../shared/import.ts";
import { insertRows, updateRows, type SqlRow } from "../database/bulk-rows.ts";
import { isPostgres, type BulkJob } from "../database/database.ts";
import { toColumns } from "../domains/columns.ts";
import { parseDomainName } from "../domains/domain-name.ts";
import { addObservations } from "../domains/expiry.ts";
import { addChanges, type Maker, type Operator } from "../domains/history.ts";
import { applyRows } from "../merge/apply-rows.ts";
import { planRows, type PlannedRow, type RowSource, type SourceRow } from "../merge/plan-rows.ts";
import { rowKey, toRecords } from "../merge/planned-rows.ts";
import { sourceOfAccount, type AccountRow } from "./accounts.ts";
import {
  isRegistered,
  isSameRegistrar,
  NOTHING_TOLD,
  readRegistry,
  selectNames,
  sourceRow,
  toldOf,
  type NameRow,
  type Told,
} from "./names.ts";
import type { Reading } from "./reading.ts";

/** A name counts as vanished when two complete lists lack it that are so far apart. */
const VANISHED_MS = 20 * 3_600_000;

/** A list is asked about that lost more names than this, or this part of them, or all. */
const MAX_LOST_NAMES = 3;
const MAX_LOST_PART = 0.2;

/** Complete lists by which a name is known to be in another account. */
const SURE_LISTS = 2;

/** Names that one statement names. */
const BATCH_NAMES = 500;

/** A complete list, which the reading `run` brought. */
export interface MergeInput {
  id: string;
  run: string;
  at: Instant;
  /** When the account is read next. */
  dueAt: Instant;
  reading: Pick<Reading, "names" | "skipped" | "left">;
  /** What registrars are called, by their ids. */
  labels: Readonly<Record<string, string>>;
}

/** A domain of the register as far as it decides which account has it. */
interface Holding {
  id: string;
  name: string;
  account_key: string | null;
  status: string | null;
}

/** The row of a name in another account, with what is known of that account. */
type OtherRow = NameRow & Pick<AccountRow, "registrar" | "label" | "label_key" | "shrunk_since">;

/**
 * Makes a complete list part of the register, in one transaction, with all that follows for the account.
 * False: the lease was lost, and nothing is written.
 */
export const mergeAccount: BulkJob<MergeInput, boolean> = {
  name: "merge account",
  async run(sql, input) {
    const lock = isPostgres(sql) ? sql`for update` : sql``;
    const [account] = await sql<AccountRow[]>`select * from registrar_accounts
      where id = ${input.id} and run = ${input.run} ${lock}`;
    if (account === undefined) return false;
    const before = new Map(
      (await sql<NameRow[]>`select * from account_names where account_id = ${account.id}`).map(
        (row) => [row.name, row],
      ),
    );
    const listing = placeNames(before, account, input);
    const { rows } = listing;
    const shrink = judgeLoss(before, listing, account, input.at);
    const domains = await readHoldings(sql, account, [...rows.keys()]);
    for (const { name, isClaim } of domains.values()) {
      if (isClaim && !rows.has(name)) rows.set(name, claimedRow(account.id, name, input.at));
    }
    const moved = await assignNames(
      sql,
      { ...account, ...shrink.columns },
      listing,
      domains,
      input,
    );
    const returned = flagNames(rows, domains, moved.elsewhere, {
      isAsked: shrink.isAsked,
      at: input.at,
    });
    await saveNames(sql, before, rows);

    const author: Operator = {
      by: makerOf(account),
      at: input.at,
      operation: Bun.randomUUIDv7(),
    };
    await addChanges(
      sql,
      returned.flatMap(({ name, since }) => {
        const domainId = domains.get(name)?.id ?? "";
        const fields = [{ field: "vanished", before: since.slice(0, 10), after: null }];
        return [{ domainId, action: "edited" as const, fields }];
      }),
      { by: author.by, at: author.at },
    );
    const lines = [...rows.values()].flatMap((row, index) => {
      const now = listing.told.get(row.name);
      if (row.holds !== 1 || now === undefined || !domains.has(row.name)) return [];
      const old = before.get(row.name);
      const isNew = old?.holds !== 1;
      // A person's price stands until the account tells another.
      const isSamePrice = !isNew && Bun.deepEquals(toldOf(old).price, now.price);
      // That a name is active is no news of one whose status nobody has told.
      const isUsual = now.status === "active" && domains.get(row.name)?.status === null;
      const told = {
        ...now,
        ...(isSamePrice && { price: null }),
        ...(isUsual && { status: null, statusRaw: null }),
      };
      const given = isNew
        ? labelsOf(domains.get(row.name), account, input.labels, moved.labelKeys)
        : {};
      return [sourceRow(index + 1, row.name, told, given)];
    });
    await mergeRows(sql, lines, rowSource(account, input.labels), author);
    for (const { row, told, from } of moved.away) {
      const given = labelsOf(domains.get(row.name), row, input.labels, moved.labelKeys);
      const line = sourceRow(1, row.name, told, given);
      await mergeRows(sql, [line], rowSource(row, input.labels), { ...author, by: from });
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

/** Who the history says made what a list changed. */
function makerOf(account: Pick<AccountRow, "registrar" | "label">): Maker {
  return { id: null, name: sourceOfAccount(account) };
}

interface Listing {
  /** Every name of the account, as the list has it. */
  rows: Map<string, NameRow>;
  /** What the list tells of the names that it has. */
  told: Map<string, Told>;
}

/** Puts every name where the list has it. */
function placeNames(
  before: ReadonlyMap<string, NameRow>,
  { id }: AccountRow,
  { reading, at }: MergeInput,
): Listing {
  const rows = new Map([...before].map(([name, row]): [string, NameRow] => [name, { ...row }]));
  const told = new Map<string, Told>();
  const place = (name: string, at_: NameRow["place"], reason: string | null): NameRow => {
    const row = rows.get(name) ?? newRow(id, name, at);
    if (row.place !== at_) Object.assign(row, { place: at_, place_since: at });
    row.reason = reason;
    rows.set(name, row);
    return row;
  };
  for (const { name, reason, detailAt, ...now } of reading.names) {
    if ("code" in parseDomainName(name)) continue;
    const row = place(name, "listed", reason);
    const isSame = before.get(name)?.place === "listed";
    row.lists = isRegistered(now) ? Math.min((isSame ? row.lists : 0) + 1, SURE_LISTS) : 0;
    row.missing_since = null;
    const known = toldOf(row);
    const all = Object.fromEntries(Object.entries(now).filter(([, value]) => value !== null));
    row.told = JSON.stringify({ ...known, ...all });
    row.detail_at = detailAt ?? row.detail_at;
    told.set(name, { ...NOTHING_TOLD, ...now });
  }
  const others = [
    ...reading.left.map((each) => ({ ...each, where: "left" as const })),
    ...reading.skipped.map((each) => ({ ...each, where: "skipped" as const })),
  ];
  const seen = new Set(told.keys());
  for (const { name, reason, where } of others) {
    if (seen.has(name)) continue;
    seen.add(name);
    place(name, where, reason);
  }
  for (const row of rows.values()) {
    if (!seen.has(row.name)) row.place = "absent";
    if (row.place !== "listed") {
      row.missing_since ??= at;
      row.lists = 0;
    }
  }
  return { rows, told };
}

function newRow(account_id: string, name: string, at: Instant): NameRow {
  return {
    id: Bun.randomUUIDv7(),
    account_id,
    name,
    place: "listed",
    place_since: at,
    told: "{}",
    reason: null,
    detail_at: null,
    lists: 0,
    holds: 0,
    missing_since: null,
    vanished_at: null,
    refused_at: null,
    operation: null,
  };
}

/** A domain that the register has under the label of an account, whose list lacks it. */
function claimedRow(account: string, name: string, at: Instant): NameRow {
  return { ...newRow(account, name, at), place: "absent", holds: 1, missing_since: at };
}

/** Whether a list lost too many names since the last one that was believed. */
function judgeLoss(
  before: ReadonlyMap<string, NameRow>,
  { rows, told }: Listing,
  account: AccountRow,
  at: Instant,
) {
  const since = account.shrunk_since;
  const believed = [...before.values()].filter(
    ({ place, missing_since: missing }) =>
      place === "listed" || (since !== null && missing !== null && missing >= since),
  );
  const was = account.shrunk_was ?? believed.length;
  const lost = believed.filter(({ name }) => !told.has(name) && rows.get(name)?.place !== "left");
  const isAsked =
    lost.length > 0 &&
    (told.size === 0 || lost.length > Math.max(MAX_LOST_NAMES, was * MAX_LOST_PART));
  const title = `${told.size} of ${was} names: has the account “${account.label}” shrunk?`;
  const text =
    "Its list lacks too many names at once, so none of them counts as gone. Likely causes: a key that sees some names only, another organisation or sub-account. Say on the screen of registrars whether it has shrunk.";
  return {
    isAsked,
    notice: isAsked && since === null ? JSON.stringify({ title, text }) : null,
    columns: {
      shrunk_was: isAsked ? was : null,
      shrunk_now: isAsked ? told.size : null,
      shrunk_since: isAsked ? (since ?? at) : null,
      shrunk_wait: null,
    },
  };
}

/** The domains of some names, and of those that the register has under this account's label. */
async function readHoldings(
  sql: SQL,
  { label_key }: AccountRow,
  names: readonly string[],
): Promise<Map<string, Holding & { isClaim: boolean }>> {
  const found: Holding[] = [];
  for (const batch of chunks(names)) {
    found.push(
      ...(await sql<
        Holding[]
      >`select id, name, account_key, status from domains where name in ${sql(batch)}`),
    );
  }
  const claims = await sql<Holding[]>`
    select id, name, account_key, status from domains where account_key = ${label_key}
      and not exists (select 1 from account_names n where n.name = domains.name and n.holds = 1)`;
  const claimed = new Set(claims.map(({ name }) => name));
  const all = [...found, ...claims];
  return new Map(all.map((row) => [row.name, { ...row, isClaim: claimed.has(row.name) }]));
}

/** A name that another account has from now on, with what that account told. */
interface Away {
  row: OtherRow;
  told: Told;
  /** The source of the list that showed it. */
  from: Maker;
}

/**
 * Decides which account has each domain that this one has or lists. One that lists it as registered has
 * it; of two, the first, until the other has listed it twice and the registry names its registrar.
 */
async function assignNames(
  sql: SQL,
  account: AccountRow,
  { rows }: Listing,
  domains: ReadonlyMap<string, Holding>,
  { at }: MergeInput,
): Promise<{ away: Away[]; elsewhere: Set<string>; labelKeys: Set<string> }> {
  const accounts = await sql<AccountRow[]>`select * from registrar_accounts`;
  const labelKeys = new Set(accounts.map(({ label_key }) => label_key));
  const others = await readOthers(sql, account.id, [...domains.keys()], accounts.length > 1);
  const away: Away[] = [];
  const elsewhere = new Set<string>();
  const released: OtherRow[] = [];
  const taken: OtherRow[] = [];
  const withdrawn: { domainId: string; source: string; date: null; observedAt: Instant }[] = [];
  for (const row of rows.values()) {
    const domain = domains.get(row.name);
    if (domain === undefined) continue;
    const mine: OtherRow = { ...row, ...pick(account) };
    const rivals = others.get(row.name) ?? [];
    const all = [mine, ...rivals];
    if (rivals.some(isListing)) elsewhere.add(row.name);
    const holder = all.find(({ holds }) => holds === 1);
    const next = await decideHolder(sql, all, holder, { domain, accounts, account });
    if (next === undefined || next === holder) continue;
    if (holder !== undefined) {
      withdrawn.push({
        domainId: domain.id,
        source: sourceOfAccount(holder),
        date: null,
        observedAt: at,
      });
      if (holder !== mine) released.push(holder);
      else Object.assign(row, { holds: 0, vanished_at: null });
    }
    if (next === mine) row.holds = 1;
    else {
      taken.push(next);
      away.push({ row: next, told: toldOf(next), from: makerOf(account) });
    }
  }
  const ids = (list: readonly OtherRow[]) => list.map(({ id }) => id);
  for (const batch of chunks(ids(released))) {
    await sql`update account_names set holds = 0, vanished_at = null where id in ${sql(batch)}`;
  }
  for (const batch of chunks(ids(taken))) {
    await sql`update account_names set holds = 1 where id in ${sql(batch)}`;
  }
  await addObservations(sql, withdrawn);
  return { away, elsewhere, labelKeys };
}

function pick({ registrar, label, label_key, shrunk_since }: AccountRow) {
  return { registrar, label, label_key, shrunk_since };
}

async function readOthers(
  sql: SQL,
  id: string,
  names: readonly string[],
  hasOthers: boolean,
): Promise<Map<string, OtherRow[]>> {
  const found: OtherRow[] = [];
  for (const batch of hasOthers ? chunks(names) : []) {
    found.push(
      ...(await sql<OtherRow[]>`
        select n.*, a.registrar, a.label, a.label_key, a.shrunk_since
        from account_names n join registrar_accounts a on a.id = n.account_id
        where n.account_id <> ${id} and n.name in ${sql(batch)}`),
    );
  }
  return Map.groupBy(found, ({ name }) => name);
}

/** Whether an account lists a name as registered, as far as its lists are believed. */
function isListing(row: OtherRow): boolean {
  const { place, missing_since: missing, shrunk_since: since } = row;
  const isUnbelieved = place === "absent" && since !== null && missing !== null && missing >= since;
  return (place === "listed" || isUnbelieved) && isRegistered(toldOf(row));
}

async function decideHolder(
  sql: SQL,
  all: readonly OtherRow[],
  holder: OtherRow | undefined,
  register: { domain: Holding; accounts: readonly AccountRow[]; account: AccountRow },
): Promise<OtherRow | undefined> {
  const [mine] = all;
  const { domain, accounts, account } = register;
  if (holder === undefined) {
    // The register has it under the label of an account that has not been read yet.
    const isOthers = accounts.some(
      ({ id, label_key, complete_at }) =>
        id !== account.id && label_key === domain.account_key && complete_at === null,
    );
    return mine !== undefined && isListing(mine) && !isOthers ? mine : undefined;
  }
  const rivals = all.filter((row) => row !== holder && row.place === "listed" && isListing(row));
  if (!isListing(holder)) return rivals[0];
  const sure = rivals.filter(
    ({ lists, place_since: since }) => lists >= SURE_LISTS && since > holder.place_since,
  );
  if (sure.length === 0) return holder;
  const { registrar } = (await readRegistry(sql, [domain.id])).get(domain.id) ?? {
    registrar: null,
  };
  return (
    sure.find((row) => registrar === null || isSameRegistrar(registrar, row.registrar)) ?? holder
  );
}

/**
 * Flags names of the register that the account no longer has, and takes the flag of those away that are
 * back, which it returns.
 */
function flagNames(
  rows: ReadonlyMap<string, NameRow>,
  domains: ReadonlyMap<string, unknown>,
  elsewhere: ReadonlySet<string>,
  { isAsked, at }: { isAsked: boolean; at: Instant },
): { name: string; since: Instant }[] {
  const returned: { name: string; since: Instant }[] = [];
  for (const row of rows.values()) {
    const { name, place, missing_since: missing, vanished_at: since } = row;
    if (place === "listed") {
      if (since !== null && row.holds === 1 && domains.has(name)) returned.push({ name, since });
      row.vanished_at = null;
      continue;
    }
    if (isAsked || since !== null || row.holds !== 1 || !domains.has(name)) continue;
    if (place === "left") row.vanished_at = at;
    else if (missing !== null && !elsewhere.has(name) && isLong(missing, at)) {
      row.vanished_at = missing;
    }
  }
  return returned;
}

function isLong(missing: Instant, at: Instant): boolean {
  return Date.parse(at) - Date.parse(missing) >= VANISHED_MS;
}

/** Flags what is gone by the lists that are believed now. Inside a transaction. */
export async function believeLoss(sql: SQL, { id, complete_at: at }: AccountRow): Promise<void> {
  const before = new Date(Date.parse(at ?? "") - VANISHED_MS).toISOString();
  await sql`update account_names set vanished_at = missing_since
    where account_id = ${id} and holds = 1 and vanished_at is null and place <> 'listed'
      and missing_since <= ${before} and name in (select name from domains)`;
  const none = { shrunk_was: null, shrunk_now: null, shrunk_since: null, shrunk_wait: null };
  await sql`update registrar_accounts set ${sql(none)} where id = ${id}`;
}

async function saveNames(
  sql: SQL,
  before: ReadonlyMap<string, NameRow>,
  rows: ReadonlyMap<string, NameRow>,
): Promise<void> {
  const all = [...rows.values()];
  const added = all.filter(({ name }) => !before.has(name));
  await insertRows(sql, "account_names", await withoutDeleted(sql, added));
  const changed = all.filter((row) => {
    const old = before.get(row.name);
    return old !== undefined && !Bun.deepEquals(old, row);
  });
  await updateRows(sql, "account_names", changed);
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

function rowSource(
  { registrar, label }: Pick<AccountRow, "registrar" | "label">,
  labels: MergeInput["labels"],
): RowSource {
  const name = labels[registrar] ?? registrar;
  return { own: false, name, account: sourceOfAccount({ registrar, label }) };
}

/**
 * Registrar and account of a name that comes to an account. Its own word for the account stays with a
 * domain, unless that names one of ours.
 */
function labelsOf(
  domain: Holding | undefined,
  { registrar, label }: Pick<AccountRow, "registrar" | "label">,
  labels: MergeInput["labels"],
  labelKeys: ReadonlySet<string>,
) {
  const key = domain?.account_key ?? null;
  const keepsAccount = key !== null && !labelKeys.has(key);
  return { registrar: labels[registrar] ?? registrar, ...(!keepsAccount && { account: label }) };
}

const NO_COUNTS: ImportCounts = {
  new: 0,
  changed: 0,
  same: 0,
  duplicate: 0,
  invalid: 0,
  missing: 0,
  partly: 0,
  skipped: 0,
  moves: [],
  secondDates: 0,
  losing: 0,
};

/** Compares rows with the register and makes them part of it, as an import does. */
async function mergeRows(
  sql: SQL,
  rows: readonly SourceRow[],
  source: RowSource,
  author: Operator,
): Promise<void> {
  const rowsId = Bun.randomUUIDv7("base64url");
  const counts = { ...NO_COUNTS };
  for (const batch of chunks(rows)) {
    const planned = await planRows(sql, batch, source);
    await confirmReports(sql, planned, author.at);
    const wanted = planned.filter((row) => row.class === "new" || row.class === "changed");
    if (wanted.length === 0) continue;
    if (counts.new + counts.changed === 0) {
      await sql`insert into import_stagings ${sql({ id: rowsId, created_at: author.at })}`;
    }
    for (const row of wanted) counts[row.class] += 1;
    const records = toRecords(
      rowsId,
      wanted.map((row) => ({ key: rowKey(row.line), row })),
    );
    await insertRows(sql, "import_rows", records);
  }
  if (counts.new + counts.changed === 0) return;
  const stamp = Bun.randomUUIDv7().slice(0, -12);
  await applyRows(sql, { rowsId, counts, source }, { ...author, stamp });
  await sql`delete from import_rows where staging = ${rowsId}`;
  await sql`delete from import_stagings where id = ${rowsId}`;
}

/** Stores reports that change nothing a person sees but who reported the expiry. */
async function confirmReports(sql: SQL, planned: readonly PlannedRow[], at: Instant) {
  const targets = planned.flatMap((row) => (row.class === "same" && row.target ? row.target : []));
  const reports = targets.flatMap(({ after, observation }) =>
    observation === null
      ? []
      : [{ domainId: after.id, source: observation.source, date: observation.day, observedAt: at }],
  );
  if (reports.length === 0) return;
  await addObservations(sql, reports);
  const ids = new Set(reports.map(({ domainId }) => domainId));
  const confirmed = targets.filter(({ after }) => ids.has(after.id));
  const rows = confirmed.map(({ after: { id, expires } }) =>
    Object.assign({ id }, toColumns({ expires: planSource(expires, at) })),
  );
  await updateRows(sql, "domains", rows);
}

/** An expiry whose report comes with this list has its time. */
function planSource<T extends { observedAt: Instant } | null>(expires: T, at: Instant): T {
  return expires !== null && expires.observedAt > at ? { ...expires, observedAt: at } : expires;
}

function* chunks<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += BATCH_NAMES) {
    yield all.slice(start, start + BATCH_NAMES);
  }
}

interface AcceptInput {
  id: string;
  selection: NameSelection;
  by: Maker;
  at: Instant;
  labels: MergeInput["labels"];
}

/** What became of a request about names; `count`: another number of them is new by now. */
type Answered = { operation: string | null } | { count: number } | "missing";

/** Adds names of an account to the register. */
export const acceptNames: BulkJob<AcceptInput, Answered> = {
  name: "accept names",
  async run(sql, { id, selection, by, at, labels }) {
    const [account] = await sql<AccountRow[]>`select * from registrar_accounts where id = ${id}`;
    if (account === undefined) return "missing";
    const rows = await selectNames(sql, id, selection);
    if (typeof rows === "number") return { count: rows };
    if (rows.length === 0) return { operation: null };
    const author = { by, at, operation: Bun.randomUUIDv7() };
    const given = {
      registrar: labels[account.registrar] ?? account.registrar,
      account: account.label,
    };
    const lines = rows.map((row, index) => sourceRow(index + 1, row.name, toldOf(row), given));
    await mergeRows(sql, lines, rowSource(account, labels), author);
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

/** After the undo of an operation: names that it accepted or refused are new again. Returns how many. */
export async function undoAnswers(sql: SQL, operation: string): Promise<number> {
  const rows = await sql<unknown[]>`update account_names
    set holds = 0, refused_at = null, operation = null where operation = ${operation} returning 1`;
  return rows.length;
}
