import { type ReactNode, useRef, useState } from "react";
import { DECISION_LABELS, type Decision } from "../../../shared/domain.ts";
import type { BulkOperation, BulkResult } from "../../../shared/register.ts";
import type { Settling } from "../../../shared/settling.ts";
import { MANUAL, sourceInWords } from "../../../shared/source.ts";
import { ActionDialog } from "../../session/action-dialog.tsx";
import { failedResponse } from "../../session/failure.tsx";
import { TextBox } from "../../ui/text-box.tsx";
import { formatCount, formatDomainCount, formatNumber } from "../../ui/format.ts";
import { formatValue } from "../format-value.ts";
import { Notice } from "../../ui/notice.tsx";
import { type BulkTarget, changeDomains, MAX_UNTYPED } from "../domains-api.ts";
import { describeHandled } from "./handled-dialog.tsx";

/** Receives what a bulk change did, in words, and the operation that can be undone, if any. */
export type OnBulkDone = (text: string, operation: string | null) => void;

export interface BulkDialogProps {
  target: BulkTarget;
  onDone: OnBulkDone;
  onClose: () => void;
}

/** In whichever script, without what groups them. */
const digitsIn = (text: string) => text.replaceAll(/\P{Nd}/gu, "");

/**
 * Changes as many domains as the person has seen. If their number has changed, the server changes
 * nothing, and `outcome` shows the new number, which the next attempt expects. For a large number,
 * `outcome` asks for it, and `change` does nothing until it was typed.
 *
 * @param changing How many of the domains change, to be typed; 0 asks for no number.
 * @returns `changing`: the most that change now that `count` match.
 */
export function useBulkChange(target: BulkTarget, onDone: OnBulkDone, changing = target.count) {
  const [newCount, setNewCount] = useState<number>();
  const [typed, setTyped] = useState("");
  const [isRefused, setRefused] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const count = newCount ?? target.count;
  const added = Math.max(count - target.count, 0);
  const wanted = changing && Math.min(changing + added, count);
  const isConfirmed =
    wanted <= MAX_UNTYPED ||
    [String(wanted), digitsIn(formatNumber(wanted))].includes(digitsIn(typed));

  async function change(op: BulkOperation) {
    setRefused(!isConfirmed);
    if (!isConfirmed) return box.current?.focus();
    try {
      const result = await changeDomains({ ...target, count }, op);
      onDone(bulkResultInWords(op, result), result.operation);
    } catch (error) {
      const { status, problem } = failedResponse(error);
      if (status !== 409 || !Number.isInteger(problem?.count)) throw error;
      setNewCount(Number(problem?.count));
    }
  }

  const fault = isRefused && !isConfirmed;
  const outcome = (
    <>
      {wanted > MAX_UNTYPED && (
        <TextBox
          label={`Type ${formatNumber(wanted)} to confirm`}
          error={fault ? `Enter the number of domains: ${formatNumber(wanted)}.` : undefined}
          ref={box}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onType={setTyped}
        />
      )}
      {newCount !== undefined && (
        <Notice tone="warn">
          {formatCount(newCount, "domain matches", "domains match")} now, not{" "}
          {formatNumber(target.count)}. Nothing was changed. Continue with{" "}
          {newCount === 1 ? "this one" : "these"}?
        </Notice>
      )}
    </>
  );
  return { domains: formatDomainCount(count), changing: wanted, outcome, change };
}

interface ConfirmationProps extends BulkDialogProps {
  op: BulkOperation;
  /** Of how many domains, in words. */
  action: (domains: string) => string;
  heading?: (domains: string) => string;
  children?: ReactNode;
}

export function BulkConfirmation(props: ConfirmationProps) {
  const { op, action, heading = (of) => `${action(of)}?`, target, onDone, onClose } = props;
  const { domains, outcome, change } = useBulkChange(target, onDone);
  return (
    <ActionDialog
      heading={heading(domains)}
      action={action(domains)}
      busyAction="Saving…"
      onAction={() => change(op)}
      onClose={onClose}
    >
      {props.children}
      {outcome}
    </ActionDialog>
  );
}

/** For domains whose next reminder would come too late. */
const TOO_LATE = "could not be put off: too close to the expiry, or without an expiry date";

/** What a bulk change did, and to how many domains it did nothing. */
export function bulkResultInWords(op: BulkOperation, { matched, changed }: BulkResult): string {
  const others = matched - changed;
  const done = doneInWords(op, formatDomainCount(changed));
  const decision = onlyDecision(op);
  if (others === 0) return done;
  if (decision !== undefined) {
    const were = others === 1 ? "was" : "were";
    return changed === 0
      ? `${formatDomainCount(others)} already ${were} marked ${DECISION_LABELS[decision ?? "-"]}.`
      : `${done} ${formatNumber(others)} already ${were}.`;
  }
  const why = op.kind === "handle" ? TOO_LATE : "needed no change";
  const note = `${formatDomainCount(others)} ${why}.`;
  return changed === 0 ? note : `${done} ${note}`;
}

function doneInWords(op: BulkOperation, domains: string): string {
  const decision = onlyDecision(op);
  if (decision !== undefined) return `${domains} marked ${DECISION_LABELS[decision ?? "-"]}.`;
  switch (op.kind) {
    case "edit":
      switch (Object.keys(op).join()) {
        case "kind,addTags":
          return `${domains} tagged: ${op.addTags?.join(", ")}.`;
        case "kind,archivedOn":
          return `${domains} ${op.archivedOn ? "archived" : "brought back"}.`;
        case "kind,autoRenew":
          return `Auto-renew ${formatValue(op.autoRenew)} for ${domains}.`;
        default:
          return `${domains} changed.`;
      }
    case "done":
      return `Waiting for new dates of ${domains}.`;
    case "handle":
      return describeHandled(domains, op.until);
    case "settle":
      return `${settledInWords(op)} now counts for ${domains}.`;
    case "renewed":
      return `${domains} marked as renewed.`;
    case "check":
      return `Checking ${domains} now.`;
    case "delete":
      return `${domains} deleted.`;
  }
}

/** Which of several dates is used: `The newest date`. */
export function settledInWords({ by, source = "" }: Settling): string {
  if (source === MANUAL) return "The date set by hand";
  return by === "source" ? `The date from ${sourceInWords(source)}` : SETTLED[by];
}

const SETTLED: Readonly<Record<Exclude<Settling["by"], "source">, string>> = {
  registrar: "The registrar’s date",
  registry: "The registry’s date",
  newest: "The date reported last",
  earliest: "The earliest date",
  later: "The latest date",
};

/** The decision of a change that does nothing else. */
function onlyDecision(op: BulkOperation): Decision | null | undefined {
  return op.kind === "edit" && Object.keys(op).length === 2 ? op.decision : undefined;
}
