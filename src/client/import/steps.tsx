import { Link } from "wouter";
import type { Import } from "../../shared/import.ts";

const steps = [
  { name: "file", label: "File" },
  { name: "columns", label: "Columns" },
  { name: "preview", label: "Preview" },
  { name: "result", label: "Result" },
] as const;

export type StepName = (typeof steps)[number]["name"];

/** The step of an import, as the address asks for it, if its state and open questions allow that. */
export function stepOf({ state, ambiguous }: Import, requested: string | null): StepName {
  if (state !== "preview") return "result";
  return requested === "preview" && ambiguous.length === 0 ? "preview" : "columns";
}

/** Where a new import begins: at its preview if its layout was mapped before. */
export function firstStepHref({ id, remembered, ambiguous }: Import): string {
  return stepHref(id, remembered !== null && ambiguous.length === 0 ? "preview" : "columns");
}

export function stepHref(id: string | null, step: StepName): string {
  if (id === null || step === "file") return "/domains/import";
  const params = new URLSearchParams({ id });
  if (step !== "columns") params.set("step", step);
  return `/domains/import?${params}`;
}

/** The steps of the wizard. Earlier steps are links while it is possible to return to them. */
export function StepList({ current, id }: { current: StepName; id: string | null }) {
  const currentIndex = steps.findIndex(({ name }) => name === current);
  return (
    <ol className="row note steps" aria-label="Steps">
      {steps.map(({ name, label }, index) => {
        const linked = index < currentIndex && (current !== "result" || name === "file");
        return (
          <li
            key={name}
            className={index < currentIndex ? "done" : undefined}
            aria-current={index === currentIndex ? "step" : undefined}
          >
            {linked ? <Link href={stepHref(id, name)}>{label}</Link> : label}
          </li>
        );
      })}
    </ol>
  );
}
