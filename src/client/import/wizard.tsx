import { useEffect, useRef } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { Import } from "../../shared/import-contract.ts";
import { Failure } from "../session/failure.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ColumnsStep } from "./columns-step.tsx";
import { PreviewStep } from "./preview-step.tsx";
import { ResultStep } from "./result-step.tsx";
import { StartStep } from "./start-step.tsx";
import { addressOf, type StepName, stepOf } from "./step.ts";
import { StepList } from "./step-list.tsx";
import { useImport } from "./use-import.ts";
import { usePassedSteps } from "./use-passed-steps.ts";

const headings: Readonly<Record<StepName, string>> = {
  file: "Choose a file",
  columns: "Check the columns",
  preview: "Look before it is written",
  result: "What was imported",
};

const UNDONE = "The import was undone";

/**
 * The four steps. Which one, and of which import, is in the address: a reload goes on where it was,
 * and the back button goes one step back.
 */
export function Wizard() {
  const params = new URLSearchParams(useSearch());
  const id = params.get("id");
  const [, navigate] = useLocation();
  const state = useImport(id);
  const { current, error, put } = state;
  const step = id === null ? "file" : current && stepOf(current, params.get("step"));
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<StepName>(undefined);
  const passed = step === "result" && params.get("step") !== "result";
  usePassedSteps(passed ? params.toString() : null, shown);

  useEffect(() => {
    if (!step || step === shown.current) return;
    const arrived = shown.current !== undefined;
    shown.current = step;
    if (!arrived) return;
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [step]);

  function show(next: Import, at: StepName) {
    put(next);
    navigate(addressOf(next.id, at));
  }

  /** A commit goes on when its screen is left: then nobody is taken back to it. */
  function committed(done: Import) {
    put(done);
    const { pathname, search } = location;
    const here = pathname === addressOf(null, "file") && search.includes(done.id);
    if (here) navigate(addressOf(done.id, "result"), { replace: true });
  }

  if (!step) {
    if (error === undefined) return <Skeleton lines={8} label="Loading the import…" />;
    return (
      <>
        <Failure error={error} onRetry={state.load} />
        <Link href={addressOf(null, "file")}>Import another file</Link>
      </>
    );
  }
  return (
    <>
      <StepList at={step} id={id} />
      <h2 ref={heading} tabIndex={-1}>
        {current?.state === "undone" && step === "result" ? UNDONE : headings[step]}
      </h2>
      {step === "file" && <StartStep onImported={(added) => show(added, "columns")} />}
      {step === "columns" && current && (
        <ColumnsStep
          key={current.id}
          state={{ ...state, current }}
          onNext={(next) => show(next, "preview")}
        />
      )}
      {step === "preview" && current && (
        <PreviewStep key={current.id} preview={current} onCommitted={committed} />
      )}
      {step === "result" && current && <ResultStep done={current} onUndone={put} />}
    </>
  );
}
