import { DATE_ORDERS, ROW_CLASSES } from "../../shared/import.ts";
import {
  exactObject,
  expected,
  nullable,
  oneOf,
  optional,
  refuse,
  type Parsed,
} from "../../shared/parse.ts";
import { parseLabel, parseTags } from "../../shared/text.ts";
import { parseCurrency } from "../domains/input.ts";
import { parsePageSize } from "../http/read-input.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Values for every row that names none; blank ones are none. */
const parseDefaults = exactObject({
  registrar: optional(parseLabel()),
  account: optional(parseLabel()),
  owner: optional(parseLabel()),
  tags: optional(parseTags),
  currency: optional(nullable(parseCurrency)),
});

/** Defaults as they came. */
export type GivenDefaults = Parsed<typeof parseDefaults>;

/** The mapping can only be checked against its file. */
function parseMappingList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : refuse("type", expected("a list of fields", value));
}

function parseUploadId(value: unknown): string {
  if (typeof value === "string" && UUID.test(value)) return value;
  return refuse("type", expected("the id of an upload", value));
}

const choices = {
  mapping: optional(parseMappingList),
  dateOrder: optional(oneOf(DATE_ORDERS)),
  defaults: optional(parseDefaults),
};

/** Checks the body of `PATCH /api/imports/:id`. */
export const parseImportChange = exactObject(choices);

/** Checks the body of `POST /api/imports`. */
export const parseNewImport = exactObject({ ...choices, uploadId: parseUploadId });

/** Checks the parameters of `GET /api/imports/:id/rows`. */
export const parseRowQuery = exactObject({
  class: optional(oneOf(ROW_CLASSES)),
  after: optional((value) =>
    typeof value === "string" && /^(?:\d{12}|missing-[a-z0-9.-]{1,253})$/.test(value)
      ? value
      : refuse("value", expected("the `next` of the page before", value)),
  ),
  limit: optional(parsePageSize),
});
