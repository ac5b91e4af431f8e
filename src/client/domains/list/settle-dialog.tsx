import { useEffect, useEffectEvent, useState } from "react";
import type { BulkOperation, BulkResult } from "../../../shared/register.ts";
import { type Conflicts, parseConflicts, type Settling } from "../../../shared/settling.ts";
import { useBulkChange } from "../../register/dialogs/bulk-change.tsx";
import { type BulkTarget, toBulkSelection } from "../../register/domains-api.ts";
import { Loaded } from "../../register/resource.tsx";
import { ActionDialog } from "../../session/action-dialog.tsx";
import { callApi } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Check } from "../../ui/choice.tsx";
import { formatCount, formatDomainCount } from "../../ui/format.ts";
import { settledInWords } from "./bulk-actions.ts";

/** Reads up to 20,000 domains. */
const TIMEOUT_MS = 60_000;

interface Props {
  target: BulkTarget;
  onDone: (result: BulkResult, op: BulkOperation) => void;
  onClose: () => void;
}

export function SettleDialog({ target, onDone, onClose }: Props) {
  const [conflicts, setConflicts] = useState<Conflicts>();
  const [chosen, setChosen] = useState<Settling>();
  const reading = useAction(async () => {
    const body = { select: toBulkSelection(target) };
    const options = { method: "POST", body, parse: parseConflicts, timeout: TIMEOUT_MS };
    setConflicts(await callApi("/api/domains/conflicts", options));
  });
  const { outcome, change } = useBulkChange(target, onDone, conflicts?.domains ?? 0);
  const reload = () => void reading.run();
  const read = useEffectEvent(reload);
  useEffect(() => read(), []);

  return (
    <ActionDialog
      heading="Use the date from…"
      action={conflicts?.domains ? "Use this date" : undefined}
      foot={conflicts && outcome}
      onAction={() => chosen && change({ kind: "settle", ...chosen })}
      onClose={onClose}
    >
      <Loaded of={{ value: conflicts, error: reading.error, reload }} lines={5}>
        {({ domains, settlings }) =>
          domains === 0 ? (
            <p>None of these domains has conflicting dates.</p>
          ) : (
            <fieldset className="stack">
              <legend>Use for {formatDomainCount(domains)} with conflicting dates</legend>
              {settlings.map(({ source, ...settling }) => {
                const { by } = settling;
                const way: Settling = by === "source" ? { by, source: source ?? "" } : { by };
                return (
                  <Check
                    key={`${by} ${source}`}
                    type="radio"
                    name="way"
                    required
                    onCheck={() => setChosen(way)}
                  >
                    <span>
                      {settledInWords(way)} <small>{countsInWords(settling)}</small>
                    </span>
                  </Check>
                );
              })}
            </fieldset>
          )
        }
      </Loaded>
    </ActionDialog>
  );
}

function countsInWords({ domains, changes }: { domains: number; changes: number }): string {
  const dates = formatCount(changes, "date changes", "dates change");
  return `${formatDomainCount(domains)}${changes === 0 ? ": keeps the dates in use" : `, ${dates}`}`;
}
