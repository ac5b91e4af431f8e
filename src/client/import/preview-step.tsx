import { Link, useLocation, useSearch } from "wouter";
import type { Import, ImportCounts, RowClass } from "../../shared/import-contract.ts";
import { Notice } from "../ui/notice.tsx";
import { ClassFilter } from "./class-filter.tsx";
import { CommitButton } from "./commit-button.tsx";
import { wasCommitSent } from "./commit-key.ts";
import { rowClasses } from "./import-words.ts";
import { namesInWords } from "../ui/names-in-words.ts";
import { RowList } from "./row-list.tsx";
import { addressOf } from "./step.ts";

/** Third step: every row by what would happen to it, and then making it happen. */
export function PreviewStep({
  preview,
  onCommitted,
}: {
  preview: Import;
  onCommitted: (done: Import) => void;
}) {
  const { id, counts, fileName } = preview;
  const [, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get("class");
  const first = rowClasses.find((name) => counts[name] > 0) ?? "new";
  const shown = rowClasses.find((name) => name === asked) ?? first;
  const writes = counts.new + counts.changed;

  function show(next: RowClass) {
    navigate(`${addressOf(id, "preview")}&class=${next}`, { replace: true });
  }

  return (
    <div className="import-preview">
      <p>
        <b>{fileName}</b>: {plan(counts)} {!wasCommitSent(id) && "Nothing is written yet."}
      </p>
      {counts.withProblems > 0 && (
        <Notice tone="warn">
          In {counts.withProblems.toLocaleString()} {counts.withProblems === 1 ? "row" : "rows"}{" "}
          something could not be read: it stays unknown, the rest counts.
        </Notice>
      )}
      <ClassFilter counts={counts} shown={shown} onShow={show} />
      <RowList key={shown} id={id} shown={shown} count={counts[shown]} />
      <div className="import-foot">
        {writes > 0 ? (
          <CommitButton id={id} writes={writes} onCommitted={onCommitted} />
        ) : (
          <>
            <span className="import-tally">The register stays as it is.</span>
            <Link href="/domains" className="button primary">
              Show the names
            </Link>
          </>
        )}
      </div>
    </div>
  );
}

function plan(counts: ImportCounts): string {
  const added = counts.new > 0 && `${namesInWords(counts.new)} will be added`;
  const changed = counts.changed > 0 && `${namesInWords(counts.changed)} will be changed`;
  const parts = [added, changed].filter((part) => part !== false);
  return parts.length > 0 ? `${parts.join(" and ")}.` : "there is nothing new in it.";
}
