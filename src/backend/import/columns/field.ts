import type { ImportField } from "../../../shared/import-contract.ts";

/** What a column can mean: the fields of a domain that a file can say, or `ignore`. */
export const FIELDS = [
  "name",
  "expires",
  "autoRenew",
  "renewalPrice",
  "currency",
  "years",
  "registrar",
  "account",
  "owner",
  "tags",
  "decision",
  "notes",
] as const satisfies readonly ImportField[];

export type Field = ImportField;

/**
 * One entry per column, by position, so that repeated and missing headers need no names. Plain
 * JSON: what an analysis proposes goes back as it is, or corrected by a person.
 */
export type Mapping = (Field | "ignore")[];
