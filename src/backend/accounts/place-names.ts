import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import { parseDomainName } from "../domains/domain-name.ts";
import { createYielder } from "../database/event-loop.ts";
import type { AccountRow } from "./stored-accounts.ts";
import { isRegistered, SURE_LISTS, toldOf, type NameRow } from "./names.ts";
import { NOTHING_TOLD, type Reading, type Told } from "./reading.ts";

/** A name counts as vanished when two complete lists lack it that are so far apart. */
const VANISHED_MS = 20 * 3_600_000;

/** A list is asked about that lost more names than this, or this part of them, or all. */
const MAX_LOST_NAMES = 3;
const MAX_LOST_PART = 0.2;

const NO_QUESTION = { shrunk_was: null, shrunk_now: null, shrunk_since: null, shrunk_wait: null };

export interface PlacedNames {
  /** Every name of the account, as the list has it. */
  rows: Map<string, NameRow>;
  /** What the list tells of the names that it has. */
  told: Map<string, Told>;
}

/** Puts every name where the list has it. */
export async function placeNames(
  before: ReadonlyMap<string, NameRow>,
  { id }: AccountRow,
  { reading, at }: { reading: Pick<Reading, "names" | "skipped" | "left">; at: Instant },
): Promise<PlacedNames> {
  const yielder = createYielder();
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
    await yielder();
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
export function claimedRow(account: string, name: string, at: Instant): NameRow {
  return { ...newRow(account, name, at), place: "absent", holds: 1, missing_since: at };
}

/**
 * Whether a list lost too many names since the last one that was believed; `known` are others of it.
 * Names that are new in it make up for none.
 */
export function judgeLoss(
  before: ReadonlyMap<string, NameRow>,
  known: readonly string[],
  { listing, account, at }: { listing: PlacedNames; account: AccountRow; at: Instant },
) {
  const { rows, told } = listing;
  const since = account.shrunk_since;
  const listed = [...before.values()].filter(
    ({ place, missing_since: missing }) =>
      place === "listed" || (since !== null && missing !== null && missing >= since),
  );
  const believed = new Set([...listed.map(({ name }) => name), ...known]);
  const was = account.shrunk_was ?? believed.size;
  const gone = [...believed].filter((name) => !told.has(name));
  const lost = gone.filter((name) => rows.get(name)?.place !== "left");
  const isAsked =
    lost.length > 0 &&
    (told.size === 0 || lost.length > Math.max(MAX_LOST_NAMES, was * MAX_LOST_PART));
  const kept = Math.max(was - gone.length, 0);
  const title = `${kept} of ${was} names: has the account “${account.label}” shrunk?`;
  const text =
    "Its list lacks too many names at once, so none of them counts as gone yet. Likely causes: a key that sees only some names, another organization or sub-account. Open the account under Registrars and say whether it has shrunk.";
  return {
    isAsked,
    notice: isAsked && since === null ? JSON.stringify({ title, text }) : null,
    columns: {
      ...NO_QUESTION,
      ...(isAsked && { shrunk_was: was, shrunk_now: kept, shrunk_since: since ?? at }),
    },
  };
}

/**
 * Flags names of the register that the account no longer has, and takes the flag of those away that are
 * back, which it returns.
 */
export function flagNames(
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

/** Flags the names that the lists lack, once a person believes the lists. Inside a transaction. */
export async function believeLoss(sql: SQL, { id, complete_at: at }: AccountRow): Promise<void> {
  const before = new Date(Date.parse(at ?? "") - VANISHED_MS).toISOString();
  await sql`update account_names set vanished_at = missing_since
    where account_id = ${id} and holds = 1 and vanished_at is null and place <> 'listed'
      and missing_since <= ${before} and name in (select name from domains)`;
  await sql`update registrar_accounts set ${sql(NO_QUESTION)} where id = ${id}`;
}
