import { useRef, useState } from "react";
import type { BulkOperation, BulkResult } from "../../shared/register.ts";
import { failedResponse } from "../session/failure.tsx";
import { Field } from "../ui/field.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { formatNumber } from "../ui/number.ts";
import { type BulkTarget, changeDomains, MAX_UNTYPED, toBulkSelection } from "./domains-api.ts";

/**
 * Runs a bulk change, see `useExpectedCount`.
 *
 * @param asked The number to type, if it is not that of all domains; 0 asks for none.
 */
export function useBulkChange(
  target: BulkTarget,
  onDone: (result: BulkResult, op: BulkOperation) => void,
  asked?: number,
) {
  const { count, outcome, attempt } = useExpectedCount(target.count, asked);
  const change = (op: BulkOperation) =>
    attempt(async (expected) => {
      const select = toBulkSelection({ ...target, count: expected });
      onDone(await changeDomains({ select, op }), op);
    });
  return { count, domains: formatDomainCount(count), outcome, change };
}

/**
 * Sends what says how many domains it expects to change. If that is not their number, the server changes
 * nothing: `outcome` names the new number, and the next attempt expects that. `outcome` also asks for
 * the number of domains where that is large, and `attempt` does nothing until it was typed.
 *
 * @param asked As for `useBulkChange`.
 */
function useExpectedCount(expected: number, asked?: number) {
  const [newCount, setNewCount] = useState<number>();
  const [typed, setTyped] = useState("");
  const [isRefused, setRefused] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const count = newCount ?? expected;
  const wanted = asked ?? count;
  const isConfirmed = wanted <= MAX_UNTYPED || typed.replaceAll(/\D/g, "") === String(wanted);

  async function attempt(send: (count: number) => Promise<void>) {
    setRefused(!isConfirmed);
    if (!isConfirmed) return box.current?.focus();
    try {
      await send(count);
    } catch (error) {
      const { status, problem } = failedResponse(error);
      if (status !== 409 || !Number.isInteger(problem?.count)) throw error;
      setNewCount(Number(problem?.count));
    }
  }

  const outcome = (
    <>
      {wanted > MAX_UNTYPED && (
        <Field
          label={`Type ${formatNumber(wanted)} to confirm`}
          error={
            isRefused && !isConfirmed
              ? `Enter the number of domains: ${formatNumber(wanted)}.`
              : undefined
          }
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
          {formatDomainCount(newCount)} {newCount === 1 ? "matches" : "match"} now, not{" "}
          {formatNumber(expected)}. Nothing was changed. Continue with{" "}
          {newCount === 1 ? "this one" : "these"}?
        </Notice>
      )}
    </>
  );
  return { count, outcome, attempt };
}
