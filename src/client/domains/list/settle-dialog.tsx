import { type SubmitEvent, useEffect, useEffectEvent, useState } from "react";
import type { BulkOperation, BulkResult } from "../../../shared/register.ts";
import {
  type ConflictRequest,
  type Conflicts,
  parseConflicts,
  type Settling,
} from "../../../shared/settling.ts";
import { useBulkChange } from "../../register/bulk-change.tsx";
import { type BulkTarget, toBulkSelection } from "../../register/domains-api.ts";
import { Loaded } from "../../register/loaded.tsx";
import { explain } from "../../session/failure.tsx";
import { callApi } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number.ts";
import { settledInWords } from "./bulk-actions.ts";

/** 20,000 domains are read for it. */
const TIMEOUT_MS = 60_000;

interface Props {
  target: BulkTarget;
  onDone: (result: BulkResult, op: BulkOperation) => void;
  onClose: () => void;
}

/** Asks which of conflicting dates count from now on, for all selected domains that have some. */
export function SettleDialog({ target, onDone, onClose }: Props) {
  const [conflicts, setConflicts] = useState<Conflicts>();
  const [chosen, setChosen] = useState<Settling>();
  const reading = useAction(async () => {
    const body: ConflictRequest = { select: toBulkSelection(target) };
    const options = { method: "POST", body, parse: parseConflicts, timeout: TIMEOUT_MS };
    setConflicts(await callApi("/api/domains/conflicts", options));
  });
  const { outcome, change } = useBulkChange(target, onDone, conflicts?.domains ?? 0);
  const { run, isBusy, error } = useAction(change);
  const read = useEffectEvent(() => void reading.run());
  useEffect(() => read(), []);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (chosen) void run({ kind: "settle", ...chosen });
  }

  const form = ({ domains, settlings }: Conflicts) => (
    <form className="stack" onSubmit={submit}>
      {domains > 0 && (
        <fieldset className="stack">
          <legend>Use for {formatDomainCount(domains)} with conflicting dates</legend>
          {settlings.map(({ source, ...settling }) => {
            const { by } = settling;
            const way: Settling = by === "source" ? { by, source: source ?? "" } : { by };
            return (
              <label key={`${by} ${source}`} className="check">
                <input type="radio" name="way" required onChange={() => setChosen(way)} />
                <span>
                  {settledInWords(way)} <small>{countsInWords(settling)}</small>
                </span>
              </label>
            );
          })}
        </fieldset>
      )}
      {domains === 0 && <p>None of these domains has conflicting dates.</p>}
      {outcome}
      {error !== undefined && <Notice>{explain(error)}</Notice>}
      <DialogActions>
        {domains > 0 && (
          <Button type="submit" look="primary" aria-disabled={isBusy}>
            Use this date
          </Button>
        )}
      </DialogActions>
    </form>
  );
  return (
    <Dialog heading="Use the date from…" onClose={onClose}>
      <Loaded
        of={{ value: conflicts, error: reading.error, reload: () => void reading.run() }}
        lines={5}
      >
        {form}
      </Loaded>
    </Dialog>
  );
}

function countsInWords({ domains, changes }: { domains: number; changes: number }): string {
  const dates = changes === 1 ? "date changes" : "dates change";
  const count = changes === 0 ? "no" : formatNumber(changes);
  return `${formatDomainCount(domains)}, ${count} ${dates}`;
}
