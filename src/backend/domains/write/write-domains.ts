import type { SQL } from "bun";
import type { Day, Instant } from "../../../shared/day.ts";
import { type Change } from "../../../shared/changes.ts";
import { UNKNOWN_VALUES, type Domain, type Handled } from "../../../shared/domain.ts";
import { foldLabel } from "../../../shared/text.ts";
import { dueDay } from "../../../shared/work.ts";
import { insertRows, updateRows } from "../../database/bulk-rows.ts";
import { columnsOf, toColumns } from "../columns.ts";
import type { DomainName } from "../domain-name.ts";
import {
  addObservations,
  effectiveExpiry,
  readObservations,
  reportByHand,
  sortReports,
  type EffectiveExpiry,
  type ExpiryReport,
  type StoredReport,
} from "../expiry/expiry.ts";
import {
  addChanges,
  changedFields,
  changeIdAt,
  historyName,
  type Author,
  type Maker,
} from "./history.ts";
import { ensureLabels } from "../labels.ts";
import { searchWords } from "../list/search.ts";
import { readPeople } from "../people.ts";
import { readSourceNames } from "../list/shown.ts";
import { EVERYTHING } from "../../http/route.ts";

export interface DomainEdit {
  /** Null: it is added, with the id and version of `after`. */
  before: Domain | null;
  /** Its expiry is ignored: that follows from the reports. */
  after: Domain;
  /** A day set by hand; null withdraws it. */
  manual?: Day | null | undefined;
  /** Of those that come, one without a time is made by the edit, and is later than all that are there. */
  reports?: { come?: readonly (NewReport | StoredReport)[]; gone?: readonly string[] } | undefined;
  /** A label that no other domain has is spelled as it is here. */
  respells?: boolean;
}

export type NewReport = Omit<ExpiryReport, "observedAt"> & { observedAt?: Instant };

export function blankDomain(id: string, { name, unicode }: DomainName): Domain {
  return { ...UNKNOWN_VALUES, id, version: 1, name, unicode };
}

interface PlannedEdit {
  before: Domain | null;
  after: Domain;
  fields: Change["fields"];
  changeId: string;
  come: readonly StoredReport[];
  gone: readonly StoredReport[];
}

/**
 * The one function that writes values, tags, reports and the expiry that follows, and, if anything
 * shown differs, a version and an entry in the history. `before` is of the same transaction, a
 * changed name is free. Two others keep to the same: the commit of an import
 * (`merge/apply-rows.ts`) and the bin.
 *
 * @param author Without `by`, the source of the expiry made the change.
 * @returns How many domains have another version now, or are new; and the expiries that were derived
 *   from reports, by the ids of their domains.
 */
export async function writeDomains(
  sql: SQL,
  edits: readonly DomainEdit[],
  author: Omit<Author, "by"> & { by: Maker | null },
): Promise<{ changed: number; expiries: ReadonlyMap<string, EffectiveExpiry | null> }> {
  const { planned, expiries } = await planEdits(sql, edits, author);
  const shown = planned.filter(({ fields }) => fields.length > 0);
  await addDomains(sql, planned, author);
  await writeTags(sql, planned);
  await writeHandled(sql, planned);
  await writeColumns(sql, planned, author);
  const gone = planned.flatMap((edit) => edit.gone.map(({ id }) => id));
  if (gone.length > 0) await sql`delete from observations where id in ${sql(gone)}`;
  const come = planned.flatMap((edit) =>
    edit.come.map((report) => ({ domainId: edit.after.id, ...report })),
  );
  await addObservations(sql, come);
  const bySource = Map.groupBy(shown, ({ after }) =>
    author.by === null ? (after.expires?.source ?? "checks") : "",
  );
  for (const [source, made] of bySource) {
    const name = author.by?.name ?? (await readSourceNames(sql, EVERYTHING))(source);
    const by = author.by ?? { id: null, name, token: null };
    await addChanges(sql, made.map(changeOf), { ...author, by });
  }
  return { changed: shown.length, expiries };
}

/** Derives the expiries, spells labels as the register does, and drops edits without effect. */
async function planEdits(
  sql: SQL,
  edits: readonly DomainEdit[],
  author: Pick<Author, "at" | "operation" | "importId">,
) {
  const isReported = ({ manual, reports }: DomainEdit) =>
    manual !== undefined || reports !== undefined;
  const reportedIds = edits.filter(isReported).map(({ after }) => after.id);
  const reported = await readObservations(sql, reportedIds);
  const wantedOf = (labelsOf: (domain: Domain) => readonly string[]) =>
    edits.flatMap(({ after, respells }) =>
      labelsOf(after).map((label) => [label, respells ? after.id : null] as const),
    );
  const named = wantedOf(({ registrar }) => (registrar ? [registrar] : []));
  const registrars = await ensureLabels(sql, "registrars", named);
  const tags = await ensureLabels(
    sql,
    "tags",
    wantedOf((domain) => domain.tags),
  );
  const isGiven = edits.some(({ before, after }) => after.person !== (before?.person ?? null));
  const people = isGiven ? await readPeople(sql) : null;
  const expiries = new Map<string, EffectiveExpiry | null>();
  const planned = edits.flatMap((edit): PlannedEdit[] => {
    const { before, after: wanted } = edit;
    const { id, registrar, person } = wanted;
    const changeId = changeIdAt(author.at);
    const known = reported.get(id) ?? [];
    const { come, gone, all } = planReports(known, edit, { at: author.at, changeId });
    if (isReported(edit)) expiries.set(id, effectiveExpiry(all, author.at.slice(0, 10)));
    const derived = expiries.get(id);
    const isSame = person === (before?.person ?? null);
    const after = {
      ...wanted,
      registrar: registrar && (registrars.get(foldLabel(registrar)) ?? registrar),
      person: isSame ? person : (people?.get(person?.id ?? "") ?? null),
      tags: sortLabels(wanted.tags.map((tag) => tags.get(foldLabel(tag)) ?? tag)),
      expires: derived === undefined ? (before?.expires ?? null) : derived,
    };
    const fields = changedFields(before, after);
    if (before !== null && !fields.some(({ field }) => field === "expires")) {
      // In a conflict, a day beside the one in use is shown, too; and an operation can be undone.
      const report = changedReport(known, all);
      const isOperation = (author.operation ?? author.importId) !== undefined;
      const isConfirmed = report?.after === after.expires?.date;
      const isShown = dueDay(before) !== dueDay(after) || (isOperation && !isConfirmed);
      if (report !== undefined && isShown) fields.push(report);
    }
    const hasEffect = before === null || fields.length + come.length + gone.length > 0;
    return hasEffect ? [{ before, after, fields, changeId, come, gone }] : [];
  });
  return { planned, expiries };
}

/** The reports that an edit adds and withdraws, and all that there are then, oldest first. */
function planReports(
  known: readonly StoredReport[],
  { manual, reports: { come: reported = [], gone: ids = [] } = {} }: DomainEdit,
  { at, changeId }: { at: Instant; changeId: string },
) {
  const withdrawn = new Set(ids);
  // What comes back may be back by another undo of the same.
  const there = new Set<unknown>(known.map(({ id }) => id));
  const given = reported.filter((report) => !("id" in report && there.has(report.id)));
  const gone = known.filter(({ id }) => withdrawn.has(id));
  const left = known.filter(({ id }) => !withdrawn.has(id));
  const last = Date.parse(left.at(-1)?.observedAt ?? "");
  // Whatever the clock of another instance had said.
  const observedAt = last >= Date.parse(at) ? new Date(last + 1).toISOString() : at;
  const byHand = manual === undefined ? null : reportByHand(left, manual);
  const come = [...given, ...(byHand === null ? [] : [byHand])].map((report, index): StoredReport =>
    Object.assign({ id: index === 0 ? changeId : changeIdAt(at), observedAt }, report),
  );
  return { come, gone, all: sortReports([...left, ...come]) };
}

function changedReport(before: readonly StoredReport[], after: readonly StoredReport[]) {
  const daysOf = (reports: readonly StoredReport[]) =>
    new Map(reports.map(({ source, date }) => [source, date]));
  const [was, is] = [daysOf(before), daysOf(after)];
  for (const source of new Set([...was.keys(), ...is.keys()])) {
    const days = { before: was.get(source) ?? null, after: is.get(source) ?? null };
    if (days.before !== days.after) return { field: "observation", ...days };
  }
  return undefined;
}

function changeOf({ before, after, fields, changeId, come, gone }: PlannedEdit) {
  const action = before === null ? ("added" as const) : ("edited" as const);
  const reports = { added: come.map(({ id }) => id), removed: gone };
  return { id: changeId, domainId: after.id, action, fields, reports };
}

async function addDomains(sql: SQL, planned: readonly PlannedEdit[], { at }: Pick<Author, "at">) {
  const rows = planned.flatMap(({ before, after }) =>
    before === null
      ? {
          id: after.id,
          version: after.version,
          ...toColumns(after),
          words: searchWords(after),
          created_at: after.createdAt || at,
          updated_at: at,
        }
      : [],
  );
  await insertRows(sql, "domains", rows);
}

/** Writes the columns of those fields that any of the domains changes. */
async function writeColumns(sql: SQL, planned: readonly PlannedEdit[], { at }: Pick<Author, "at">) {
  const fields = new Set(planned.flatMap((edit) => edit.fields.map(({ field }) => field)));
  if (planned.some(({ come, gone }) => come.length + gone.length > 0)) fields.add("expires");
  const columns = columnsOf(fields);
  const rows = planned.flatMap(({ before, after, fields: { length } }) => {
    if (before === null) return [];
    const all = toColumns(after);
    const isSame = length === 0;
    return {
      ...Object.fromEntries(columns.map((column) => [column, all[column] ?? null])),
      id: before.id,
      words: searchWords(after),
      version: isSame ? before.version : before.version + 1,
      updated_at: isSame ? before.updatedAt : at,
    };
  });
  await updateRows(sql, "domains", rows);
}

async function writeTags(sql: SQL, planned: readonly PlannedEdit[]) {
  const gone = planned.flatMap(({ before, after }) =>
    newLabels(before?.tags ?? [], after.tags).map((tag) => ({ id: after.id, key: foldLabel(tag) })),
  );
  for (const [key, domains] of Map.groupBy(gone, (pair) => pair.key)) {
    await sql`delete from domain_tags
      where tag_key = ${key} and domain_id in ${sql(domains, "id")}`;
  }
  const come = planned.flatMap(({ before, after }) =>
    newLabels(after.tags, before?.tags ?? []).map((tag) => {
      return { domain_id: after.id, tag_key: foldLabel(tag) };
    }),
  );
  await insertRows(sql, "domain_tags", come);
}

/** Those of some labels that fold to none of the others. */
export function newLabels(labels: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map(foldLabel));
  return labels.filter((label) => !known.has(foldLabel(label)));
}

/** In the order in which tags are read: by the bytes of their folded forms. */
function sortLabels(labels: readonly string[]): string[] {
  return labels.toSorted((one, other) =>
    Buffer.compare(Buffer.from(foldLabel(one)), Buffer.from(foldLabel(other))),
  );
}

async function writeHandled(
  sql: SQL,
  edits: readonly { before: Domain | null; after: Domain }[],
): Promise<void> {
  const changed = edits.filter(({ before, after }) => (before?.handled ?? null) !== after.handled);
  if (changed.length === 0) return;
  const ids = changed.map(({ after }) => after.id);
  await sql`delete from handled where domain_id in ${sql(ids)}`;
  const rows = changed.flatMap(({ after: { id, handled } }) => {
    if (handled === null) return [];
    const { expiresOn, until, by, byId = null, at } = handled;
    const row = { domain_id: id, expires_on: expiresOn, until };
    return Object.assign(row, { made_by: byId, made_by_name: by, made_at: at });
  });
  await insertRows(sql, "handled", rows);
}

/** Silences reminders until a day; null: until the expiry moves. Returns null if it expires by then or never. */
export function handledUntil(
  domain: Domain,
  until: Day | null,
  { by, at }: Author,
): Handled | null {
  const expiresOn = dueDay(domain);
  if (expiresOn === null || (until !== null && until >= expiresOn)) return null;
  return { expiresOn, until, by: historyName(by), byId: by.id, at };
}
