import { DATE_ORDERS, ROW_FILTERS, type ImportDefaults } from "../../shared/import.ts";
import { parseCurrency } from "../../shared/money.ts";
import {
  boolean,
  exactObject,
  isRecord,
  list,
  expected,
  nullable,
  oneOf,
  optional,
  refuse,
} from "../../shared/parse.ts";
import { parseLabel, parseTags } from "../../shared/text.ts";
import { parseId } from "../domains/input.ts";
import { parsePageSize } from "../http/read-input.ts";

/** The fields can only be checked against the columns of the file. */
function parseMappingList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : refuse("type", expected("a list of fields", value));
}

const parseGivenDefaults = exactObject({
  registrar: optional(parseLabel()),
  registrarUnknown: optional(boolean),
  account: optional(parseLabel()),
  owner: optional(parseLabel()),
  tags: optional(parseTags),
  currency: optional(nullable(parseCurrency)),
});

/** A blank label or an empty list means that there is no default. */
function parseDefaults(value: unknown): ImportDefaults {
  const {
    registrar,
    registrarUnknown,
    account,
    owner,
    tags = [],
    currency,
  } = parseGivenDefaults(value);
  return {
    ...(registrar && { registrar }),
    ...(!registrar && registrarUnknown && { registrarUnknown }),
    ...(account && { account }),
    ...(owner && { owner }),
    ...(tags.length > 0 && { tags }),
    ...(currency && { currency }),
  };
}

const choices = {
  mapping: optional(parseMappingList),
  dateOrder: optional(oneOf(DATE_ORDERS)),
  defaults: optional(parseDefaults),
};

/** Parses the body of `POST /api/imports`. @throws {ParseError} */
export const parseNewImport = exactObject({ uploadId: parseId, ...choices });

/** Parses the body of `PATCH /api/imports/:id`. @throws {ParseError} */
export const parsePreviewChange = exactObject(choices);

/** Parses the parameters of `GET /api/imports/:id/rows`. @throws {ParseError} */
export const parseRowQuery = exactObject({
  class: optional(oneOf(ROW_FILTERS)),
  after: optional((value) =>
    typeof value === "string" && /^(?:\d{12}|missing-[a-z0-9.-]{1,253})$/.test(value)
      ? value
      : refuse("value", expected("the `next` of the page before", value)),
  ),
  limit: optional(parsePageSize),
});

/** Rows that one request can name; more are selected by their class. */
const MAX_ROW_IDS = 1000;

const parseRowIds = exactObject({
  ids: list(
    (id) =>
      typeof id === "string" && /^\d{12}$/.test(id)
        ? id
        : refuse("type", expected("the id of a row", id)),
    { max: MAX_ROW_IDS },
  ),
});

const parseRowClass = exactObject({
  class: oneOf(["new", "changed", "same", "partly", "skipped"]),
});

/** Parses the body of `PATCH /api/imports/:id/rows`. @throws {ParseError} */
export const parseRowChange = exactObject({
  skip: (value) =>
    isRecord(value) && Object.hasOwn(value, "ids") ? parseRowIds(value) : parseRowClass(value),
  skipped: boolean,
});

/** Parses the parameters of `DELETE /api/imports`. @throws {ParseError} */
export const parseDiscard = exactObject({ state: oneOf(["preview"]) });
