import type { ImportCounts } from "../../shared/import-contract.ts";
import { classWords, rowClasses } from "./import-words.ts";

/** How many rows there are of each class, as far as the file is understood by now. */
export function ImportTally({
  counts,
  busy,
  open,
}: {
  counts: ImportCounts;
  busy: boolean;
  /** Something has to be answered before the counts mean anything. */
  open: boolean;
}) {
  const parts = rowClasses
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name].toLocaleString()} ${classWords[name].name.toLowerCase()}`);
  return (
    <output className="import-tally" aria-busy={busy}>
      {open ? "Waiting for your answers" : parts.join(" · ") || "No rows"}
      {busy && <span className="unseen"> Counting again…</span>}
    </output>
  );
}
