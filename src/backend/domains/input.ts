import { parseDay, utcToday, type Day } from "../../shared/day.ts";
import { FIELD_NAMES, FIELDS, type Field, type KindOf } from "../../shared/fields.ts";
import { parseFilter, type Filter } from "../../shared/filter.ts";
import * as p from "../../shared/parse.ts";
import { parseId } from "../http/read-input.ts";
import { FIELD_KINDS, parseName } from "./field-kinds.ts";

type InputField = Exclude<Field, "handled">;
const INPUT_FIELDS = FIELD_NAMES.filter((field) => field !== "handled");

type InputShape<F extends InputField> = {
  [K in F]: ReturnType<typeof p.optional<p.Parsed<(typeof FIELD_KINDS)[KindOf<K>]["input"]>>>;
};

export function shapeOf<F extends InputField>(fields: readonly F[]): InputShape<F> {
  const shape = fields.map((field) => [
    field,
    p.optional<unknown>(FIELD_KINDS[FIELDS[field].kind].input),
  ]);
  // Every field has the parser of its kind.
  return Object.fromEntries(shape) as InputShape<F>;
}

/** `PATCH /api/domains/:id`: an absent field stays as it is, a blank label clears it. */
export const parseDomainChange = p.exactObject(shapeOf(INPUT_FIELDS));

export type ParsedDomain = p.Parsed<typeof parseDomainChange>;

/** The body of `POST /api/domains`: only `name` is required. */
export const parseNewDomain = p.exactObject({ ...shapeOf(INPUT_FIELDS), name: parseName });

/** These domains, or all that match, if they are as many as expected: of ids, all unless given. */
export type ParsedSelection = { expectedCount: number } & (
  { kind: "ids"; ids: readonly string[] } | { kind: "filter"; filter: Filter; today: Day }
);

/** Ids that one request can list; more domains are selected by a filter. */
const MAX_IDS = 20_000;
const parseIds = p.list(parseId, { min: 1, max: MAX_IDS });
const parseCount = p.integer(0, Number.MAX_SAFE_INTEGER);
const parseIdSelection = p.exactObject({ ids: parseIds, expectedCount: p.optional(parseCount) });
/** The filter as the list takes it in its address: the same words, checked by the same rules. */
const parseFilterObject = p.mapped(p.record(p.anything), (given): Filter => {
  const { filter, problems } = parseFilter(Object.entries(given));
  if (problems.length > 0) throw new p.ParseError(problems);
  return filter;
});

const parseFilterSelection = p.exactObject({
  filter: parseFilterObject,
  today: p.optional(parseDay),
  expectedCount: parseCount,
});

export const parseSelection = p.described(
  (value): ParsedSelection => {
    if (p.isRecord(value) && Object.hasOwn(value, "filter")) {
      return { kind: "filter", today: utcToday(), ...parseFilterSelection(value) };
    }
    const { ids: given, expectedCount } = parseIdSelection(value);
    const ids = [...new Set(given)];
    return { kind: "ids", ids, expectedCount: expectedCount ?? ids.length };
  },
  () => ({ anyOf: [parseIdSelection, parseFilterSelection].map(p.schemaOf) }),
);
