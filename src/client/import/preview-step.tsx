import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { HttpError } from "../http.ts";
import { type Import, ROW_CLASSES } from "../../shared/import.ts";
import { explain } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { commitImport, readImport } from "./import-api.ts";
import { PreviewRows } from "./preview-rows.tsx";
import { rowClassTexts, summarizeCounts } from "./row-classes.ts";
import { stepHref } from "./steps.tsx";
import "./preview-step.css";

/** Third step: every row by what a commit does with it, and the commit. */
export function PreviewStep({
  preview,
  onCommitted,
}: {
  preview: Import;
  onCommitted: (done: Import) => void;
}) {
  const { id, counts, fileName } = preview;
  const [, navigate] = useLocation();
  const requested = new URLSearchParams(useSearch()).get("class");
  const first = ROW_CLASSES.find((name) => counts[name] > 0) ?? "new";
  const shown = ROW_CLASSES.find((name) => name === requested) ?? first;
  const partlyRead = counts.partly;
  const writes = counts.new + counts.changed;

  return (
    <div className="import-preview">
      <p>
        <b>{fileName}</b>:{" "}
        {summarizeCounts({ "will be added": counts.new, "will be updated": counts.changed })}
      </p>
      {partlyRead > 0 && (
        <Notice tone="warn">
          {partlyRead === 1
            ? "1 row has a value that could not be read. That value is skipped."
            : `${partlyRead.toLocaleString()} rows have values that could not be read. Those values are skipped.`}
        </Notice>
      )}
      <ul className="class-filter" aria-label="Filter rows">
        {ROW_CLASSES.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={counts[name] > 0 ? `class-button ${name}` : "class-button none"}
              aria-pressed={shown === name}
              onClick={() =>
                navigate(`${stepHref(id, "preview")}&class=${name}`, { replace: true })
              }
            >
              <b>{counts[name].toLocaleString()}</b> {rowClassTexts[name].label}
            </button>
          </li>
        ))}
      </ul>
      <PreviewRows key={shown} id={id} shown={shown} count={counts[shown]} />
      <div className="import-foot">
        {writes > 0 ? (
          <Commit id={id} writes={writes} onCommitted={onCommitted} />
        ) : (
          <>
            <span className="import-tally">Nothing to import.</span>
            <Link href="/domains" className="button primary">
              All domains
            </Link>
          </>
        )}
      </div>
    </div>
  );
}

/** Writes the import into the register. */
function Commit({
  id,
  writes,
  onCommitted,
}: {
  id: string;
  writes: number;
  onCommitted: (done: Import) => void;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  async function commit() {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      onCommitted(await commitImport(id));
    } catch (error) {
      // It may be committed all the same: by another tab, or by a request whose response was lost.
      const found = await readImport(id).catch(() => null);
      if (found && found.state !== "preview") {
        onCommitted(found);
        return;
      }
      setFailure(error);
      setBusy(false);
    }
  }

  const unanswered = failure instanceof HttpError && failure.status === 0;
  return (
    <>
      {failure !== undefined && (
        <Notice>
          {explain(failure)} {unanswered && "You can safely try again: nothing is imported twice."}
        </Notice>
      )}
      <output className="import-tally">
        {busy && `Importing ${formatDomainCount(writes)}… `}
        {busy && <progress aria-label="Importing" />}
        {!busy && !unanswered && "Nothing is saved yet."}
      </output>
      <Button look="primary" aria-disabled={busy} onClick={() => void commit()}>
        Import {formatDomainCount(writes)}
      </Button>
    </>
  );
}
