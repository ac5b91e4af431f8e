import type { SQL } from "bun";
import type { Day } from "../../shared/day.ts";
import type { Change } from "../../shared/changes.ts";
import type { Domain } from "../../shared/domain.ts";
import type { Observation } from "../../shared/domain-detail.ts";
import { type Field, isField } from "../../shared/fields.ts";
import type { ImportRow, ImportValues, RowClass } from "../../shared/import.ts";
import { memoize } from "../../shared/memoize.ts";
import { parseSource } from "../../shared/source.ts";
import { foldLabel, LIMITS } from "../../shared/text.ts";
import { findKnownRegistrar, isSameRegistrar } from "../domains/known-registrars.ts";
import type { DomainName } from "../domains/domain-name.ts";
import { effectiveExpiry, latestObservations, readObservations } from "../domains/expiry/expiry.ts";
import { changedFields, hasValue, readSetByHand } from "../domains/write/history.ts";
import { byOwnWords, listPeopleNames } from "../domains/people.ts";
import { readFields } from "../domains/list/read-domains.ts";
import { readSpellings } from "../domains/labels.ts";
import { blankDomain, newLabels } from "../domains/write/write-domains.ts";
import { mergeValues, type Spellings } from "./merge-values.ts";

interface KnownDomain {
  /** Null: the register does not have it. */
  before: Domain | null;
  observations: readonly Observation[];
  /** What people set by hand last. */
  setByHand: Change["fields"];
}

const UNKNOWN: KnownDomain = { before: null, observations: [], setByHand: [] };

export interface RowSource {
  /** It is our own export: a day that the register has already is no new observation. */
  own: boolean;
  /** The source of days whose rows name no registrar. */
  name: string;
  /** The source of all days, if that is an account: it alone decides for a domain that it has. */
  account?: string;
  /** Domains of the register stay at the registrar that they have there. */
  keepRegistrar?: boolean | undefined;
  /** The fields in which values that people set by hand stay; without it none does. */
  keepByHand?: readonly Field[] | undefined;
  /** Archived domains that it lists come back. */
  bringBack?: boolean | undefined;
}

/** `repeats` is the first line with the same name; null: this is the first. */
export interface SourceRow extends Pick<ImportRow, "values" | "problems" | "repeats"> {
  line: number;
  /** Null: the row has no valid name, and a problem tells why; nothing of it can be merged. */
  name: DomainName | null;
}

export interface PlannedRow extends SourceRow {
  class: Exclude<RowClass, "missing">;
  /** The entry in the history; empty where nothing changes. */
  changes: Change["fields"];
  /** Null for duplicate and invalid rows, which change nothing. */
  target: Target | null;
}

export interface Target {
  /** What the row was compared with; null: the domain is new. */
  before: Domain | null;
  reportCount: number;
  after: Domain;
  /** What the source reports, and what it makes others withdraw. */
  reports: { source: string; date: Day | null }[];
  /** The tags that it does not have yet, as pairs of folded form and spelling. */
  addedTags: [key: string, tag: string][];
  /** The registrar of the register and the other one of the source, also where the first is kept. */
  move: { from: string; to: string } | null;
  /** The fields in which the row has another value than a person set by hand, or no archive; kept or not. */
  byHand: Field[];
  /** Sources disagree on its expiry from now on. */
  hasSecondDate: boolean;
}

/** Stands for the time of the commit until that is known: later than every observation. */
export const AT_COMMIT = "9999-12-31T23:59:59.999Z";

/** The source of an expiry where neither the registrar nor its source has a name for it. */
const UNNAMED_SOURCE = "file";

/** Problems that only the comparison finds, each time again. */
const COMPARED = new Set(["too-many-tags", "too-many-custom-fields", "unknown-person"]);

interface PlanContext extends KnownDomain {
  spellings: Spellings;
  source: RowSource;
}

export function planRow(row: SourceRow, context: PlanContext): PlannedRow {
  const { line, name, repeats } = row;
  const { before, observations, spellings, source } = context;
  const values = spellRegistrar(row.values, context);
  const problems = row.problems.filter(({ code }) => !COMPARED.has(code));
  const planned = { line, name, values, repeats, problems, changes: [], target: null };
  if (name === null) return { ...planned, class: "invalid" };
  if (repeats !== null) return { ...planned, class: "duplicate" };

  const base = before ?? blankDomain(Bun.randomUUIDv7(), name);
  const after = mergeValues(base, values, spellings);
  after.person = personOf(values, base, context);
  const called = foldLabel(values.person ?? after.person?.name ?? "");
  if (called !== foldLabel(after.person?.name ?? "") && !spellings.people.has(called)) {
    const detail = "This is not the name or e-mail address of exactly one person who can sign in";
    planned.problems.push({ field: "person", code: "unknown-person", detail });
  }
  const from = base.registrar;
  const to = after.registrar ?? "";
  const move = from !== null && foldLabel(from) !== foldLabel(to) ? { from, to } : null;
  if (source.keepRegistrar && move !== null) after.registrar = from;
  if (after.tags.length > Math.max(LIMITS.tags, base.tags.length)) {
    const detail = `The domain would have more than ${LIMITS.tags} tags, so none of these is added`;
    planned.problems.push({ field: "tags", code: "too-many-tags", detail });
    after.tags = base.tags;
  }
  if (Object.keys(after.custom).length > LIMITS.customFields) {
    const detail = `The domain would have more than ${LIMITS.customFields} custom fields, so none of these is added`;
    planned.problems.push({ field: "custom", code: "too-many-custom-fields", detail });
    after.custom = base.custom;
  }
  const reports = reportsOf(values, context);
  if (reports.length > 0) {
    const come = reports.map((report) => ({ ...report, observedAt: AT_COMMIT }));
    after.expires = effectiveExpiry([...observations, ...come]);
  }
  const byHand = replacedByHand(after, context);
  const keep = <F extends Field>(field: F) => (after[field] = base[field]);
  byHand.filter((field) => source.keepByHand?.includes(field)).forEach(keep);
  // A list of names knows nothing of the archive.
  if (base.archivedOn !== null && after.archivedOn === null) {
    byHand.push("archivedOn");
    if (!source.bringBack) after.archivedOn = base.archivedOn;
  }
  const changes = changedFields(before, after);
  const [report] = reports;
  if (before !== null && report && !changes.some(({ field }) => field === "expires")) {
    // Another source agrees, or a pin overrides this one: the effective expiry stays.
    const last = lastOf(observations, report.source)?.date ?? null;
    if (last !== report.date) {
      changes.push({ field: "observation", before: last, after: report.date });
    }
  }
  return {
    ...planned,
    class: before === null ? "new" : changes.length > 0 ? "changed" : "same",
    changes,
    target: {
      before,
      reportCount: observations.length,
      after,
      reports,
      addedTags: newLabels(after.tags, base.tags).map((tag) => [foldLabel(tag), tag]),
      move,
      byHand,
      hasSecondDate:
        before !== null && after.expires?.conflict === true && before.expires?.conflict !== true,
    },
  };
}

/** Fields with rules of their own: a source of a day, `keepRegistrar`, tags that are only added, the archive. */
const RULED: ReadonlySet<Field> = new Set(["expires", "registrar", "tags", "archivedOn"]);

function replacedByHand(after: Domain, { before, setByHand }: KnownDomain): Field[] {
  if (before === null || setByHand.length === 0) return [];
  return changedFields(before, after).flatMap(({ field, before: was }) => {
    const last = setByHand.find((each) => each.field === field);
    const isSet = was !== null && was !== "" && last && hasValue(before, last, "after");
    return isSet && isField(field) && !RULED.has(field) ? field : [];
  });
}

/** Spells the registrar of a row as the register does: `gandi.net` and “Gandi SAS” are “Gandi”. */
function spellRegistrar(
  values: ImportValues,
  { before, source, spellings }: PlanContext,
): ImportValues {
  const { registrar } = values;
  const known = before?.registrar ?? null;
  if (registrar === undefined || source.own || spellings.registrars.has(foldLabel(registrar))) {
    return values;
  }
  const name = nameOfKnown(registrar);
  if (name === null) return values;
  if (known !== null && nameOfKnown(known) === name) return { ...values, registrar: known };
  return registrar.includes(".") ? { ...values, registrar: name } : values;
}

const nameOfKnown = memoize((label) => findKnownRegistrar(label)?.name ?? null);

/**
 * Whom a row calls by a name or e-mail address that only one person has, else whose the domain is. Without
 * a person, a row calls its owner, unless it is of our own export or the domain has another for that owner.
 */
function personOf(
  { person, owner = "" }: ImportValues,
  before: Domain,
  { source, spellings }: PlanContext,
): Domain["person"] {
  const isChosen = before.person !== null && foldLabel(before.owner ?? "") === foldLabel(owner);
  const called = person ?? (isChosen || source.own ? "" : owner);
  return (called && spellings.people.get(foldLabel(called))) || before.person;
}

/** What the source of a row reports of the expiry from now on. */
function reportsOf(values: ImportValues, context: PlanContext): Target["reports"] {
  const { expires: date, registrar } = values;
  const { before, observations, source: from } = context;
  const reports = withdrawOthers(observations, from, date);
  if (date === undefined || (from.own && before?.expires?.date === date)) return reports;
  const source = sourceOf(registrar, context);
  const last = lastOf(observations, source);
  // An account that still says so after the registry reported a day or status is heard again: whether a
  // renewal has been paid for depends on which came later.
  const isSame =
    last?.date === date && !(from.account !== undefined && hasRegistrySpoken(observations, last));
  return isSame ? reports : [{ source, date }, ...reports];
}

/** The report of an account that a domain has left, or an older export, would disagree forever. */
function withdrawOthers(
  observations: readonly Observation[],
  { account, name: registrar }: RowSource,
  told: Day | undefined,
): Target["reports"] {
  if (account === undefined) return [];
  return latestObservations(observations).flatMap(({ source, date }) => {
    const { kind } = parseSource(source);
    const isLeft = kind === "account" && source !== account;
    const isExport = kind === "named" && isSameRegistrar(source, registrar);
    const isWithdrawn = isLeft || (isExport && told !== undefined && told !== date);
    return date !== null && isWithdrawn ? { source, date: null } : [];
  });
}

function hasRegistrySpoken(observations: readonly Observation[], last: Observation): boolean {
  const later = observations.filter(({ observedAt }) => observedAt > last.observedAt);
  return later.some(({ source }) => parseSource(source).kind === "registry");
}

/** The registrar, else the source, as last spelled; never a person's, registry's or account's name. */
function sourceOf(
  registrar: string | undefined,
  { observations, spellings, source }: PlanContext,
): string {
  if (source.account !== undefined) return source.account;
  const isUsable = (name = "") => name !== "" && parseSource(foldLabel(name)).kind === "named";
  const name = [registrar, source.name].find(isUsable) ?? UNNAMED_SOURCE;
  const key = foldLabel(name);
  const before = observations.findLast((each) => foldLabel(each.source) === key)?.source;
  return before ?? spellings.registrars.get(key) ?? name;
}

function lastOf(observations: readonly Observation[], source: string) {
  return observations.findLast((observation) => observation.source === source);
}

export async function planRows(
  sql: SQL,
  rows: readonly SourceRow[],
  source: RowSource,
): Promise<PlannedRow[]> {
  const first = rows.filter(({ name, repeats }) => name !== null && repeats === null);
  const names = first.flatMap(({ name }) => name?.name ?? []);
  const registrarNames = first.flatMap(({ values }) => values.registrar ?? []);
  const tagNames = first.flatMap(({ values }) => values.tags ?? []);
  // All at once: a remote database gets the next question while it answers the last.
  const hasPeople = first.some(({ values }) => values.owner ?? values.person);
  const [known, registrars, tags, people] = await Promise.all([
    readKnownDomains(sql, names, source),
    readSpellings(sql, "registrars", keysOf(registrarNames)),
    readSpellings(sql, "tags", keysOf(tagNames)),
    hasPeople ? listPeopleNames(sql) : [],
  ]);
  const spellings = { registrars, tags, people: byOwnWords(people) };
  return rows.map((row) =>
    planRow(row, { ...(known.get(row.name?.name ?? "") ?? UNKNOWN), spellings, source }),
  );
}

async function readKnownDomains(
  sql: SQL,
  names: readonly string[],
  { keepByHand }: RowSource,
): Promise<Map<string, KnownDomain>> {
  const domains = await readFields(sql, "name", names);
  const ids = domains.map(({ id }) => id);
  const observations = await readObservations(sql, ids);
  const setByHand = keepByHand ? await readSetByHand(sql, ids) : new Map();
  const known = domains.map((before) => ({
    before,
    observations: observations.get(before.id) ?? [],
    setByHand: setByHand.get(before.id) ?? [],
  }));
  return new Map(known.map((each) => [each.before.name, each]));
}

/** Folding takes time, and most labels recur. */
function keysOf(labels: readonly string[]): string[] {
  return [...new Set([...new Set(labels)].map(foldLabel))];
}
