import type { Change, Day, Domain, Expiry } from "../../../shared/contract.ts";
import type { ImportValues, RowClass } from "../../../shared/import-contract.ts";
import { effectiveExpiry, MANUAL } from "../../domains/expiry.ts";
import { changedFields } from "../../domains/history.ts";
import { foldLabel } from "../../../shared/text.ts";
import type { ImportRow } from "../reading/import-row.ts";
import type { KnownDomain } from "./known-domains.ts";
import { blankDomain, mergeValues, TooManyTagsError, type Spellings } from "./merge-values.ts";

/** What one row of a file would do to the register. */
export interface PlannedRow extends Pick<ImportRow, "line" | "name" | "values" | "repeats"> {
  class: Exclude<RowClass, "missing">;
  problems: { field: string | null; code: string; detail: string }[];
  /** What the history will say; empty where nothing changes. */
  changes: Change["fields"];
  /** Null for rows that are nobody's: duplicate and invalid ones. */
  target: Target | null;
}

/** The domain of a row: the version that it was compared with (null: new), and what it becomes. */
export interface Target {
  baseVersion: number | null;
  after: Domain;
  observation: { source: string; day: Day } | null;
  /** Folded forms of the tags that it does not have yet. */
  addedTags: string[];
}

/** Stands for the time of the commit, which nobody knows yet: later than all that was observed. */
export const AT_COMMIT = "9999-12-31T23:59:59.999Z";

/** What a file is called that names no registrar. */
const NAMELESS = "import";

const TOO_MANY_TAGS = "too-many-tags";

/** What the planning of a row needs to know of the register. */
export interface PlanContext {
  known: KnownDomain | null;
  spellings: Spellings;
  /** The file is our own export: no source of its own for a day that the register has already. */
  own: boolean;
}

/** Compares one row with the register. */
export function planRow(row: ImportRow, context: PlanContext): PlannedRow {
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
    // Another source agrees, or a pin hides what it says: nothing that the expiry shows.
    const said = context.known?.observations.findLast(
      ({ source }) => source === observation.source,
    );
    changes.push({ field: "observation", before: said?.date ?? null, after: observation.day });
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
    const detail = "The name would have more than 50 tags: none of these is added";
    const refused = [{ field: "tags", code: TOO_MANY_TAGS, detail }];
    return { merged: mergeValues(base, rest, spellings), refused };
  }
}

/** What the file's registrar says now, unless that is what it said last. */
function observe(
  values: ImportValues,
  { known, spellings, own }: PlanContext,
): Target["observation"] {
  const { expires: day, registrar } = values;
  if (day === undefined || (own && known?.domain.expires?.date === day)) return null;
  const source = sourceOf(registrar, { known, spellings });
  const said = known?.observations.findLast((observation) => observation.source === source);
  return said?.date === day ? null : { source, day };
}

/** The registrar, as it was spelt when it last said something; never the name of a manual pin. */
function sourceOf(
  registrar: string | undefined,
  { known, spellings }: Pick<PlanContext, "known" | "spellings">,
): string {
  const key = foldLabel(registrar ?? NAMELESS);
  if (registrar === undefined || key === MANUAL) return NAMELESS;
  const before = known?.observations.findLast(({ source }) => foldLabel(source) === key)?.source;
  return before ?? spellings.registrars.get(key) ?? registrar;
}

function expiryWith(observation: Target["observation"], known: KnownDomain | null): Expiry | null {
  if (observation === null) return known?.domain.expires ?? null;
  const { source, day: date } = observation;
  const said = [...(known?.observations ?? []), { source, date, observedAt: AT_COMMIT }];
  return effectiveExpiry(said);
}

function added(before: readonly string[], after: readonly string[]): string[] {
  const keys = new Set(before.map(foldLabel));
  return after.map(foldLabel).filter((key) => !keys.has(key));
}

function isExpiry({ field }: { field: string }): boolean {
  return field === "expires";
}
