/** What makes a whole file unreadable; stable, so that clients can tell the cases apart. */
export type ImportErrorCode =
  | "empty-file"
  | "binary-file"
  | "workbook"
  | "html-page"
  | "record-too-long"
  | "too-many-rows"
  | "too-many-columns"
  | "no-names";

/**
 * The file cannot be imported at all. `message` is a sentence for a person that says what was
 * expected and what came, and never quotes a cell.
 */
export class ImportError extends Error {
  override readonly name = "ImportError";
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
