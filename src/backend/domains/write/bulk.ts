import type { SQL } from "bun";
import { CHECK_KINDS } from "../../../shared/check-summary.ts";
import { parseDay } from "../../../shared/day.ts";
import type { Domain } from "../../../shared/domain.ts";
import { fieldsOf } from "../../../shared/fields.ts";
import { activeFilters, parseTerm } from "../../../shared/filter.ts";
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
import { nameSources, readSourceNames } from "../list/shown.ts";
import { settledDay } from "./conflicts.ts";
import { carryRename, type Rename } from "./renames.ts";
import { foretell } from "./undo-operation.ts";
import { handledUntil, writeDomains, type DomainEdit } from "./write-domains.ts";
import { EVERYTHING } from "../../http/route.ts";

/** What a request says of each kind of bulk change; what is absent stays as it is. */
const MEMBERS = {
  edit: {
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
    removeTags: p.optional(parseTags),
    custom: p.optional(parseCustomChange),
  },
  delete: {},
  done: {},
  handle: { until: p.nullable(parseDay) },
  check: { kinds: p.optional(p.list(p.oneOf(CHECK_KINDS))) },
  renewed: { dates: p.optional(p.record(parseDay)) },
  settle: { by: p.oneOf(SETTLING_RULES), source: p.optional(parseLabel()) },
} as const;

type Kind = keyof typeof MEMBERS;
type Given<K extends Kind> = p.ObjectOf<(typeof MEMBERS)[K]>;

type BulkChange<K extends Kind = Kind> = { [P in K]: { kind: P; given: Given<P> } }[K];

/** What becomes of some domains. Returns how many differ afterwards. Inside a transaction. */
type Apply<G> = (sql: SQL, ids: readonly string[], given: G, author: Operator) => Promise<number>;

const edits =
  <G>(plan: (given: G, author: Operator) => (domain: Domain) => DomainEdit): Apply<G> =>
  async (sql, ids, given, author) => {
    const domains = await readFields(sql, "id", ids);
    return (await writeDomains(sql, domains.map(plan(given, author)), author)).changed;
  };

const APPLY: { readonly [K in Kind]: Apply<Given<K>> } = {
  edit: edits(({ addTags = [], removeTags = [], custom: fields = {}, expires, ...values }) => {
    const removed = removeTags.map(foldLabel);
    return (before) => {
      const tags = editTags(before, addTags, removed);
      const custom = editCustomFields(before, fields);
      return { before, after: { ...before, ...values, tags, custom }, manual: expires };
    };
  }),
  delete: async (sql, ids, _, author) => putInBin(sql, await readFields(sql, "id", ids), author),
  done: edits(() => (before) => {
    return { before, after: { ...before, doneFor: dueDay(before) } };
  }),
  handle: edits(({ until }, author) => (before) => {
    const handled = handledUntil(before, until, author) ?? before.handled;
    return { before, after: { ...before, handled } };
  }),
  check: async (sql, ids, { kinds = CHECK_KINDS }) => {
    await checkNow(sql, ids, kinds, await databaseClock()(sql));
    return ids.length;
  },
  renewed: edits(({ dates = {} }, { at }) => (before) => {
    const usual = renewedDay(before, at.slice(0, 10));
    return {
      before,
      after: before,
      manual: usual === null ? undefined : (dates[before.id] ?? usual),
    };
  }),
  settle: async (sql, ids, given, author) => {
    const nameOf = await readSourceNames(sql, EVERYTHING);
    const plan = edits<typeof given>((by) => (before) => {
      const named = { ...before, expires: nameSources(before.expires, nameOf) };
      return { before, after: before, manual: settledDay(named, by) };
    });
    return plan(sql, ids, given, author);
  },
};

function applyChange<K extends Kind>(
  sql: SQL,
  ids: readonly string[],
  { kind, given }: BulkChange<K>,
  author: Operator,
): Promise<number> {
  return APPLY[kind](sql, ids, given, author);
}

const CONTRADICTIONS: { readonly [K in Kind]?: (given: Given<K>) => void } = {
  edit: (given) => {
    const { addTags = [], removeTags = [], ...values } = given;
    const removed = new Set(removeTags.map(foldLabel));
    if (addTags.some((tag) => removed.has(foldLabel(tag)))) {
      refuseMember("addTags", "contradiction", "A tag cannot be both added and removed");
    }
    if (Object.keys(values).length + addTags.length + removeTags.length === 0) {
      refuseMember("kind", "required", "Expected something to change");
    }
  },
  settle: ({ by, source = null }) => {
    if ((by === "source") === (source !== null)) return;
    refuseMember("source", "required", "Expected a source with by: source, and only with that");
  },
};

function refuseMember(name: string, code: string, detail: string): never {
  throw new p.ParseError([{ pointer: `/${name}`, code, detail }]);
}

function parseGiven<K extends Kind>(kind: K, members: unknown): BulkChange<K> {
  const given = p.exactObject(MEMBERS[kind])(members);
  CONTRADICTIONS[kind]?.(given);
  return { kind, given };
}

const parseKind = p.exactObject({ kind: p.keyOf(MEMBERS) });

const parseChange = p.described(
  (value): BulkChange => {
    if (!p.isRecord(value)) return p.refuse("type", p.expected("an object", value));
    const { kind, ...members } = value;
    return parseGiven(parseKind({ kind }).kind, members);
  },
  () => ({
    anyOf: Object.entries(MEMBERS).map(([kind, members]) =>
      p.schemaOf(p.exactObject({ kind: p.oneOf([kind]), ...members })),
    ),
  }),
);

export const parseBulk = p.exactObject({ select: parseSelection, op: parseChange });

export type Bulk = p.Parsed<typeof parseBulk>;

const BATCH_SIZE = 500;

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
    let changed = 0;
    for (const batch of chunks(ids, BATCH_SIZE)) {
      changed += await applyChange(sql, batch, op, author);
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
  added: readonly string[],
  removed: readonly string[],
): string[] {
  const kept = tags.filter((tag) => !removed.includes(foldLabel(tag)));
  const edited = uniqueLabels([...kept, ...added]);
  if (edited.length <= LIMITS.tags) return edited;
  const count = `${LIMITS.tags} tags; ${unicode} would have ${edited.length}`;
  throw tooMany("addTags", `A domain has at most ${count}.`);
}

function editCustomFields(
  { custom, unicode }: Domain,
  edited: Readonly<Record<string, string>>,
): Domain["custom"] {
  const fields = changeCustomFields(custom, edited);
  const fault = customCountFault(Object.keys(fields).length);
  if (fault !== null) throw tooMany("custom", `${unicode}: ${fault}`);
  return fields;
}
