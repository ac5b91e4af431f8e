import type { Change, ChangeKind } from "../../shared/changes.ts";
import { DECISION_LABELS, DECISIONS } from "../../shared/domain.ts";
import { fieldInWords, FIELDS, isField } from "../../shared/fields.ts";

/** `undo` sets back what was done, `redo` an undo. */
export type Did = "do" | "undo" | "redo";

/** `account`: the one whose name was refused. */
type DescribedChange = Pick<Change, "action" | "fields"> & { account: string | null };

/** Comes before the sentence. */
export const PREFIXES: Readonly<Record<Did, string>> = {
  do: "",
  undo: "Undone: ",
  redo: "Redone: ",
};

/** What a filter of the changes calls some of them. */
export function kindOf(items: readonly DescribedChange[]): ChangeKind {
  if (items[0]?.account) return "refused";
  const action = items[0]?.action ?? "edited";
  const isDecision = items.some(({ fields }) => fields.some(({ field }) => field === "decision"));
  return action === "edited" && isDecision ? "decided" : action;
}

/** What some changes did, or, of an undo, what they set back; `{}` stands for the domains. */
export function sentenceOf(items: readonly DescribedChange[], did: Did): string {
  const action = items[0]?.action;
  const [added, deleted, side] =
    did === "undo"
      ? (["deleted", "added", "before"] as const)
      : (["added", "deleted", "after"] as const);
  if (items[0]?.account) return "{} refused";
  if (action === "added") return `{} ${added}`;
  if (action === "deleted") return `{} ${deleted}`;
  const changes = items.flatMap(({ fields }) => fields);
  const fields = [...new Set(changes.map(({ field }) => field))];
  const [value, ...others] = changes.map((change) => change[side]);
  const [field = "", ...more] = fields;
  const isOne = more.length === 0 && others.every((other) => Bun.deepEquals(other, value));
  const names = fields.map(fieldInWords).join(", ");
  return (
    (isOne && valueSentence(field, value)) ||
    `${names.charAt(0).toUpperCase()}${names.slice(1)} changed for {}`
  );
}

/** Undefined for a field whose values are long, or say little without the one before. */
function valueSentence(field: string, value: unknown): string | undefined {
  if (!isField(field)) return undefined;
  const { kind, label } = FIELDS[field];
  const decision = DECISIONS.find((each) => field === "decision" && each === value);
  if (decision) return `{} marked ${DECISION_LABELS[decision]}`;
  if (field === "archivedOn") return value === null ? "{} brought back" : "{} archived";
  if (kind === "flag")
    return `${label} ${value === null ? "unknown" : value ? "on" : "off"} for {}`;
  if (kind !== "label" && field !== "decision") return undefined;
  return value === null ? `${label} removed for {}` : `${label} “${String(value)}” for {}`;
}
