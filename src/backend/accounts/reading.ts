import type { AccountName, Outcome } from "../../shared/accounts.ts";
import type { Instant } from "../../shared/day.ts";

/** What reading one account at its registrar gives: between those who read and those who merge. */

/** What an account tells of a name; null is not told, and overwrites nothing. */
export type Told = Omit<AccountName, "name" | "unicode" | "since" | "reason">;

/** In the smallest unit of its currency. */
export type Price = NonNullable<Told["price"]>;

export const NOTHING_TOLD: Told = {
  expires: null,
  autoRenew: null,
  locked: null,
  privacy: null,
  nameservers: null,
  price: null,
  status: null,
  statusRaw: null,
};

/** The members that are told. */
export function onlyTold<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> };
export function onlyTold(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

export interface ListedName extends Told {
  /** Lower-case A-label. */
  name: string;
  /** What of this name could not be read. */
  reason: string | null;
  /** When its details were asked for, where this reading did. */
  detailAt: Instant | null;
}

/** `names` are complete only with `ok`. */
export interface Reading {
  outcome: Outcome;
  /** For people: the registrar's words, cut to 200 characters, without our secrets. */
  detail: string;
  retryAfterMs: number | null;
  names: ListedName[];
  /** Names that are only hosted there. */
  skipped: { name: string; reason: string }[];
  /** Names that the account says went away. */
  left: { name: string; reason: string }[];
}

export type KnownDetails = ReadonlyMap<string, Pick<ListedName, "expires" | "detailAt">>;

export interface ReadOptions {
  signal: AbortSignal;
  now: () => Date;
  /** Called between requests. @throws The reason of the signal, which is aborted once the lease is lost. */
  keepLease: () => Promise<void>;
  /** What is known of names, for details that are read name by name, a few each day. */
  readKnown: () => Promise<KnownDetails>;
  /** Only try the credentials: the first page is read, and is never the whole list. */
  probe?: boolean;
}

/** Reads a whole account, and writes nothing. Rejects only with what its options or the signal threw. */
export type ReadAccount = (
  registrar: string,
  fields: Readonly<Record<string, string>>,
  options: ReadOptions,
) => Promise<Reading>;
