import { useState } from "react";
import type { BulkOperation, BulkResult } from "../../shared/register.ts";
import { failedResponse } from "../session/failure.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { formatNumber } from "../ui/number.ts";
import { type BulkTarget, changeDomains, toBulkSelection } from "./domains-api.ts";

/**
 * Runs a bulk change. If the number of matches differs from the expected one, the server changes
 * nothing: `outcome` names the new number, and the next attempt expects that.
 */
export function useBulkChange(target: BulkTarget, onDone: (result: BulkResult) => void) {
  const [newCount, setNewCount] = useState<number>();
  const count = newCount ?? target.count;

  async function change(op: BulkOperation) {
    try {
      onDone(await changeDomains({ select: toBulkSelection({ ...target, count }), op }));
    } catch (error) {
      const { status, problem } = failedResponse(error);
      if (status !== 409 || !Number.isInteger(problem?.count)) throw error;
      setNewCount(Number(problem?.count));
    }
  }

  const outcome = newCount !== undefined && (
    <Notice tone="warn">
      {formatDomainCount(newCount)} {newCount === 1 ? "matches" : "match"} now, not{" "}
      {formatNumber(target.count)}. Nothing was changed. Continue with{" "}
      {newCount === 1 ? "this one" : "these"}?
    </Notice>
  );
  return { count, domains: formatDomainCount(count), outcome, change };
}
