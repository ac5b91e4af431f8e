import type { Day } from "../../../shared/day.ts";
import { MANUAL, UNKNOWN_VALUES } from "../../../shared/domain.ts";
import { fieldsOf } from "../../../shared/fields.ts";
import type {
  Change,
  Domain,
  Expiry,
  Money,
  Observation,
  Renewal,
} from "../../../shared/domain.ts";
import type { ImportValues, RowClass } from "../../../shared/import.ts";
import { currencyDigits } from "../../../shared/money.ts";
import { foldLabel, LIMITS, sortCustomFields } from "../../../shared/text.ts";
import type { DomainName } from "../../domains/domain-name.ts";
import { effectiveExpiry } from "../../domains/expiry.ts";
import { changedFields } from "../../domains/history.ts";
import type { FileRow } from "../reading/parse-row.ts";

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

/** The source of an expiry where neither the registrar nor the file has a name for it. */
const UNNAMED_SOURCE = "file";

/** Problems that only the comparison finds, each time anew. */
const TOO_MANY_TAGS = "too-many-tags";
const TOO_MANY_CUSTOM_FIELDS = "too-many-custom-fields";
const COMPARED: ReadonlySet<string> = new Set([TOO_MANY_TAGS, TOO_MANY_CUSTOM_FIELDS]);

/** What the register holds about a row. */
interface PlanContext {
  known: KnownDomain | null;
  /** How the register spells labels, by their folded form. */
  spellings: { registrars: ReadonlyMap<string, string>; tags: ReadonlyMap<string, string> };
  file: ImportedFile;
}

/** The file that rows are from. */
export interface ImportedFile {
  /** It is our own export: a day that the register has already is no new observation. */
  own: boolean;
  /** The source of days whose rows name no registrar. */
  fileName: string;
}

/** Compares one row with the register. */
export function planRow(row: FileRow, context: PlanContext): PlannedRow {
  const { line, name, values, repeats } = row;
  const problems: PlannedRow["problems"] = row.problems.filter(
    ({ code }: { code: string }) => !COMPARED.has(code),
  );
  const planned = { line, name, values, repeats, problems, changes: [], target: null };
  if (name === null) return { ...planned, class: "invalid" };
  if (repeats !== null) return { ...planned, class: "duplicate" };

  const before = context.known?.domain ?? null;
  const base = before ?? blankDomain(Bun.randomUUIDv7(), name);
  const after = mergeValues(base, values, context.spellings);
  if (after.tags.length > Math.max(LIMITS.tags, base.tags.length)) {
    const detail = `The domain would have more than ${LIMITS.tags} tags, so none of these is added`;
    planned.problems.push({ field: "tags", code: TOO_MANY_TAGS, detail });
    after.tags = base.tags;
  }
  if (Object.keys(after.custom).length > LIMITS.customFields) {
    const detail = `The domain would have more than ${LIMITS.customFields} custom fields, so none of these is added`;
    planned.problems.push({ field: "custom", code: TOO_MANY_CUSTOM_FIELDS, detail });
    after.custom = base.custom;
  }
  const observation = observe(values, context);
  after.expires = expiryWith(observation, context.known);
  const changes = changedFields(before, after);
  if (
    before !== null &&
    observation !== null &&
    !changes.some(({ field }) => field === "expires")
  ) {
    // Another source agrees, or a pin overrides this one: the effective expiry stays.
    const last = lastOf(context.known, observation.source);
    changes.push({ field: "observation", before: last?.date ?? null, after: observation.day });
  }
  return {
    ...planned,
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

/** A domain with nothing but a name. */
export function blankDomain(id: string, { name, unicode }: DomainName): Domain {
  return { ...UNKNOWN_VALUES, id, version: 1, name, unicode };
}

/**
 * A domain with the values of a row, but for its expiry, on which all sources decide. What the row
 * lacks stays; tags and custom fields are added, in the register's order; an amount without currency
 * or years keeps those that the domain has; the same nameservers in another order are no change.
 */
function mergeValues(
  domain: Domain,
  values: ImportValues,
  { registrars, tags }: PlanContext["spellings"],
): Domain {
  const merged = {
    ...domain,
    ...values,
    expires: domain.expires,
    registrar: mergeRegistrar(domain.registrar, values.registrar, registrars),
    tags: mergeTags(domain.tags, values.tags ?? [], tags),
    renewal: values.renewal ? mergeRenewal(domain.renewal, values.renewal) : domain.renewal,
    custom: values.custom ? mergeCustomFields(domain.custom, values.custom) : domain.custom,
  };
  for (const field of MONEY) {
    const read = values[field];
    if (read) merged[field] = mergeMoney(domain[field], read);
  }
  const isSame = new Set(domain.nameservers).symmetricDifference(new Set(merged.nameservers));
  if (isSame.size === 0) merged.nameservers = domain.nameservers;
  return merged;
}

const MONEY = fieldsOf("money");

/** Another spelling of the same registrar is no change. */
function mergeRegistrar(
  before: string | null,
  registrar: string | undefined,
  spellings: ReadonlyMap<string, string>,
): string | null {
  if (registrar === undefined) return before;
  const key = foldLabel(registrar);
  if (before !== null && foldLabel(before) === key) return before;
  return spellings.get(key) ?? registrar;
}

function mergeTags(
  before: string[],
  read: readonly string[],
  spellings: ReadonlyMap<string, string>,
): string[] {
  const tags = new Map(before.map((tag) => [foldLabel(tag), tag]));
  for (const tag of read) {
    const key = foldLabel(tag);
    if (!tags.has(key)) tags.set(key, spellings.get(key) ?? tag);
  }
  if (tags.size === before.length) return before;
  return [...tags].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
}

function mergeMoney(before: Money | null, read: Money): Money {
  // An amount without a currency was read in hundredths, which not every currency has.
  const fits = before !== null && currencyDigits(before.currency) === 2;
  return { minor: read.minor, currency: read.currency ?? (fits ? before.currency : null) };
}

function mergeRenewal(before: Renewal | null, read: Renewal): Renewal {
  return { ...mergeMoney(before, read), years: read.years ?? before?.years ?? null };
}

/** A name that differs in case only is that of the field which the domain has. */
function mergeCustomFields(before: Domain["custom"], read: Domain["custom"]): Domain["custom"] {
  const names = new Map(Object.keys(before).map((name) => [foldLabel(name), name]));
  const renamed = Object.entries(read).map(([name, text]): [string, string] => [
    names.get(foldLabel(name)) ?? name,
    text,
  ]);
  return sortCustomFields(new Map([...Object.entries(before), ...renamed]));
}

/** What the registrar of the file reports, unless it reported the same last time. */
function observe(values: ImportValues, context: PlanContext): Target["observation"] {
  const { expires: day, registrar } = values;
  const { known, file } = context;
  if (day === undefined || (file.own && known?.domain.expires?.date === day)) return null;
  const source = sourceOf(registrar, context);
  return lastOf(known, source)?.date === day ? null : { source, day };
}

/**
 * The registrar, else the name of the file, as it was spelled in its last observation; never the
 * source of a manual pin.
 */
function sourceOf(registrar: string | undefined, { known, spellings, file }: PlanContext): string {
  const isUsable = (name = "") => name !== "" && foldLabel(name) !== MANUAL;
  const name = [registrar, file.fileName].find(isUsable) ?? UNNAMED_SOURCE;
  const key = foldLabel(name);
  const before = known?.observations.findLast(({ source }) => foldLabel(source) === key)?.source;
  return before ?? spellings.registrars.get(key) ?? name;
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
