import { Link } from "wouter";
import { addressOf, type StepName, steps, stepWords } from "./step.ts";
import "./step-list.css";

/** Where one is in the wizard. Steps that can be gone back to are links. */
export function StepList({ at, id }: { at: StepName; id: string | null }) {
  const now = steps.indexOf(at);
  return (
    <ol className="step-list" aria-label="Steps">
      {steps.map((step, index) => {
        const open = index < now && (at !== "result" || step === "file");
        return (
          <li
            key={step}
            className={index < now ? "done" : undefined}
            aria-current={index === now ? "step" : undefined}
          >
            {open ? <Link href={addressOf(id, step)}>{stepWords[step]}</Link> : stepWords[step]}
          </li>
        );
      })}
    </ol>
  );
}
