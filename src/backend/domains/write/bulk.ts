import type { SQL } from "bun";
import { CHECK_KINDS } from "../../../shared/check-summary.ts";
import { parseDay } from "../../../shared/day.ts";
import type { Domain } from "../../../shared/domain.ts";
import { fieldsOf } from "../../../shared/fields.ts";
import { activeFilters } from "../../../shared/filter.ts";
import { parseTerm } from "../../../shared/filter-term.ts";
import * as p from "../../../shared/parse.ts";
import type { BulkResult } from "../../../shared/register.ts";
import { renewedDay } from "../../../shared/renewal.ts";
import { dueDay } from "../../../shared/work.ts";
import { SETTLING_RULES } from "../../../shared/settling.ts";
import {
  changeCustomFields,
  customCountFault,
  foldLabel,
  LIMITS,
  parseCustomChange,
  parseLabel,
  parseTags,
  uniqueLabels,
} from "../../../shared/text.ts";
import { putInBin, removeBinned } from "./bin.ts";
import { chunks } from "../../database/bulk-rows.ts";
import { databaseClock, type Job } from "../../database/database.ts";
import { badFields, RequestError } from "../../http/request-error.ts";
import { checkNow } from "./check-now.ts";
import { startOperation, type Maker, type Operator } from "./history.ts";
import { parseSelection, shapeOf } from "../input.ts";
import { selectIds } from "../list/list-domains.ts";
import { readFields } from "../list/read-domains.ts";
import { nameSources, readSourceNames, type SourceNames } from "../list/shown.ts";
import { settledDay } from "./conflicts.ts";
import { carryRename, type Rename } from "./renames.ts";
import { foretell } from "./undo-operation.ts";
import { handledUntil, writeDomains, type DomainEdit } from "./write-domains.ts";
import { EVERYTHING } from "../../http/route.ts";

const EDIT_MEMBERS = {
  ...shapeOf(
    fieldsOf(
      "label",
      "status",
      "choice",
      "flag",
      "day",
      "expiry",
      "price",
      "money",
      "notes",
      "person",
    ),
  ),
  addTags: p.optional(parseTags),
  // Folded here: each of thousands of domains is compared with them.
  removeTags: p.optional(p.mapped(parseTags, (tags) => tags.map(foldLabel))),
  custom: p.optional(parseCustomChange),
};

/** What a request says of each kind of bulk change; what is absent stays as it is. */
const CHANGES = {
  edit: parserOf("edit", EDIT_MEMBERS),
  delete: parserOf("delete", {}),
  done: parserOf("done", {}),
  handle: parserOf("handle", { until: p.nullable(parseDay) }),
  check: parserOf("check", { kinds: p.optional(p.list(p.oneOf(CHECK_KINDS))) }),
  renewed: parserOf("renewed", { dates: p.optional(p.record(parseDay)) }),
  settle: parserOf("settle", { by: p.oneOf(SETTLING_RULES), source: p.optional(parseLabel()) }),
};

type BulkChange = p.Parsed<(typeof CHANGES)[keyof typeof CHANGES]>;

/** Parses the members beside `kind`. */
function parserOf<const K extends string, S extends p.Shape>(kind: K, members: S) {
  const parse = p.exactObject(members);
  return p.described(
    (value) => ({ kind, given: parse(value) }),
    () => p.schemaOf(p.exactObject({ kind: p.oneOf([kind]), ...members })),
  );
}

/** Returns how many domains differ afterwards, or are checked. */
async function applyChange(
  sql: SQL,
  ids: readonly string[],
  op: BulkChange,
  author: Operator,
  nameOf: SourceNames,
): Promise<number> {
  if (op.kind === "check") {
    return checkNow(sql, ids, op.given.kinds ?? CHECK_KINDS, await databaseClock()(sql));
  }
  const domains = await readFields(sql, "id", ids);
  if (op.kind === "delete") return putInBin(sql, domains, author);
  const edits = domains.map((before) => planEdit(before, op, author, nameOf));
  return (await writeDomains(sql, edits, author)).changed;
}

function planEdit(
  before: Domain,
  op: Exclude<BulkChange, { kind: "check" | "delete" }>,
  author: Operator,
  nameOf: SourceNames,
): DomainEdit {
  switch (op.kind) {
    case "edit": {
      const { addTags, removeTags, custom, expires, ...values } = op.given;
      const tags = editTags(before, addTags, removeTags);
      const after = { ...before, ...values, tags, custom: editCustomFields(before, custom) };
      return { before, after, manual: expires };
    }
    case "done":
      return { before, after: { ...before, doneFor: dueDay(before) } };
    case "handle": {
      const handled = handledUntil(before, op.given.until, author) ?? before.handled;
      return { before, after: { ...before, handled } };
    }
    case "renewed": {
      const usual = renewedDay(before, author.at.slice(0, 10)) ?? undefined;
      return { before, after: before, manual: usual && (op.given.dates?.[before.id] ?? usual) };
    }
    case "settle": {
      const named = { ...before, expires: nameSources(before.expires, nameOf) };
      return { before, after: before, manual: settledDay(named, op.given) };
    }
  }
}

function refuseContradiction({ kind, given }: BulkChange): void {
  if (kind === "edit") {
    const { addTags = [], removeTags = [], ...values } = given;
    if (addTags.some((tag) => removeTags.includes(foldLabel(tag)))) {
      refuseMember("addTags", "contradiction", "A tag cannot be both added and removed");
    }
    if (Object.keys(values).length + addTags.length + removeTags.length === 0) {
      refuseMember("kind", "required", "Expected something to change");
    }
  }
  if (kind === "settle" && (given.by === "source") !== Boolean(given.source)) {
    refuseMember("source", "required", "Expected a source with by: source, and only with that");
  }
}

function refuseMember(name: string, code: string, detail: string): never {
  throw new p.ParseError([{ pointer: `/${name}`, code, detail }]);
}

const parseKind = p.exactObject({ kind: p.keyOf(CHANGES) });

const parseChange = p.described(
  (value): BulkChange => {
    if (!p.isRecord(value)) return p.refuse("type", p.expected("an object", value));
    const { kind, ...members } = value;
    const change = CHANGES[parseKind({ kind }).kind](members);
    refuseContradiction(change);
    return change;
  },
  () => ({ anyOf: Object.values(CHANGES).map(p.schemaOf) }),
);

export const parseBulk = p.exactObject({ select: parseSelection, op: parseChange });

export type Bulk = p.Parsed<typeof parseBulk>;

/** Changes all or none. @throws {RequestError} 400, or 409 if another number matches now. */
export const changeMany: Job<Bulk & { by: Maker }, BulkResult> = {
  name: "change domains",
  async run(sql, { select, op, by: maker }) {
    const author = await startOperation(sql, maker);
    const ids = await selectIds(sql, select);
    const { expectedCount } = select;
    if (ids.length !== expectedCount) {
      const count = ids.length;
      const detail = `The number of domains that match is ${count} now, not ${expectedCount}.`;
      throw new RequestError(409, detail, { count });
    }
    const nameOf = await readSourceNames(sql, EVERYTHING);
    let changed = 0;
    for (const batch of chunks(ids)) {
      changed += await applyChange(sql, batch, op, author, nameOf);
    }
    if (op.kind === "delete") await removeBinned(sql, author);
    const rename = renameOf({ select, op });
    if (rename && changed > 0) await carryRename(sql, author.operation, rename);
    const isUndoable = changed > 0 && op.kind !== "check";
    return { matched: ids.length, changed, operation: isUndoable ? author.operation : null };
  },
};

/** Says what a change would do now, to as many as match now. */
export const foretellMany: typeof changeMany = {
  name: "foretell a change of domains",
  async run(sql, { select: asked, ...input }) {
    const ids = await selectIds(sql, asked);
    const select = { kind: "ids", ids, expectedCount: ids.length } as const;
    const told = await foretell(sql, () => changeMany.run(sql, { ...input, select }));
    return { ...told, operation: null };
  },
};

/**
 * The rename that an edit of all with one label is, asked for by this label alone; null: another edit.
 * In the list, where other filters narrow it, domains are given away.
 */
function renameOf({ select, op }: Bulk): Rename | null {
  if (select.kind !== "filter" || op.kind !== "edit") return null;
  const { addTags, registrar, account, owner } = op.given;
  const given = { registrar, account, owner, tag: addTags?.[0] };
  if (activeFilters(select.filter).length > 1) return null;
  for (const field of ["registrar", "account", "owner", "tag"] as const) {
    const [term, ...others] = (select.filter[field] ?? []).map(parseTerm);
    const to = given[field];
    const isOne = term?.match === "is" && !term.not && others.length === 0;
    if (isOne && to) return { field, from: term.text, to };
  }
  return null;
}

function tooMany(member: "addTags" | "custom", detail: string): RequestError {
  return badFields([{ pointer: `/op/${member}`, code: "length", detail }]);
}

function editTags(
  { tags, unicode }: Domain,
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] {
  const kept = tags.filter((tag) => !removed.includes(foldLabel(tag)));
  const edited = uniqueLabels([...kept, ...added]);
  if (edited.length <= LIMITS.tags) return edited;
  const count = `${LIMITS.tags} tags; ${unicode} would have ${edited.length}`;
  throw tooMany("addTags", `A domain has at most ${count}.`);
}

function editCustomFields(
  { custom, unicode }: Domain,
  edited: Readonly<Record<string, string>> = {},
): Domain["custom"] {
  const fields = changeCustomFields(custom, edited);
  const fault = customCountFault(Object.keys(fields).length);
  if (fault !== null) throw tooMany("custom", `${unicode}: ${fault}`);
  return fields;
}
