import { useState } from "react";
import { Link } from "wouter";
import type { Import } from "../../shared/import.ts";
import { fieldInWords } from "../../shared/fields.ts";
import { Button } from "../ui/button.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { stepHref } from "./steps.tsx";
import { UndoDialog } from "./undo-dialog.tsx";

/** Last step: what was written, or what was taken back and what was not. */
export function ResultStep({
  done,
  onUndone,
}: {
  done: Import;
  onUndone: (undone: Import) => void;
}) {
  const [asking, setAsking] = useState(false);
  const { counts, fileName, undo } = done;

  return (
    <div className="import-result">
      {undo ? (
        <Undone undo={undo} fileName={fileName} />
      ) : (
        <>
          <output>
            <b>{fileName}</b>: {formatDomainCount(counts.new)} added,{" "}
            {counts.changed.toLocaleString()} changed.
          </output>
          <p>{leftOut(done)}</p>
        </>
      )}
      <div className="import-actions">
        <Link href={undo ? "/domains" : namesOf(done)} className="button primary">
          Show the names
        </Link>
        <Link href={stepHref(null, "file")} className="button">
          Import another file
        </Link>
        {done.state === "committed" && (
          <Button onClick={() => setAsking(true)}>Undo this import</Button>
        )}
      </div>
      {asking && (
        <UndoDialog
          done={done}
          onClose={() => setAsking(false)}
          onUndone={(undone) => {
            setAsking(false);
            onUndone(undone);
          }}
        />
      )}
    </div>
  );
}

/** Where the names are listed: those of its registrar, where the whole file is of one. */
function namesOf({ columns, defaults, format }: Import): string {
  const registrar = defaults.registrar ?? format;
  if (!registrar || columns.some(({ field }) => field === "registrar")) return "/domains";
  return `/domains?registrar=${encodeURIComponent(registrar)}`;
}

function leftOut({ counts }: Import): string {
  const parts = [
    counts.same > 0 && `${counts.same.toLocaleString()} were the same before`,
    counts.duplicate > 0 && `${counts.duplicate.toLocaleString()} repeated rows were left out`,
    counts.invalid > 0 && `${counts.invalid.toLocaleString()} rows could not be read`,
    counts.missing > 0 &&
      `${formatDomainCount(counts.missing)} of this registrar were not in the file`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `${parts.join("; ")}.` : "Nothing was left out.";
}

function Undone({ undo, fileName }: { undo: NonNullable<Import["undo"]>; fileName: string }) {
  const { removed, restored, kept } = undo;
  const left = removed > 0 && `${formatDomainCount(removed)} left the register`;
  const back = restored > 0 && `${formatDomainCount(restored)} became what they were before`;
  const parts = [left, back].filter((part) => part !== false);
  return (
    <>
      <output>
        <b>{fileName}</b> was undone: {parts.join(", and ") || "no name had to change"}.
      </output>
      {kept.length > 0 && (
        <section className="import-kept">
          <h3>Kept, because somebody has edited them since</h3>
          <ul className="import-kept-list">
            {kept.map(({ name, unicode, fields }) => (
              <li key={name}>
                <Link href={`/domains/${encodeURIComponent(name)}`}>{unicode}</Link>
                {fields.length > 0 && <small>{fields.map(fieldInWords).join(", ")}</small>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
