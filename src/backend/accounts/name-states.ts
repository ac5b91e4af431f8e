import { HOUR_MS, type Instant } from "../../shared/day.ts";
import type { SqlRow } from "../database/bulk-rows.ts";
import { isSameRegistrar } from "../domains/known-registrars.ts";
import { NOTHING_TOLD, onlyTold, type ListedName, type Told } from "./reading.ts";
import { NO_QUESTION, registrarLabel, type AccountRow } from "./stored-accounts.ts";

/** A name that an account has, or has had: a row of `account_names`. */
export interface KnownName extends SqlRow {
  id: string;
  account_id: string;
  name: string;
  /** Where the last complete list had it. */
  place: "listed" | "left" | "skipped" | "absent";
  /** Since when it is there; of what is absent, since when it was where it was before. */
  place_since: Instant;
  /** JSON of `Told`. */
  told: string;
  reason: string | null;
  detail_at: Instant | null;
  /** Complete lists in a row that have it as registered, at most 2. */
  lists: number;
  /** The first complete list that lacked it. */
  missing_since: Instant | null;
  /** 1: it is in the register from this account, or was until it was deleted there. */
  holds: number;
  /** Since when the account no longer has it. */
  vanished_at: Instant | null;
  refused_at: Instant | null;
  /** The last operation that accepted or refused it. */
  operation: string | null;
}

/**
 * What becomes of a name: the rule in the README, its state, what happens to it, its next state. What is not
 * here leaves it as it is.
 */
const TRANSITIONS = [
  ["S15", "open", "listed", "open"], // Asked about, as new, while the register lacks it.
  ["S15", "open", "accepted", "held"], // Its values, with the labels of the account.
  ["S15", "open", "refused", "refused"],
  ["S16", "open", "deleted", "refused"],
  ["S19", "open", "assigned", "held"], // Its values, with the labels of the account.
  ["S17", "open", "claimed", "held"],
  ["S16", "refused", "listed", "refused"],
  ["S16", "refused", "accepted", "held"], // Its values, with the labels of the account.
  ["S19", "refused", "assigned", "held"], // Its values, with the labels of the account.
  ["S21", "refused", "undone", "open"],
  ["S13", "held", "listed", "held"], // Those of its values that have changed.
  ["S17", "held", "gone", "vanished"], // The flag.
  ["S16", "held", "accepted", "held"], // As above: it was deleted in the register.
  ["S19", "held", "released", "open"],
  ["S21", "held", "undone", "open"],
  ["S20", "vanished", "listed", "held"], // Its values, and a line of history.
  ["S19", "vanished", "released", "open"],
  ["S21", "vanished", "undone", "open"],
] as const;

/**
 * What a name of an account is to the register. `open`: it is in the register from another account, or not at
 * all; `held`: it is in the register from this account, or was until it was deleted there; `vanished`: it is,
 * and the account no longer has it.
 */
type NameState = (typeof TRANSITIONS)[number][1 | 3];

/** What a complete list, another account or a person does to a name. `gone`: believed lists lack it. */
type NameEvent = (typeof TRANSITIONS)[number][2];

function stateOf({ holds, vanished_at, refused_at }: KnownName): NameState {
  if (holds === 1) return vanished_at === null ? "held" : "vanished";
  return refused_at === null ? "open" : "refused";
}

/** A name after what has happened to it; `operation`: what a person did. */
export function become(
  row: KnownName,
  event: NameEvent,
  since: Instant,
  operation = row.operation,
): KnownName {
  const state = stateOf(row);
  const to = TRANSITIONS.find(([, from, of]) => from === state && of === event)?.[3];
  if (to === undefined) return row;
  if (to === state) return { ...row, operation };
  const holds = to === "held" || to === "vanished" ? 1 : 0;
  const vanished_at = to === "vanished" ? since : null;
  const refused_at = to === "refused" ? since : null;
  return { ...row, holds, vanished_at, refused_at, operation };
}

export function newName(account_id: string, name: string, at: Instant): KnownName {
  const times = { place_since: at, missing_since: at, detail_at: null };
  const state = { holds: 0, vanished_at: null, refused_at: null, operation: null };
  const seen = { place: "absent", told: "{}", reason: null, lists: 0 } as const;
  return { id: Bun.randomUUIDv7(), account_id, name, ...seen, ...times, ...state };
}

export type Seen =
  | ({ place: "listed"; told: Told } & Pick<ListedName, "reason" | "detailAt">)
  | { place: "left" | "skipped"; reason: string };

/** Complete lists by which a name is known to be in an account. */
const CONFIRMING_LISTS = 2;

/** Puts a name where a complete list has it; undefined: nowhere. */
export function see(row: KnownName, seen: Seen | undefined, at: Instant): KnownName {
  const now = { ...row, place: seen?.place ?? ("absent" as const) };
  if (seen !== undefined) {
    now.reason = seen.reason;
    if (now.place !== row.place) now.place_since = at;
  }
  if (seen?.place !== "listed") {
    now.lists = 0;
    now.missing_since ??= at;
    return now;
  }
  const { status, statusRaw } = seen.told;
  // The word of a former status says nothing of another.
  const ofStatus = status === null ? {} : { statusRaw };
  now.told = JSON.stringify({ ...toldOf(row), ...onlyTold(seen.told), ...ofStatus });
  now.detail_at = seen.detailAt ?? row.detail_at;
  now.lists = isRegistered(seen.told) ? Math.min(row.lists + 1, CONFIRMING_LISTS) : 0;
  now.missing_since = null;
  return become(now, "listed", at);
}

/** A name counts as vanished when two complete lists at least this far apart lack it. */
const VANISHED_MS = 20 * HOUR_MS;

/** What becomes of a name that a list lacks, if that list is believed; null: it is forgotten (S33). */
export function lack(
  row: KnownName,
  { at, hasDomain, isElsewhere }: { at: Instant; hasDomain: boolean; isElsewhere: boolean },
): KnownName | null {
  const { place, missing_since: missing } = row;
  if (missing === null) return row;
  if (!hasDomain) return place === "absent" && stateOf(row) === "open" ? null : row;
  if (place === "left") return become(row, "gone", at);
  const isLong = Date.parse(at) - Date.parse(missing) >= VANISHED_MS;
  return isLong && !isElsewhere ? become(row, "gone", missing) : row;
}

/**
 * Whether an account lists a name as registered. While a list is doubted, a name that it lacks counts as
 * listed.
 */
export function isListing(row: KnownName, account: AccountRow | undefined): boolean {
  const since = account?.shrunk_since ?? null;
  const isDoubted = row.place === "absent" && since !== null && (row.missing_since ?? "") >= since;
  return (row.place === "listed" || isDoubted) && isRegistered(toldOf(row));
}

/**
 * The account that has a domain (S19), of all that know its name, `mine` the one whose list came: one that
 * lists it as registered; of two, the first, until the other has listed it twice and the registry names its
 * registrar. `isClaimed`: the register has it under the label of an account that has not been read yet;
 * `registrar`: by the registry.
 */
export function findHolder(
  mine: KnownName,
  others: readonly KnownName[],
  accounts: ReadonlyMap<string, AccountRow>,
  { isClaimed, registrar }: { isClaimed: boolean; registrar: string | null },
): KnownName | undefined {
  const listing = [mine, ...others].filter((row) => isListing(row, accounts.get(row.account_id)));
  const holder = [mine, ...others].find(({ holds }) => holds === 1);
  if (holder === undefined) return listing.includes(mine) && !isClaimed ? mine : undefined;
  const rivals = listing.filter((row) => row !== holder && row.place === "listed");
  if (!listing.includes(holder)) return rivals[0] ?? holder;
  const isSure = (row: KnownName) => {
    const at = registrarLabel(accounts.get(row.account_id) ?? { registrar: "" });
    const isLater = row.lists >= CONFIRMING_LISTS && row.place_since > holder.place_since;
    return isLater && (registrar === null || isSameRegistrar(registrar, at));
  };
  return rivals.find(isSure) ?? holder;
}

/** A list is asked about that lost more names than this, or this part of them, or all. */
const MAX_LOST_NAMES = 3;
const MAX_LOST_PART = 0.2;

/**
 * What an account is asked about a list, which is not believed then (S18): it lost too many names since the last
 * one that was believed. `known` are others of that one. New names do not make up for lost ones.
 */
export function judgeLoss(
  account: AccountRow,
  before: readonly KnownName[],
  known: readonly string[],
  { rows, at }: { rows: ReadonlyMap<string, KnownName>; at: Instant },
): Pick<AccountRow, keyof typeof NO_QUESTION> {
  const { shrunk_since: since } = account;
  const believed = new Set(known);
  for (const { name, missing_since: missing } of before) {
    if (missing === null || (since !== null && missing >= since)) believed.add(name);
  }
  const was = account.shrunk_was ?? believed.size;
  const gone = [...believed].filter((name) => rows.get(name)?.place !== "listed");
  const lost = gone.filter((name) => rows.get(name)?.place !== "left");
  const isEmpty = !rows.values().some(({ place }) => place === "listed");
  const isAsked =
    lost.length > 0 && (isEmpty || lost.length > Math.max(MAX_LOST_NAMES, was * MAX_LOST_PART));
  if (!isAsked) return NO_QUESTION;
  const now = Math.max(was - gone.length, 0);
  return { shrunk_was: was, shrunk_now: now, shrunk_since: since ?? at, shrunk_wait: null };
}

export function toldOf({ told }: Pick<KnownName, "told">): Told {
  // Older rows hold the instant of the expiry as well.
  const { expiresAt: _, ...known } = JSON.parse(told);
  return { ...NOTHING_TOLD, ...known };
}

/** A name whose registration or transfer is pending is not in the account yet. */
function isRegistered({ status }: Pick<Told, "status">): boolean {
  return status !== "pending" && status !== "transferring-in";
}
