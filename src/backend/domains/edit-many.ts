import type { SQL } from "bun";
import type { Day } from "../../shared/day.ts";
import type { Change, Domain } from "../../shared/domain.ts";
import { foldLabel } from "../../shared/text.ts";
import { insertRows, updateRows, type SqlValue } from "../database/bulk-rows.ts";
import { columnsOf, toColumns } from "./columns.ts";
import { addObservations, effectiveExpiry, readObservations, reportByHand } from "./expiry.ts";
import { writeHandled } from "./handled.ts";
import { addChanges, changedFields, type Author } from "./history.ts";
import { ensureLabels } from "./labels.ts";
import { readPeople } from "./people.ts";

/**
 * What a domain becomes. `manual` sets a day by hand, or withdraws it: the expiry follows. `respells`: a
 * label that no other domain has is spelled as it is here.
 */
export interface DomainEdit {
  before: Domain;
  after: Domain;
  manual?: Day | null | undefined;
  respells?: boolean;
}

/** An edit with all that it writes. */
interface PlannedEdit extends DomainEdit {
  fields: Change["fields"];
  report: ReturnType<typeof reportByHand>;
}

/**
 * Edits many domains, with a history of each that differs afterwards; the others stay at their
 * version. A changed name has to be free. Returns how many differ. Inside a transaction.
 */
export async function editMany(
  sql: SQL,
  edits: readonly DomainEdit[],
  author: Author,
): Promise<number> {
  const planned = await planEdits(sql, edits, author);
  if (planned.length === 0) return 0;
  await writeTags(sql, planned);
  await writeHandled(sql, planned);
  await writeColumns(sql, planned, author);
  const reports = planned.flatMap(({ before, report }) =>
    report === null ? [] : [{ domainId: before.id, ...report }],
  );
  await addObservations(sql, reports);
  const changes = planned.map(({ before, fields }) => {
    return { domainId: before.id, action: "edited" as const, fields };
  });
  await addChanges(sql, changes, author);
  return planned.length;
}

/** Derives the expiries, spells labels as the register does, and drops edits without effect. */
async function planEdits(
  sql: SQL,
  edits: readonly DomainEdit[],
  { at }: Author,
): Promise<PlannedEdit[]> {
  const byHand = edits.filter(({ manual }) => manual !== undefined);
  const reported = await readObservations(
    sql,
    byHand.map(({ before }) => before.id),
  );
  const domains = edits.map(({ after: { id, registrar, tags: labels }, respells }) => {
    return { id: respells ? id : null, registrar, tags: labels };
  });
  const registrars = await ensureLabels(sql, "registrars", domains);
  const tags = await ensureLabels(sql, "tags", domains);
  const isGiven = edits.some(({ before, after }) => after.person !== before.person);
  const people = isGiven ? await readPeople(sql) : null;
  return edits.flatMap(({ before, after: wanted, manual }) => {
    const reports = reported.get(before.id) ?? [];
    const report = manual === undefined ? null : reportByHand(reports, manual, at);
    const { registrar, person } = wanted;
    const after = {
      ...wanted,
      registrar: registrar && (registrars.get(foldLabel(registrar)) ?? registrar),
      person: person === before.person ? person : (people?.get(person?.id ?? "") ?? null),
      tags: sortLabels(wanted.tags.map((tag) => tags.get(foldLabel(tag)) ?? tag)),
      expires: report === null ? wanted.expires : effectiveExpiry([...reports, report]),
    };
    const fields = changedFields(before, after);
    return fields.length > 0 ? [{ before, after, manual, fields, report }] : [];
  });
}

/** Writes the columns of those fields that any of the domains changes. */
async function writeColumns(sql: SQL, planned: readonly PlannedEdit[], { at }: Author) {
  const fields = new Set(planned.flatMap((edit) => edit.fields.map(({ field }) => field)));
  const columns = columnsOf(fields);
  const rows = planned.map(({ before: { id, version }, after }) => {
    const all = toColumns(after);
    const row: Record<string, SqlValue> & { id: string } = { id };
    for (const column of columns) row[column] = all[column] ?? null;
    return { ...row, version: version + 1, updated_at: at };
  });
  await updateRows(sql, "domains", rows);
}

async function writeTags(sql: SQL, planned: readonly PlannedEdit[]) {
  const gone = planned.flatMap(({ before, after }) =>
    added(before.tags, after.tags).map((tag) => ({ id: before.id, key: foldLabel(tag) })),
  );
  for (const [key, domains] of Map.groupBy(gone, (pair) => pair.key)) {
    await sql`delete from domain_tags
      where tag_key = ${key} and domain_id in ${sql(domains, "id")}`;
  }
  const come = planned.flatMap(({ before, after }) =>
    added(after.tags, before.tags).map((tag) => {
      return { domain_id: before.id, tag_key: foldLabel(tag) };
    }),
  );
  await insertRows(sql, "domain_tags", come);
}

/** Labels that are not among others, in whichever spelling. */
function added(labels: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map(foldLabel));
  return labels.filter((label) => !known.has(foldLabel(label)));
}

/** In the order in which tags are read: by the bytes of their folded forms. */
function sortLabels(labels: readonly string[]): string[] {
  return labels.toSorted((one, other) =>
    Buffer.compare(Buffer.from(foldLabel(one)), Buffer.from(foldLabel(other))),
  );
}
