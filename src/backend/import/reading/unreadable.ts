import { RequestError } from "../../http/request-error.ts";

/** Why a whole file cannot be imported; stable, so that clients can tell the cases apart. */
type Reason =
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

/** The 422 for a file that cannot be imported. `detail` says what to do, and never quotes a cell. */
export function unreadable(code: Reason, detail: string): RequestError {
  return new RequestError(422, detail, { errors: [{ pointer: "/uploadId", code, detail }] });
}
