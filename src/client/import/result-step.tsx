import { Link } from "wouter";
import type { Import } from "../../shared/import.ts";
import { fieldInWords } from "../../shared/fields.ts";
import { formatDomainCount } from "../ui/format.ts";
import { summarizeCounts } from "./row-classes.ts";
import { stepHref } from "./steps.tsx";
import { UndoButton } from "./undo-button.tsx";

/** Last step: what was imported or, after an undo, what was restored and what was kept. */
export function ResultStep({
  done,
  onUndone,
}: {
  done: Import;
  onUndone: (undone: Import) => void;
}) {
  const { counts, fileName, undo } = done;

  return (
    <div className="import-result">
      {undo ? (
        <Undone undo={undo} fileName={fileName} />
      ) : (
        <>
          <output>
            <b>{fileName}</b>: {summarizeCounts({ added: counts.new, updated: counts.changed })}
          </output>
          <p>{summarizeSkipped(done)}</p>
        </>
      )}
      <div className="import-actions">
        <Link href={undo ? "/domains" : listHref(done)} className="button primary">
          Show domains
        </Link>
        <Link href={stepHref(null, "file")} className="button">
          Import another file
        </Link>
        {done.state === "committed" && (
          <UndoButton done={done} onUndone={onUndone}>
            Undo this import
          </UndoButton>
        )}
      </div>
    </div>
  );
}

/** The list of domains, filtered by the registrar where the whole file is from one. */
function listHref({ columns, defaults, format }: Import): string {
  const registrar = defaults.registrar ?? format;
  if (!registrar || columns.some(({ field }) => field === "registrar")) return "/domains";
  return `/domains?registrar=${encodeURIComponent(registrar)}`;
}

function summarizeSkipped({ counts }: Import): string {
  const skipped = (count: number, kind: string) =>
    `${count.toLocaleString()} ${kind} ${count === 1 ? "row" : "rows"} skipped`;
  const { same, duplicate, invalid, missing } = counts;
  const parts = [
    same > 0 && `${formatDomainCount(same)} already up to date`,
    duplicate > 0 && skipped(duplicate, "duplicate"),
    invalid > 0 && skipped(invalid, "invalid"),
    missing > 0 && `${formatDomainCount(missing)} at this registrar not in the file`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `${parts.join(", ")}.` : "All rows were imported.";
}

function Undone({ undo, fileName }: { undo: NonNullable<Import["undo"]>; fileName: string }) {
  const { removed, restored, kept } = undo;
  return (
    <>
      <output>
        <b>{fileName}</b>: {summarizeCounts({ removed, restored })}
      </output>
      {kept.length > 0 && (
        <section className="import-kept">
          <h3>Kept because they were edited after the import</h3>
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
