import type { SQL } from "bun";
import { type Database, type Fragment, type Job, readColumn } from "../database/database.ts";
import { type Account, NAME_CLASSES, type NameClass } from "../../shared/accounts.ts";
import { DAY_MS, type Instant } from "../../shared/day.ts";
import type { AccountNews } from "../../shared/register.ts";
import { formatSource } from "../../shared/source.ts";
import { foldLabel } from "../../shared/text.ts";
import { UNUSABLE_KEY, type CredentialCipher } from "../outbound/credentials.ts";
import { RequestError, tryLater } from "../http/request-error.ts";
import { REGISTRAR_APIS } from "./registrars/readers.ts";

export interface AccountRow {
  id: string;
  version: number;
  registrar: string;
  label: string;
  label_key: string;
  /** What names its source: null for its id. */
  source_key: string | null;
  /** JSON: each field encrypted by itself. */
  credentials: string;
  state: Account["state"];
  outcome: Account["outcome"];
  detail: string | null;
  /** Of the last complete list. */
  complete_at: Instant | null;
  /** Readings in a row that brought no list. */
  failures: number;
  /** JSON: when the registrar refused these credentials, in the last day. */
  refusals: string;
  /** When owners were told of what keeps the account from being read. */
  told_at: Instant | null;
  /** JSON of an `AccountNotice` that is still to be told. */
  notice: string | null;
  asked_at: Instant | null;
  /** Names of the list that is believed, and of the last one, which lost too many since then. */
  shrunk_was: number | null;
  shrunk_now: number | null;
  shrunk_since: Instant | null;
  /** 1: a person wants to wait for the next list. */
  shrunk_wait: number | null;
  due_at: Instant;
  leased_until: Instant | null;
  /** The reading that has the lease. */
  run: string | null;
  created_at: Instant;
}

/** Of an account whose lists are believed. */
export const NO_QUESTION = {
  shrunk_was: null,
  shrunk_now: null,
  shrunk_since: null,
  shrunk_wait: null,
};

export interface AccountNotice {
  title: string;
  text: string;
}

export function registrarLabel({ registrar }: Pick<AccountRow, "registrar">): string {
  return REGISTRAR_APIS.find((api) => api.registrar === registrar)?.label ?? registrar;
}

/** What the audit log calls an account: by default it is named after its registrar. */
export function subjectOf(account: Pick<AccountRow, "registrar" | "label">): string {
  const registrar = registrarLabel(account);
  const { label } = account;
  return label.startsWith(registrar) ? label : `${registrar}: ${label}`;
}

/** The text under which an account's reports are stored, which stays when its label changes. */
export function sourceOfAccount(
  account: Pick<AccountRow, "registrar" | "id" | "source_key">,
): string {
  const { registrar, id, source_key: key } = account;
  return formatSource({ kind: "account", registrar, account: key ?? id });
}

export function sealFields(
  cipher: CredentialCipher,
  id: string,
  fields: Readonly<Record<string, string>>,
): string {
  const sealed = { ...fields };
  for (const [name, value] of Object.entries(fields)) {
    sealed[name] = cipher.encrypt(value, [id, name]);
  }
  return JSON.stringify(sealed);
}

/** The fields of an account, or what keeps them closed, in words. */
export function openFields(
  cipher: CredentialCipher,
  { id, credentials }: Pick<AccountRow, "id" | "credentials">,
): { fields: Record<string, string> } | { fault: string } {
  const fields: Record<string, string> = {};
  const sealed: Record<string, string> = JSON.parse(credentials);
  for (const [name, stored] of Object.entries(sealed)) {
    const opened = cipher.decrypt(stored, [id, name]);
    if ("fault" in opened) return { fault: FAULTS[opened.fault] };
    fields[name] = opened.credential;
  }
  return { fields };
}

const FAULTS = {
  "other-key":
    "Enter the credentials again. They were encrypted with another key, or the key is gone.",
  "unusable-key": UNUSABLE_KEY,
  damaged: "Enter the credentials again. The stored ones are damaged.",
} as const;

/** Characters of an account's `detail`, including what the registrar said. */
export const MAX_DETAIL_LENGTH = 200;

/**
 * Returns what was said without these secrets, on one line of at most 200 characters. Give it the whole
 * of what was said: of a secret that was cut before, the rest would stay.
 */
export function createMask(secrets: readonly string[]): (said: string) => string {
  // Short values are no secrets, and would mask words.
  const spelt = secrets.filter(({ length }) => length >= 4).flatMap(spellings);
  // Longest first: one may be part of another.
  const forms = [...new Set(spelt)]
    .toSorted((one, other) => other.length - one.length)
    .map((each) => new RegExp(RegExp.escape(each), "gi"));
  return (said) =>
    forms
      .reduce((text, form) => text.replace(form, "…"), said)
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim()
      .slice(0, MAX_DETAIL_LENGTH)
      .toWellFormed();
}

/** How a secret may be repeated; in base64 also as a part of more, after 0, 1 or 2 bytes of a group. */
function spellings(secret: string): string[] {
  const encoded = [0, 1, 2].map((before) => {
    const bytes = Buffer.from("\0".repeat(before) + secret);
    const known = bytes.toString("base64").slice(0, Math.floor((bytes.length * 4) / 3));
    return known.slice(Math.ceil((before * 4) / 3));
  });
  const urlSafe = encoded.map((each) => each.replaceAll("+", "-").replaceAll("/", "_"));
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, encodeURIComponent(secret), json, ...encoded, ...urlSafe];
}

/** The conditions on `account_names n left join domains d on d.name = n.name` that make up the classes. */
export const CLASSES: Readonly<Record<NameClass, (sql: SQL) => Fragment>> = {
  listed: (sql) => sql`n.place = 'listed'`,
  new: (sql) => sql`n.place = 'listed' and d.id is null and not ${isKeptOut(sql)}`,
  vanished: (sql) => sql`n.vanished_at is not null and n.holds = 1 and d.id is not null
    and d.archived_on is null`,
  left: (sql) => sql`n.place = 'left'`,
  skipped: (sql) => sql`n.place = 'skipped'`,
  refused: (sql) => sql`n.place = 'listed'
    and (d.archived_on is not null or (d.id is null and ${isKeptOut(sql)}))`,
};

/** A name that has been in the register from an account and is no more was deleted there. */
function isKeptOut(sql: SQL): Fragment {
  return sql`(n.refused_at is not null or n.holds = 1 or exists (
    select 1 from account_names h where h.name = n.name and h.holds = 1))`;
}

type Counts = Account["counts"];

/** Adds an account, which is due at once; without a label it gets a free one of its registrar. */
export async function addAccount(
  sql: SQL,
  given: Pick<AccountRow, "id" | "registrar" | "credentials" | "created_at"> & {
    label: string | null | undefined;
  },
): Promise<Pick<AccountRow, "registrar" | "label">> {
  const label = given.label || (await freeLabel(sql, given.registrar));
  const row = {
    ...given,
    version: 1,
    label,
    label_key: foldLabel(label),
    state: "on",
    failures: 0,
    refusals: "[]",
    due_at: given.created_at,
    priority: 1,
  };
  await sql`insert into registrar_accounts ${sql(row)}`;
  return row;
}

interface CountedAccount {
  row: AccountRow;
  counts: Counts;
}

/** Reads the accounts with their names in each class, or one of them, by registrar and label. */
export const countAccounts: Job<{ id: string | undefined }, CountedAccount[]> = {
  name: "count accounts",
  async run(sql, { id }) {
    const count = (condition: Fragment) =>
      sql`cast(count(case when ${condition} then 1 end) as integer)`;
    const rows = await sql<AccountRow[]>`
      select * from registrar_accounts ${id === undefined ? sql`` : sql`where id = ${id}`}
      order by registrar, label_key`;
    const columns = NAME_CLASSES.map((of) => sql`, ${count(CLASSES[of](sql))} as ${sql(of)}`);
    const counted = await sql<(Counts & { id: string })[]>`
      select n.account_id as id ${columns}
      from account_names n left join domains d on d.name = n.name
      ${id === undefined ? sql`` : sql`where n.account_id = ${id}`} group by n.account_id`;
    const counts = new Map(counted.map(({ id: of, ...each }) => [of, each]));
    return rows.map((row) => ({ row, counts: counts.get(row.id) ?? NO_NAMES }));
  },
};

export async function listAccounts(
  database: Database,
  cipher: CredentialCipher,
  id?: string,
): Promise<Account[]> {
  const found = await database.readMany(countAccounts, { id });
  return found.map(({ row, counts }) => {
    const opened = openFields(cipher, row);
    const isOpen = "fields" in opened;
    const state = isOpen || row.state === "paused" ? row.state : "refused";
    return {
      id: row.id,
      version: row.version,
      registrar: row.registrar,
      label: row.label,
      state,
      outcome: isOpen ? row.outcome : "credentials",
      detail: isOpen ? row.detail : opened.fault,
      completeAt: row.complete_at,
      nextAt: state === "on" ? row.due_at : null,
      counts,
      question: questionOf(row),
    };
  });
}

const NO_NAMES: Counts = { listed: 0, new: 0, vanished: 0, skipped: 0, left: 0, refused: 0 };

function questionOf(row: AccountRow): Account["question"] {
  const { shrunk_was: was, shrunk_now: now, shrunk_wait: isWaiting } = row;
  return was === null || now === null || isWaiting === 1 ? null : { kind: "shrunken", was, now };
}

/** Counts the names of all accounts that are new or have vanished; one that two accounts list is one. */
export const countNews: Job<null, Pick<Counts, "new" | "vanished">> = {
  name: "count news of accounts",
  async run(sql) {
    const count = (condition: Fragment) =>
      sql`cast(count(distinct case when ${condition} then n.name end) as integer)`;
    const [names] = await sql<Pick<Counts, "new" | "vanished">[]>`
      select ${count(CLASSES.new(sql))} as new, ${count(CLASSES.vanished(sql))} as vanished
      from account_names n left join domains d on d.name = n.name
      where (n.place = 'listed' and n.holds = 0) or n.vanished_at is not null`;
    return names ?? NO_NAMES;
  },
};

export async function summariseAccounts(
  database: Database,
  cipher: CredentialCipher,
): Promise<AccountNews> {
  const rows = await database.read((sql) => sql<AccountRow[]>`select * from registrar_accounts`);
  const news: AccountNews = { refused: 0, shrunken: 0, new: 0, vanished: 0 };
  if (rows.length === 0) return news;
  for (const row of rows) {
    const isClosed = row.state !== "paused" && "fault" in openFields(cipher, row);
    if (row.state === "refused" || isClosed) news.refused += 1;
    if (questionOf(row) !== null) news.shrunken += 1;
  }
  return { ...news, ...(await database.readMany(countNews, null)) };
}

/**
 * An account that no other transaction changes, with its names, until this one ends. It is written to: on
 * Postgres, one that has waited for a mere lock would go on with what it had read before.
 *
 * @throws {RequestError} 404
 */
export async function lockAccount(sql: SQL, id: string): Promise<AccountRow> {
  return expectAccount(
    await sql<AccountRow[]>`
      update registrar_accounts set version = version where id = ${id} returning *`,
  );
}

/** Refusals of the same credentials in a day, after which a registrar may lock the account. */
export const MAX_REFUSALS = 2;

export function refusalsOf({ refusals }: Pick<AccountRow, "refusals">, now: Date): Instant[] {
  const after = new Date(now.getTime() - DAY_MS).toISOString();
  const all: Instant[] = JSON.parse(refusals);
  return all.filter((at) => at > after);
}

/** After these refusals, when the credentials may be tried again, in milliseconds. */
export function mayAskAt(refusals: readonly Instant[]): number {
  const first = refusals.at(-MAX_REFUSALS);
  return first === undefined ? 0 : Date.parse(first) + DAY_MS;
}

/** @throws {RequestError} 429 after as many refusals in a day as a registrar may take for an attack. */
export function mayAsk(row: AccountRow, now: Date): void {
  const seconds = (mayAskAt(refusalsOf(row, now)) - now.getTime()) / 1000;
  if (seconds <= 0) return;
  const detail = `The registrar has refused these credentials twice in a day; more tries could lock the account. Enter new credentials, or try again in ${Math.ceil(seconds / 3600)} h.`;
  throw tryLater(429, detail, seconds);
}

/** The first of these accounts. @throws {RequestError} 404 where there is none. */
export function expectAccount<T>([account]: readonly T[]): T {
  if (account === undefined) throw new RequestError(404, "This account does not exist.");
  return account;
}

export async function findAccount(sql: SQL, id: string): Promise<AccountRow> {
  return expectAccount(await sql<AccountRow[]>`select * from registrar_accounts where id = ${id}`);
}

/** A label that no other account of the registrar has: `Gandi`, `Gandi 2`. */
async function freeLabel(sql: SQL, registrar: string): Promise<string> {
  const label = registrarLabel({ registrar });
  const taken = await readColumn(sql`
    select label_key from registrar_accounts where registrar = ${registrar}`);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? label : `${label} ${number}`;
    if (!taken.includes(foldLabel(free))) return free;
  }
}
