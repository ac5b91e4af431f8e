import type { Day } from "../../../shared/day.ts";
import type { Change, Domain, Expiry, Observation } from "../../../shared/domain.ts";
import type { ImportValues, RowClass } from "../../../shared/import.ts";
import { foldLabel, LIMITS } from "../../../shared/text.ts";
import { effectiveExpiry, MANUAL } from "../../domains/expiry.ts";
import { changedFields } from "../../domains/history.ts";
import type { FileRow } from "../reading/parse-row.ts";
import { blankDomain, mergeValues, TooManyTagsError, type Spellings } from "./merge-values.ts";

/** A domain as the register has it, and all observations of its expiry, oldest first. */
export interface KnownDomain {
  domain: Domain;
  observations: Observation[];
}

/** What one row of a file would do to the register. */
export interface PlannedRow extends Pick<FileRow, "line" | "name" | "values" | "repeats"> {
  class: Exclude<RowClass, "missing">;
  problems: { field: string | null; code: string; detail: string }[];
  /** The entry in the history; empty where nothing changes. */
  changes: Change["fields"];
  /** Null for duplicate and invalid rows, which change nothing. */
  target: Target | null;
}

/** What the domain of a row becomes. */
export interface Target {
  /** The version that the row was compared with; null: the domain is new. */
  baseVersion: number | null;
  after: Domain;
  observation: { source: string; day: Day } | null;
  /** Folded forms of the tags that it does not have yet. */
  addedTags: string[];
}

/** Stands for the time of the commit until that is known: later than every observation. */
export const AT_COMMIT = "9999-12-31T23:59:59.999Z";

/** The source of an expiry whose row names no registrar. */
const UNNAMED_SOURCE = "import";

const TOO_MANY_TAGS = "too-many-tags";

/** What the register holds about a row. */
export interface PlanContext {
  known: KnownDomain | null;
  spellings: Spellings;
  /** The file is our own export: a day that the register has already is no new observation. */
  own: boolean;
}

/** Compares one row with the register. */
export function planRow(row: FileRow, context: PlanContext): PlannedRow {
  const { line, name, values, repeats } = row;
  const problems = row.problems.filter(({ code }: { code: string }) => code !== TOO_MANY_TAGS);
  const planned = { line, name, values, repeats, problems, changes: [], target: null };
  if (name === null) return { ...planned, class: "invalid" };
  if (repeats !== null) return { ...planned, class: "duplicate" };

  const before = context.known?.domain ?? null;
  const base = before ?? blankDomain(Bun.randomUUIDv7(), name);
  const { merged, refused } = merge(base, values, context.spellings);
  const observation = observe(values, context);
  const after = { ...merged, expires: expiryWith(observation, context.known) };
  const changes = changedFields(before, after);
  if (before !== null && observation !== null && !changes.some(isExpiry)) {
    // Another source agrees, or a pin overrides this one: the effective expiry stays.
    const last = lastOf(context.known, observation.source);
    changes.push({ field: "observation", before: last?.date ?? null, after: observation.day });
  }
  return {
    ...planned,
    problems: [...problems, ...refused],
    class: before === null ? "new" : changes.length > 0 ? "changed" : "same",
    changes,
    target: {
      baseVersion: before?.version ?? null,
      after,
      observation,
      addedTags: added(base.tags, after.tags),
    },
  };
}

function merge(base: Domain, values: ImportValues, spellings: Spellings) {
  try {
    return { merged: mergeValues(base, values, spellings), refused: [] };
  } catch (error) {
    if (!(error instanceof TooManyTagsError)) throw error;
    const { tags: _, ...rest } = values;
    const detail = `The domain would have more than ${LIMITS.tags} tags, so none of these is added`;
    const refused = [{ field: "tags", code: TOO_MANY_TAGS, detail }];
    return { merged: mergeValues(base, rest, spellings), refused };
  }
}

/** What the registrar of the file reports, unless it reported the same last time. */
function observe(
  values: ImportValues,
  { known, spellings, own }: PlanContext,
): Target["observation"] {
  const { expires: day, registrar } = values;
  if (day === undefined || (own && known?.domain.expires?.date === day)) return null;
  const source = sourceOf(registrar, { known, spellings });
  return lastOf(known, source)?.date === day ? null : { source, day };
}

/** The registrar, as it was spelled in its last observation; never the source of a manual pin. */
function sourceOf(
  registrar: string | undefined,
  { known, spellings }: Pick<PlanContext, "known" | "spellings">,
): string {
  const key = foldLabel(registrar ?? UNNAMED_SOURCE);
  if (registrar === undefined || key === MANUAL) return UNNAMED_SOURCE;
  const before = known?.observations.findLast(({ source }) => foldLabel(source) === key)?.source;
  return before ?? spellings.registrars.get(key) ?? registrar;
}

function expiryWith(observation: Target["observation"], known: KnownDomain | null): Expiry | null {
  if (observation === null) return known?.domain.expires ?? null;
  const { source, day: date } = observation;
  return effectiveExpiry([...(known?.observations ?? []), { source, date, observedAt: AT_COMMIT }]);
}

function lastOf(known: KnownDomain | null, source: string) {
  return known?.observations.findLast((observation) => observation.source === source);
}

function added(before: readonly string[], after: readonly string[]): string[] {
  const keys = new Set(before.map(foldLabel));
  return after.map(foldLabel).filter((key) => !keys.has(key));
}

function isExpiry({ field }: { field: string }): boolean {
  return field === "expires";
}
