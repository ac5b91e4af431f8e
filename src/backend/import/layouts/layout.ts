import type { DateOrder } from "../values/dates.ts";
import type { Field } from "../columns/field.ts";

/**
 * One known export, as a table. Headers are spelled as in the file, in lower case; a column that is
 * not in `columns` is not read. Of repeated headers the first is meant.
 */
export interface Layout {
  id: string;
  /** What a name without a registrar of its own is registered with; null: the file says it. */
  registrar: string | null;
  /** Any of these sets of headers tells the layout. */
  signatures: readonly Signature[];
  columns: Readonly<Record<string, Field>>;
  /** Where the registrar always writes slashed dates in one order. */
  dateOrder?: DateOrder;
  /** What a bare `$` means to this registrar. */
  dollar?: string;
  /** Tags, formulas and line breaks are written as our own export writes them. */
  own?: true;
}

/** `all`: these headers and others. `exactly`: these and no other, because they are everybody's. */
export type Signature = { all: readonly string[] } | { exactly: readonly string[] };
