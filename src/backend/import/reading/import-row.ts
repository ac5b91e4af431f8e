import type { ImportValues } from "../../../shared/import-contract.ts";
import type { DomainName } from "../../domains/domain-name.ts";
import type { Field } from "../columns/field.ts";

/** Why something of a row could not be read; it is then unknown. `detail` is for a person. */
export interface RowProblem {
  field: Field | null;
  code:
    | "invalid-name"
    | "unreadable-date"
    | "unreadable-flag"
    | "unreadable-price"
    | "unreadable-text"
    | "stray-quote"
    | "unclosed-quote"
    | "too-few-cells"
    | "too-many-cells";
  detail: string;
}

/** One row of a file, normalised. */
export interface ImportRow {
  /** Where it starts in the file, counted from 1. */
  line: number;
  /** Null: the row has no valid name, and a problem says why; nothing of it can be imported. */
  name: DomainName | null;
  values: ImportValues;
  /** Fields that the file has a column for and this row leaves blank; they overwrite nothing. */
  blank: Field[];
  problems: RowProblem[];
  /** The line where the same name stood first; null: this is the first. */
  repeats: number | null;
}
