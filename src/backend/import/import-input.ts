import {
  DATE_ORDERS,
  parseColumnMeaning,
  ROW_FILTERS,
  type ImportDefaults,
} from "../../shared/import.ts";
import { parseCurrency } from "../../shared/money.ts";
import {
  boolean,
  described,
  exactObject,
  isRecord,
  list,
  expected,
  nullable,
  oneOf,
  optional,
  refuse,
  schemaOf,
  textLike,
} from "../../shared/parse.ts";
import { FIELD_NAMES, LABEL_FIELDS, recordOf } from "../../shared/fields.ts";
import { parseLabel, parseTags } from "../../shared/text.ts";
import { queryOf, parsePageSize, parseId } from "../http/read-input.ts";

/** The fields can only be checked against the columns of the file. */
const parseMappingList = described(
  (value): unknown[] =>
    Array.isArray(value) ? value : refuse("type", expected("a list of fields", value)),
  () => schemaOf(list(parseColumnMeaning)),
);

const parseGivenDefaults = exactObject({
  ...recordOf(LABEL_FIELDS, () => optional(parseLabel())),
  registrarUnknown: optional(boolean),
  keepRegistrar: optional(boolean),
  keepByHand: optional(list(oneOf(FIELD_NAMES))),
  bringBack: optional(boolean),
  tags: optional(parseTags),
  currency: optional(nullable(parseCurrency)),
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
  mapping: optional(parseMappingList),
  dateOrder: optional(oneOf(DATE_ORDERS)),
  defaults: optional(described(parseDefaults, () => schemaOf(parseGivenDefaults))),
};

export const parseNewImport = exactObject({ uploadId: parseId, ...choices });

export const parsePreviewChange = exactObject(choices);

export const parseRowQuery = queryOf({
  class: optional(oneOf(ROW_FILTERS)),
  after: optional(
    textLike(/^(?:\d{12}|missing-[a-z0-9.-]{1,253})$/, "value", "the `next` of the page before"),
  ),
  limit: optional(parsePageSize),
});

/** Rows that one request can name; more are selected by their class. */
const MAX_ROW_IDS = 1000;

const parseRowIds = exactObject({
  ids: list(textLike(/^\d{12}$/, "type", "the id of a row"), { max: MAX_ROW_IDS }),
});

const parseRowClass = exactObject({
  class: oneOf(["new", "changed", "same", "partly", "skipped"]),
});

export const parseRowChange = exactObject({
  skip: described(
    (value) =>
      isRecord(value) && Object.hasOwn(value, "ids") ? parseRowIds(value) : parseRowClass(value),
    () => ({ anyOf: [parseRowIds, parseRowClass].map(schemaOf) }),
  ),
  skipped: boolean,
});

export const parseDiscard = queryOf({ state: oneOf(["preview"]) });
