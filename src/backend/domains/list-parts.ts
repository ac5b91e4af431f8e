import type { SQL } from "bun";
import type { Cursor } from "./domain-cursor.ts";
import type { DomainFilter } from "./domain-filter.ts";
import type { DomainQuery } from "./domain-query.ts";
import type { SortKey } from "./domain-sort.ts";

/**
 * Rows whose first sort key is known, or has this value, come before those where it is not. Asked for
 * one after the other, each in the plain order of an index, which "nulls last" in one statement could
 * not use; nor could a key that descends before one that ascends. What is sorted without an index is
 * one part.
 */
export type Part = "all" | "known" | "unknown" | { value: string | number };

/**
 * The parts of a list that an index sorts, in their order, from that on which the cursor is in. What
 * the filter leaves nothing of is left out.
 */
export function listParts({ sort: [first], filter, after }: DomainQuery): Part[] {
  if (first?.nullable !== true) return ["known"];
  const values = (first.values ?? []).map((value) => ({ value }));
  if (first.descending) values.reverse();
  const known: Part[] = values.length === 0 ? ["known"] : values;
  const start = after === null ? 0 : known.findIndex((part) => isWithin(part, after));
  // No value of a cursor is unknown here but null, unless somebody made it up.
  const rest =
    start >= 0 ? known.slice(start) : after?.values[0] === null ? [] : ["known" as const];
  return [...rest, "unknown" as const].filter((part) => mayMatch(part, first, filter));
}

/** Whether the last row of a page was in a part: otherwise that one is read from its start. */
export function isWithin(part: Part, { values: [value = null] }: Cursor): boolean {
  if (typeof part === "object") return part.value === value;
  if (part === "all") return true;
  return (part === "unknown") === (value === null);
}

/** A part as a condition on the first key, with an `and` before it. */
export function partCondition(sql: SQL, part: Part, { column, nullable }: SortKey) {
  if (part === "all" || !nullable) return sql``;
  if (typeof part === "object") return sql`and ${sql(column)} = ${part.value}`;
  return part === "known" ? sql`and ${sql(column)} is not null` : sql`and ${sql(column)} is null`;
}

function mayMatch(part: Part, { field }: SortKey, filter: DomainFilter): boolean {
  const value = typeof part === "object" ? part.value : part;
  if (field === "decision") return mayDecide(value, filter.decision);
  if (field === "autoRenew") return mayRenew(value, filter.autoRenew);
  if (field === "expires") return mayExpire(value, filter);
  if (field === "name" || field === "tld" || value !== "unknown") return true;
  return filter[field] === null;
}

function mayDecide(value: string | number, decision: DomainFilter["decision"]): boolean {
  if (decision === null || value === "known") return decision !== "none";
  if (decision === "not-drop") return value !== "drop";
  return value === (decision === "none" ? "unknown" : decision);
}

function mayRenew(value: string | number, autoRenew: DomainFilter["autoRenew"]): boolean {
  if (autoRenew === null || value === "known") return autoRenew !== "unknown";
  if (autoRenew === "not-on") return value !== 1;
  return value === { true: 1, false: 0, unknown: "unknown" }[autoRenew];
}

function mayExpire(
  value: string | number,
  { expiry, expiresFrom, expiresBefore }: DomainFilter,
): boolean {
  if (value !== "unknown") return expiry !== "unknown";
  return (
    (expiry === null || expiry === "unknown") && expiresFrom === null && expiresBefore === null
  );
}
