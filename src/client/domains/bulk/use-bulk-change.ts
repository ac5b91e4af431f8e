import { useState } from "react";
import { HttpError } from "../../http.ts";
import type {
  BulkOperation,
  BulkResult,
  BulkSelection,
} from "../../../shared/register-contract.ts";
import { parseRecord } from "../../../shared/parse-json.ts";
import { changeMany } from "../register-api.ts";

/**
 * Changes a selection. Where "all that match" are not as many any more nothing is changed:
 * `count` says how many there are now, and the next try is for those.
 */
export function useBulkChange(given: BulkSelection, onDone: (result: BulkResult) => void) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [count, setCount] = useState<number>();

  async function change(op: BulkOperation) {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    const select =
      "filter" in given && count !== undefined ? { ...given, expectedCount: count } : given;
    try {
      onDone(await changeMany({ select, op }));
    } catch (error) {
      const { status, problem } = error instanceof HttpError ? error : {};
      const now = status === 409 && problem ? Number(parseRecord(problem).count) : Number.NaN;
      if (Number.isInteger(now)) setCount(now);
      // With 401 the sign-in form comes, and this one is back after it: there is nothing to say.
      else if (status !== 401) setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return { busy, failure, count, change };
}
