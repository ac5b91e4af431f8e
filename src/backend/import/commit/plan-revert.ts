import type { Change, Domain } from "../../../shared/domain.ts";
import { FIELD_NAMES } from "../../../shared/fields.ts";
import { changedFields, historyValue } from "../../domains/history.ts";
import { foldLabel } from "../../../shared/text.ts";

/** What an import did to one domain. */
export interface ImportedChange {
  rowKey: string;
  class: "new" | "changed";
  domainId: string;
  changes: Change["fields"];
  /** Whether it added an observation of the expiry. */
  observed: boolean;
}

/** How it is reverted; `kept` are the fields that somebody edited since. */
export type RevertPlan =
  | { kind: "remove"; domain: Domain }
  | { kind: "keep"; domain: Domain; kept: string[] }
  | {
      kind: "restore";
      rowKey: string;
      domain: Domain;
      /** With the values from before; the expiry follows from the observations that are left. */
      restored: Domain;
      observed: boolean;
      /** Whether anything is restored at all. */
      back: boolean;
      kept: string[];
    };

/**
 * Decides about one domain, as it is now. One that the import added is removed, unless any of it was
 * edited since: then all of it is kept. Of one that was known before, each field is restored that
 * still has the value from the import.
 */
export function planRevert(done: ImportedChange, domain: Domain): RevertPlan {
  const edited = done.changes
    .filter((change) => !isUntouched(change, domain))
    .map(({ field }) => field);
  if (done.class === "new") {
    const imported = new Set(done.changes.map(({ field }) => field));
    const added = changedFields(null, domain).filter(({ field }) => !imported.has(field));
    const kept = [...edited, ...added.map(({ field }) => field)];
    return kept.length === 0 ? { kind: "remove", domain } : { kind: "keep", domain, kept };
  }
  const back = done.changes.filter(({ field }) => field !== "expires" && !edited.includes(field));
  return {
    kind: "restore",
    rowKey: done.rowKey,
    domain,
    restored: { ...domain, ...valuesBefore(back) },
    observed: done.observed,
    back: done.observed || edited.length < done.changes.length,
    kept: edited,
  };
}

/** Whether a field has the value from the import; spelling aside, as domains share their labels. */
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

function valuesBefore(changes: Change["fields"]): Partial<Domain> {
  const fields = changes.filter(({ field }) => field !== "observation");
  // True because a change's `before` is what `historyValue` read from a domain's field of that name.
  return Object.fromEntries(
    fields.map((change) => [change.field, change.before]),
  ) as Partial<Domain>;
}
