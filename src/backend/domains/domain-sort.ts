import { DECISIONS } from "./domain-input.ts";

/** One key of a sort. Unknown values come last in either direction. */
export interface SortKey {
  field: SortField;
  column: string;
  nullable: boolean;
  descending: boolean;
  /** All values that are known, ascending, where these are few. */
  values?: readonly (string | number)[];
}

const COLUMNS = {
  name: { column: "name", nullable: false },
  tld: { column: "tld", nullable: false },
  registrar: { column: "registrar_key", nullable: true },
  account: { column: "account_key", nullable: true },
  owner: { column: "owner_key", nullable: true },
  decision: { column: "decision", nullable: true, values: DECISIONS.toSorted() },
  autoRenew: { column: "auto_renew", nullable: true, values: [0, 1] },
  expires: { column: "expires_on", nullable: true },
} as const;

export type SortField = keyof typeof COLUMNS;

export const SORT_FIELDS = [
  "name",
  "expires",
  "tld",
  "registrar",
  "account",
  "owner",
  "decision",
  "autoRenew",
] as const;

/** Reads `expires,-name`: each field once, `-` before it to descend. Null for anything else. */
export function parseSort(text: string): readonly SortKey[] | null {
  const keys: SortKey[] = [];
  for (const part of text.split(",")) {
    const descending = part.startsWith("-");
    const field = SORT_FIELDS.find((each) => each === part.slice(descending ? 1 : 0));
    if (field === undefined || keys.some((key) => key.field === field)) return null;
    keys.push({ field, ...COLUMNS[field], descending });
  }
  return keys;
}

/** The sort as its parameter says it: what a cursor is tied to. */
export function formatSort(sort: readonly SortKey[]): string {
  return sort.map(({ field, descending }) => (descending ? `-${field}` : field)).join(",");
}
