import { CHECK_KINDS, type CheckKind } from "../../shared/checks.ts";
import { parseDay, utcToday, type Day } from "../../shared/day.ts";
import { FIELD_NAMES, FIELDS, fieldsOf, type Field, type KindOf } from "../../shared/fields.ts";
import { parseFilter, type Filter } from "../../shared/filter.ts";
import {
  anything,
  described,
  exactObject,
  integer,
  isRecord,
  list,
  mapped,
  nullable,
  oneOf,
  optional,
  ParseError,
  record,
  schemaOf,
  textLike,
  type Parsed,
} from "../../shared/parse.ts";
import { foldLabel, parseLabel, parseTags } from "../../shared/text.ts";
import { KINDS, parseName } from "./field-kinds.ts";

/** Fields that requests set by name. */
type InputField = Exclude<Field, "handled">;
const INPUT_FIELDS = FIELD_NAMES.filter((field) => field !== "handled");

type InputShape<F extends InputField> = {
  [K in F]: ReturnType<typeof optional<Parsed<(typeof KINDS)[KindOf<K>]["input"]>>>;
};

function shapeOf<F extends InputField>(fields: readonly F[]): InputShape<F> {
  const shape = fields.map((field) => [field, optional<unknown>(KINDS[FIELDS[field].kind].input)]);
  // Every field has the parser of its kind.
  return Object.fromEntries(shape) as InputShape<F>;
}

/**
 * Checks the body of `PATCH /api/domains/:id`: an absent field stays as it is, a blank label is none.
 */
export const parseDomainChange = exactObject(shapeOf(INPUT_FIELDS));

/** A checked body: what it leaves out stays as it is. */
export type ParsedDomain = Parsed<typeof parseDomainChange>;

/** Checks the body of `POST /api/domains`, of which only `name` is required. */
export const parseNewDomain = exactObject({ ...shapeOf(INPUT_FIELDS), name: parseName });

/** Which domains: these, all of which have to exist, or all matches while there are so many. */
export type ParsedSelection =
  | { kind: "ids"; ids: readonly string[] }
  | { kind: "filter"; filter: Filter; today: Day; expectedCount: number };

/** What to do with each; what is absent stays as it is. `source` only where `by` is "source". */
export type BulkChange =
  | { kind: "delete" }
  | { kind: "done" }
  | { kind: "handle"; until: Day | null }
  | { kind: "check"; kinds: readonly CheckKind[] }
  | { kind: "settle"; by: (typeof SETTLED_BY)[number]; source: string | null }
  | { kind: "edit"; values: ParsedBulkEdit; addTags: string[]; removeTags: string[] };

type ParsedBulkEdit = Pick<ParsedDomain, (typeof BULK_FIELDS)[number]>;

export interface Bulk {
  selection: ParsedSelection;
  change: BulkChange;
}

/** Ids that one request can list; more domains are selected by a filter. */
const MAX_IDS = 20_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Fields that can be set for many domains at once. */
const BULK_FIELDS = fieldsOf(
  "label",
  "text",
  "choice",
  "flag",
  "day",
  "expiry",
  "price",
  "money",
  "notes",
);

/** Which of the days of a conflict is set by hand. */
const SETTLED_BY = ["later", "newest", "source"] as const;

/** An id, of whatever. */
export const parseId = textLike(UUID, "type", "an id");

const parseIds = list(parseId, { min: 1, max: MAX_IDS });
const parseIdSelection = exactObject({ ids: parseIds });
/** The filter as the list takes it in its address: the same words, checked by the same rules. */
const parseFilterObject = mapped(record(anything), (given): Filter => {
  const { filter, problems } = parseFilter(Object.entries(given));
  if (problems.length > 0) throw new ParseError(problems);
  return filter;
});

const parseFilterSelection = exactObject({
  filter: parseFilterObject,
  today: optional(parseDay),
  expectedCount: integer(0, Number.MAX_SAFE_INTEGER),
});

const parseSelection = described(
  (value): ParsedSelection => {
    if (isRecord(value) && Object.hasOwn(value, "filter")) {
      return { kind: "filter", today: utcToday(), ...parseFilterSelection(value) };
    }
    return { kind: "ids", ids: [...new Set(parseIdSelection(value).ids)] };
  },
  () => ({ anyOf: [parseIdSelection, parseFilterSelection].map(schemaOf) }),
);

const parseChangeObject = exactObject({
  kind: oneOf(["edit", "delete", "done", "handle", "settle", "check"]),
  by: optional(oneOf(SETTLED_BY)),
  source: optional(parseLabel()),
  kinds: optional(list(oneOf(CHECK_KINDS))),
  until: optional(nullable(parseDay)),
  ...shapeOf(BULK_FIELDS),
  addTags: optional(parseTags),
  removeTags: optional(parseTags),
});

const parseBulkObject = exactObject({
  select: parseSelection,
  op: mapped(parseChangeObject, toChange),
});

/** Checks the body of `POST /api/domains/bulk` by the rules of PATCH. */
export const parseBulk = mapped(parseBulkObject, ({ select: selection, op: change }): Bulk => ({
  selection,
  change,
}));

function toChange(given: Parsed<typeof parseChangeObject>): BulkChange {
  const { kind, by, source = null, kinds, until, addTags = [], removeTags = [], ...values } = given;
  const edits = Object.keys(values).length + addTags.length + removeTags.length;
  if (kind !== "edit" && edits > 0) {
    refuseMember("kind", "contradiction", "Fields are changed only by an edit");
  }
  if (kind !== "settle" && (by ?? source) !== null) {
    refuseMember("kind", "contradiction", "Only a conflict is settled by a day or a source");
  }
  if (kind !== "check" && kinds !== undefined) {
    refuseMember("kind", "contradiction", "Only a check has kinds");
  }
  if (kind !== "handle" && until !== undefined) {
    refuseMember("kind", "contradiction", "Only reminders are put off until a day");
  }
  if (kind === "handle") {
    if (until === undefined) refuseMember("until", "required", "Expected a day, or null");
    return { kind, until };
  }
  if (kind === "delete" || kind === "done") return { kind };
  if (kind === "check") return { kind, kinds: kinds ?? CHECK_KINDS };
  if (kind === "settle") {
    if (by === undefined) refuseMember("by", "required", "Expected later, newest or source");
    if ((by === "source") !== (source !== null)) {
      refuseMember("source", "required", "Expected the source, where it decides, and only there");
    }
    return { kind, by, source };
  }
  const removed = new Set(removeTags.map(foldLabel));
  if (addTags.some((tag) => removed.has(foldLabel(tag)))) {
    refuseMember("addTags", "contradiction", "A tag cannot be both added and removed");
  }
  if (edits === 0) refuseMember("kind", "required", "Expected something to change");
  return { kind, values, addTags, removeTags };
}

function refuseMember(name: string, code: string, detail: string): never {
  throw new ParseError([{ pointer: `/${name}`, code, detail }]);
}
