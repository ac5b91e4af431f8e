import { formatSort, type SortKey } from "./domain-sort.ts";

/** What a sort key was in the last row of a page. */
export type SortValue = string | number | null;

/** The last row of a page: the values of its sort keys, and its id, which breaks every tie. */
export interface Cursor {
  values: readonly SortValue[];
  id: string;
}

/**
 * Characters that no cursor exceeds: all eight keys are three labels of 200 characters once folded,
 * of at most three bytes each, and a name of 253; four characters of base64 hold three bytes.
 */
export const MAX_CURSOR = 4000;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A cursor as callers see it: opaque, safe in a URL, good for one sort only. */
export function encodeCursor(sort: readonly SortKey[], cursor: Cursor): string {
  const json = JSON.stringify([formatSort(sort), cursor.values, cursor.id]);
  return Buffer.from(json).toString("base64url");
}

/** Reads a cursor back; null unless it was made for this very sort. */
export function decodeCursor(text: string, sort: readonly SortKey[]): Cursor | null {
  const parsed = parseJson(Buffer.from(text, "base64url").toString());
  if (!Array.isArray(parsed) || parsed.length !== 3) return null;
  const [madeFor, values, id]: unknown[] = parsed;
  if (madeFor !== formatSort(sort) || typeof id !== "string" || !ID.test(id)) return null;
  if (!Array.isArray(values) || values.length !== sort.length) return null;
  const checked: SortValue[] = [];
  for (const [index, key] of sort.entries()) {
    const value: unknown = values[index];
    if (!isValueOf(key, value)) return null;
    checked.push(value);
  }
  return { values: checked, id };
}

function isValueOf(key: SortKey, value: unknown): value is SortValue {
  if (value === null) return key.nullable;
  if (key.field === "autoRenew") return value === 0 || value === 1;
  // Postgres takes neither NUL nor half a surrogate pair; no value of ours has such.
  return typeof value === "string" && value.isWellFormed() && !/\p{Cc}/u.test(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
