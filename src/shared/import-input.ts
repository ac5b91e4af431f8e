import { FIELD_NAMES, LABEL_FIELDS, recordOf } from "./fields.ts";
import { DATE_ORDERS, parseColumnMeaning, type ImportDefaults } from "./import.ts";
import { parseCurrency } from "./money.ts";
import * as p from "./parse.ts";
import { parseLabel, parseTags, UUID } from "./text.ts";

/** The fields can only be checked against the columns of the file. */
const parseMappingList = p.described(
  (value): unknown[] =>
    Array.isArray(value) ? value : p.refuse("type", p.expected("a list of fields", value)),
  () => p.schemaOf(p.list(parseColumnMeaning)),
);

const parseGivenDefaults = p.exactObject({
  ...recordOf(LABEL_FIELDS, () => p.optional(parseLabel())),
  registrarUnknown: p.optional(p.boolean),
  keepRegistrar: p.optional(p.boolean),
  keepByHand: p.optional(p.list(p.oneOf(FIELD_NAMES))),
  bringBack: p.optional(p.boolean),
  tags: p.optional(parseTags),
  currency: p.optional(p.nullable(parseCurrency)),
});

/** A blank label or an empty list means that there is no default. */
function parseDefaults(value: unknown): ImportDefaults {
  const given = parseGivenDefaults(value);
  const { registrar, registrarUnknown, keepRegistrar, keepByHand, bringBack } = given;
  const { tags = [], currency } = given;
  const labels = LABEL_FIELDS.filter((field) => given[field]);
  return {
    ...Object.fromEntries(labels.map((field) => [field, given[field]])),
    ...(!registrar && registrarUnknown && { registrarUnknown }),
    ...(keepRegistrar && { keepRegistrar }),
    ...(keepByHand && { keepByHand }),
    ...(bringBack && { bringBack }),
    ...(tags.length > 0 && { tags }),
    ...(currency && { currency }),
  };
}

const choices = {
  mapping: p.optional(parseMappingList),
  dateOrder: p.optional(p.oneOf(DATE_ORDERS)),
  defaults: p.optional(p.described(parseDefaults, () => p.schemaOf(parseGivenDefaults))),
};

/** `POST /api/imports`. `mapping` has one entry per column; `dateOrder` decides for all whose order is open. */
export const parseNewImport = p.exactObject({
  uploadId: p.textLike(UUID, "type", "an id"),
  ...choices,
});

/** `PATCH /api/imports/:id` */
export type ImportInput = p.Parsed<typeof parsePreviewChange>;

export const parsePreviewChange = p.exactObject(choices);

/** Rows that one request can name; more are selected by their class. */
const MAX_ROW_IDS = 1000;

const parseRowIds = p.exactObject({
  ids: p.list(p.textLike(/^\d{12}$/, "type", "the id of a row"), { max: MAX_ROW_IDS }),
});

const parseRowClass = p.exactObject({
  class: p.oneOf(["new", "changed", "same", "partly", "skipped"]),
});

/** `PATCH /api/imports/:id/rows`: leaves rows of a preview out, or takes them in again. Answers the import. */
export type RowChange = p.Parsed<typeof parseRowChange>;

export const parseRowChange = p.exactObject({
  skip: p.described(
    (value) =>
      p.isRecord(value) && Object.hasOwn(value, "ids") ? parseRowIds(value) : parseRowClass(value),
    () => ({ anyOf: [parseRowIds, parseRowClass].map(p.schemaOf) }),
  ),
  skipped: p.boolean,
});
