/** Why a whole file cannot be imported; stable, so that clients can tell the cases apart. */
type ImportErrorCode =
  | "empty-file"
  | "binary-file"
  | "workbook"
  | "json"
  | "html-page"
  | "record-too-long"
  | "too-many-rows"
  | "too-many-columns"
  | "no-names"
  | "preview-too-large";

/** The file cannot be imported. `message` tells a person what to do, and never quotes a cell. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
