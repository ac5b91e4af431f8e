import type { Import } from "../../shared/import-contract.ts";

/** The steps of the wizard, in order. */
export const steps = ["file", "columns", "preview", "result"] as const;

export type StepName = (typeof steps)[number];

/** What the list of steps calls them. */
export const stepWords: Readonly<Record<StepName, string>> = {
  file: "File",
  columns: "Columns",
  preview: "Preview",
  result: "Result",
};

/**
 * The step that an import is shown at. What is committed has nothing left to decide, and there is
 * no preview of what is not decided.
 */
export function stepOf({ state, ambiguous }: Import, wanted: string | null): StepName {
  if (state !== "preview") return "result";
  return wanted === "preview" && ambiguous.length === 0 ? "preview" : "columns";
}

/** The address of a step. */
export function addressOf(id: string | null, step: StepName): string {
  if (id === null || step === "file") return "/domains/import";
  const params = new URLSearchParams({ id });
  if (step !== "columns") params.set("step", step);
  return `/domains/import?${params}`;
}
