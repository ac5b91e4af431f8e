import type { FieldProblem } from "../../shared/contract.ts";
import type { DateOrder, ImportDefaults } from "../../shared/import-contract.ts";
import { expected, Fields } from "../http/fields.ts";
import { LIMITS, readCurrency, readTags } from "../domains/domain-input.ts";

/** A checked `ImportInput`: what is absent was not sent. The mapping needs a file to be checked. */
export interface ImportRequest {
  uploadId?: string;
  mapping?: unknown;
  dateOrder?: DateOrder;
  defaults?: ImportDefaults;
}

const ORDERS = ["dmy", "mdy", "ymd"] as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Checks the body of POST (with an upload) or PATCH (without one), all fields at once. */
export function parseImportInput(
  json: unknown,
  { withUpload }: { withUpload: boolean },
): ImportRequest | FieldProblem[] {
  const known = ["mapping", "dateOrder", "defaults"];
  const fields = new Fields(json, withUpload ? ["uploadId", ...known] : known);
  const request: ImportRequest = {};
  if (withUpload) {
    const uploadId = fields.value("uploadId");
    if (typeof uploadId === "string" && UUID.test(uploadId)) request.uploadId = uploadId;
    else fields.refuse("uploadId", "type", expected("the id of an upload", uploadId));
  }
  if (fields.has("mapping")) {
    request.mapping = fields.value("mapping");
    if (!Array.isArray(request.mapping)) {
      fields.refuse("mapping", "type", expected("a list of fields", request.mapping));
    }
  }
  if (fields.has("dateOrder")) {
    const order = ORDERS.find((each) => each === fields.value("dateOrder"));
    if (order !== undefined) request.dateOrder = order;
    else {
      const detail = expected("dmy, mdy or ymd", fields.value("dateOrder"));
      fields.refuse("dateOrder", "choice", detail);
    }
  }
  if (fields.has("defaults")) request.defaults = readDefaults(fields);
  return fields.problems.length > 0 ? fields.problems : request;
}

function readDefaults(fields: Fields): ImportDefaults {
  const known = ["registrar", "account", "owner", "tags", "currency"];
  const inner = new Fields(fields.value("defaults"), known, "/defaults");
  const defaults: ImportDefaults = {};
  for (const name of ["registrar", "account", "owner"] as const) {
    const label = inner.has(name) ? inner.label(name, LIMITS.label) : null;
    if (label !== null) defaults[name] = label;
  }
  const tags = inner.has("tags") ? readTags(inner) : [];
  if (tags.length > 0) defaults.tags = tags;
  const currency = readCurrency(inner);
  if (currency !== null) defaults.currency = currency;
  for (const { pointer, code, detail } of inner.problems) {
    const at = pointer.startsWith("/tags/") ? `/defaults${pointer}` : pointer;
    fields.problems.push({ pointer: at, code, detail });
  }
  return defaults;
}
