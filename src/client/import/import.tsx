import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { type Import, parseImport } from "../../shared/import.ts";
import { urlOf } from "../base-path.ts";
import { useResource } from "../register/resource.tsx";
import { failedResponse, Failure } from "../session/failure.tsx";
import { Screen } from "../register/screen.tsx";
import { pendingFiles } from "../register/pending-import.tsx";
import { useFileDrop } from "../ui/drop-zone.tsx";
import { Notice, Skeleton } from "../ui/notice.tsx";
import { ColumnsStep } from "./columns-step.tsx";
import { importPath } from "./import-actions.tsx";
import { PreviewStep } from "./preview-step.tsx";
import { ResultStep } from "./result-step.tsx";
import { StartStep } from "./start-step.tsx";
import { firstStepHref, stepHref, StepList, type StepName, stepOf } from "./steps.tsx";
import "../common.ts";
import "../common-editing.ts";
import "./import.css";

const headings: Readonly<Record<StepName, string>> = {
  file: "Choose files",
  columns: "Check the columns",
  preview: "Review changes",
  result: "Import complete",
};

/** Screen `/domains/import`: from a registrar's export to domains in the register, and back. */
export default function ImportScreen() {
  return (
    <Screen className="import" heading="Import domains" above="/domains" lines={8}>
      <Wizard />
    </Screen>
  );
}

/** The steps. The address holds the import and the step, so reload and back work. */
function Wizard() {
  const params = new URLSearchParams(useSearch());
  const id = params.get("id");
  const [, navigate] = useLocation();
  // What another call has returned, else what is read.
  const [latest, put] = useState<Import>();
  const own = latest?.id === id ? latest : undefined;
  const read = useResource(id === null || own ? null : importPath(id), parseImport);
  const current = own ?? read.value;
  const step = id === null ? "file" : current && stepOf(current, params.get("step"));
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<StepName>(undefined);
  const skippedAddress = step === "result" && params.get("step") !== step ? `${params}` : null;
  const direction = useRef<"back" | "forward">(undefined);

  // After a commit, the columns and the preview in the history show the result: back and forward
  // pass over them, in the direction in which the person was going.
  useEffect(() => {
    if (skippedAddress === null) direction.current = undefined;
    else if (shown.current === "result") direction.current ??= "back";
    else if (shown.current === "file") direction.current ??= "forward";
    if (direction.current) history[direction.current]();
  }, [skippedAddress]);

  const isUndone = step === "result" && current?.state === "undone";
  const title = step && (isUndone ? "Import undone" : headings[step]);
  useEffect(() => {
    if (!step || !title) return;
    const isFirst = shown.current === undefined;
    shown.current = step;
    if (isFirst) return;
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [step, title]);

  function show(next: Import, href: string) {
    put(next);
    navigate(href);
  }

  /** Begins with files that were dropped at a later step. */
  function takeFiles(files: readonly File[]) {
    pendingFiles.set(files);
    navigate(stepHref(null, "file"));
  }

  /** Shows the result, unless the person has left the import during the commit. */
  function showResult(done: Import) {
    put(done);
    const { pathname, search } = location;
    const stillHere = pathname === urlOf(stepHref(null, "file")) && search.includes(done.id);
    if (stillHere) navigate(stepHref(done.id, "result"), { replace: true });
  }

  if (!step) {
    if (read.error === undefined) return <Skeleton lines={8} label="Loading the import…" />;
    const isGone = failedResponse(read.error).status === 404;
    return (
      <>
        {isGone ? (
          <Notice>This import no longer exists.</Notice>
        ) : (
          <Failure error={read.error} onRetry={read.reload} />
        )}
        <p>
          <Link href={stepHref(null, "file")}>Import another file</Link>
        </p>
      </>
    );
  }
  return (
    <>
      <StepList current={step} id={id} />
      <div className="row">
        <h2 ref={heading} className="large" tabIndex={-1}>
          {title}
        </h2>
        {current && <span className="note">{current.fileName}</span>}
      </div>
      {step === "file" ? (
        <StartStep
          onImported={(added) => show(added, firstStepHref(added))}
          onUndone={(undone) => show(undone, stepHref(undone.id, "result"))}
        />
      ) : (
        <DropTarget onFiles={takeFiles} />
      )}
      {step === "columns" && current && (
        <ColumnsStep
          key={current.id}
          current={current}
          onSaved={put}
          onNext={(next) => show(next, stepHref(next.id, "preview"))}
        />
      )}
      {step === "preview" && current && (
        <PreviewStep key={current.id} preview={current} onSaved={put} onCommitted={showResult} />
      )}
      {step === "result" && current && <ResultStep done={current} onUndone={put} />}
    </>
  );
}

function DropTarget({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  useFileDrop(onFiles);
  return null;
}
