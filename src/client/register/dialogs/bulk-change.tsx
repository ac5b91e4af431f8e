import { useRef, useState } from "react";
import type { BulkOperation, BulkResult } from "../../../shared/register.ts";
import { failedResponse } from "../../session/failure.tsx";
import { Field } from "../../ui/field.tsx";
import { formatCount, formatDomainCount, formatNumber } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { type BulkTarget, changeDomains, MAX_UNTYPED, toBulkSelection } from "../domains-api.ts";

/**
 * Changes as many domains as the person has seen. If their number has changed, the server changes
 * nothing, and `outcome` shows the new number, which the next attempt expects. For a large number,
 * `outcome` asks for it, and `change` does nothing until it was typed.
 *
 * @param changing How many of the domains change, to be typed; 0 asks for no number.
 * @returns `changing`: the most that change now that `count` match.
 */
export function useBulkChange(
  target: BulkTarget,
  onDone: (result: BulkResult, op: BulkOperation) => void,
  changing = target.count,
) {
  const [newCount, setNewCount] = useState<number>();
  const [typed, setTyped] = useState("");
  const [isRefused, setRefused] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const count = newCount ?? target.count;
  const added = Math.max(count - target.count, 0);
  const wanted = changing && Math.min(changing + added, count);
  const isConfirmed = wanted <= MAX_UNTYPED || typed.replaceAll(/\D/g, "") === String(wanted);

  async function change(op: BulkOperation) {
    setRefused(!isConfirmed);
    if (!isConfirmed) return box.current?.focus();
    try {
      const select = toBulkSelection({ ...target, count });
      onDone(await changeDomains({ select, op }), op);
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
        <Field
          label={`Type ${formatNumber(wanted)} to confirm`}
          error={fault ? `Enter the number of domains: ${formatNumber(wanted)}.` : undefined}
        >
          {(control) => (
            <input
              {...control}
              ref={box}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
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
