import { Link } from "wouter";
import type { Import, ImportCounts, ImportUndo } from "../../shared/import.ts";
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
  const effects = undo
    ? { removed: undo.removed, restored: undo.restored }
    : { added: counts.new, updated: counts.changed };

  return (
    <div className="import-result">
      <output>
        <b>{fileName}</b>: {summarizeCounts(effects)}
      </output>
      {undo ? <Kept domains={undo.kept} /> : <p>{summarizeSkipped(counts)}</p>}
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

function summarizeSkipped({ same, duplicate, invalid, missing }: ImportCounts): string {
  const skipped = (count: number, kind: string) =>
    `${count.toLocaleString()} ${kind} ${count === 1 ? "row" : "rows"} skipped`;
  const parts = [
    same > 0 && `${formatDomainCount(same)} already up to date`,
    duplicate > 0 && skipped(duplicate, "duplicate"),
    invalid > 0 && skipped(invalid, "invalid"),
    missing > 0 && `${formatDomainCount(missing)} at this registrar not in the file`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `${parts.join(", ")}.` : "All rows were imported.";
}

/** The domains that an undo kept, with the fields that it did not restore. */
function Kept({ domains }: { domains: ImportUndo["kept"] }) {
  if (domains.length === 0) return null;
  return (
    <section className="import-kept">
      <h3>Kept because they were edited after the import</h3>
      <ul className="import-kept-list">
        {domains.map(({ name, unicode, fields }) => (
          <li key={name}>
            <Link href={`/domains/${name}`}>{unicode}</Link>
            {fields.length > 0 && <small>{fields.map(fieldInWords).join(", ")}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}
