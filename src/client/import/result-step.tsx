import { Link } from "wouter";
import {
  type Import,
  type ImportCounts,
  type ImportUndo,
  parseImportList,
} from "../../shared/import.ts";
import { fieldInWords } from "../../shared/fields.ts";
import { formatCount, formatDomainCount, formatNumber } from "../ui/format.ts";
import { useResource } from "../register/resource.tsx";
import { IMPORTS, LeftOutLink, UndoImport } from "./import-actions.tsx";
import { firstStepHref, stepHref } from "./steps.tsx";
import { wereChosenTogether } from "./uploads.tsx";

/** Last step: what was imported or, after an undo, restored and kept. */
export function ResultStep(props: { done: Import; onUndone: (undone: Import) => void }) {
  const { done, onUndone } = props;
  const { id, counts, undo } = done;
  const { value: imports } = useResource(IMPORTS, parseImportList);
  const drafts = (imports?.items ?? []).filter(
    (each) => each.state === "preview" && wereChosenTogether(each.id, id),
  );
  const next = drafts.at(-1);
  const effects = undo
    ? { removed: undo.removed, restored: undo.restored }
    : { added: counts.new, updated: counts.changed };

  return (
    <div className="stack">
      <output>{summarizeCounts(effects)}</output>
      {undo ? <Kept domains={undo.kept} /> : <p>{summarizeSkipped(counts)}</p>}
      {!undo && <LeftOutLink done={done} />}
      <div className="row">
        {next && (
          <Link href={firstStepHref(next)} className="button main">
            {`Next file: ${next.fileName}`}
            {drafts.length > 1 && ` (${formatNumber(drafts.length)} left)`}
          </Link>
        )}
        <Link
          href={undo ? "/domains" : `/domains?import=${id}`}
          className={next ? "button" : "button main"}
        >
          {undo ? "All domains" : "Show these domains"}
        </Link>
        <Link href={stepHref(null, "file")} className="button">
          Import another file
        </Link>
        {done.state === "committed" && (
          <UndoImport label="Undo this import" done={done} onUndone={onUndone} />
        )}
      </div>
    </div>
  );
}

/** Counts domains by what happens to them: `3 domains added, 1 domain updated.` */
function summarizeCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([verb, count]) => `${formatDomainCount(count)} ${verb}`);
  return parts.length > 0 ? `${parts.join(", ")}.` : "No changes.";
}

function summarizeSkipped({ same, duplicate, invalid, skipped, missing }: ImportCounts): string {
  const parts = [
    same > 0 && `${formatDomainCount(same)} already up to date`,
    duplicate > 0 && `${formatCount(duplicate, "duplicate row")} skipped`,
    invalid > 0 && `${formatCount(invalid, "invalid row")} skipped`,
    skipped > 0 && `${formatDomainCount(skipped)} left out`,
    missing > 0 && `${formatDomainCount(missing)} at this registrar not in the file`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join(", ")}.` : "All rows were imported.";
}

/** Domains that an undo kept, with the fields that it did not restore. */
function Kept({ domains }: { domains: ImportUndo["kept"] }) {
  if (domains.length === 0) return null;
  return (
    <section className="stack">
      <h3>Kept because they were edited after the import</h3>
      <ul className="list">
        {domains.map(({ name, unicode, fields }) => (
          <li className="row" key={name}>
            <Link href={`/domains/${name}`}>{unicode}</Link>
            {fields.length > 0 && <small>{fields.map(fieldInWords).join(", ")}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}
