import type { Change, Domain } from "../../../shared/contract.ts";
import { FIELD_NAMES } from "../../../shared/fields.ts";
import { changedFields, historyValue } from "../../domains/history.ts";
import { foldLabel } from "../../../shared/text.ts";

/** What an import did to one name. */
export interface Done {
  rowKey: string;
  class: "new" | "changed";
  domainId: string;
  changes: Change["fields"];
  /** Whether it wrote down what the file's registrar said. */
  observed: boolean;
}

/** What taking it back comes to; `kept` are the fields that somebody edited since. */
export type Verdict =
  | { kind: "remove"; domain: Domain }
  | { kind: "keep"; domain: Domain; kept: string[] }
  | {
      kind: "restore";
      rowKey: string;
      domain: Domain;
      /** With what the fields were before; the expiry is not decided here. */
      restored: Domain;
      observed: boolean;
      /** Whether anything goes back at all. */
      back: boolean;
      kept: string[];
    };

/**
 * Decides on one name, as it is now. A name that the import added goes, unless anything of it was
 * edited since: then all of it stays. Of a name that was there before, each field goes back that is
 * still what the import made of it.
 */
export function judgeUndo(done: Done, domain: Domain): Verdict {
  const edited = done.changes
    .filter((change) => !isUntouched(change, domain))
    .map(({ field }) => field);
  if (done.class === "new") {
    const told = new Set(done.changes.map(({ field }) => field));
    const beyond = changedFields(null, domain).filter(({ field }) => !told.has(field));
    const kept = [...edited, ...beyond.map(({ field }) => field)];
    return kept.length === 0 ? { kind: "remove", domain } : { kind: "keep", domain, kept };
  }
  const back = done.changes.filter(({ field }) => field !== "expires" && !edited.includes(field));
  const restored = { ...domain, ...before(back) };
  return {
    kind: "restore",
    rowKey: done.rowKey,
    domain,
    restored,
    observed: done.observed,
    back: done.observed || edited.length < done.changes.length,
    kept: edited,
  };
}

/** Whether a field is what the import made of it; spelling aside, as labels are shared. */
function isUntouched({ field, after }: Change["fields"][number], domain: Domain): boolean {
  const known = FIELD_NAMES.find((each) => each === field);
  if (known === undefined) return true;
  const now = historyValue(domain, known);
  if (known !== "registrar" && known !== "tags") return Bun.deepEquals(now, after);
  return Bun.deepEquals(folded(now), folded(after));
}

function folded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((tag) => foldLabel(String(tag))).toSorted();
  return value === null ? null : foldLabel(String(value));
}

function before(changes: Change["fields"]): Partial<Domain> {
  const fields = changes.filter(({ field }) => field !== "observation");
  // True because a change's `before` is what `historyValue` read from a domain's field of that name.
  return Object.fromEntries(
    fields.map((change) => [change.field, change.before]),
  ) as Partial<Domain>;
}
