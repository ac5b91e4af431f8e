import type { FieldProblem } from "../../../shared/contract.ts";
import { expected } from "../../../shared/parse.ts";
import type { ColumnAnalysis } from "./analysis.ts";
import { FIELDS, type Field, type Mapping } from "./field.ts";

/** How a mapping from outside is refused: `pointer` is relative to the mapping, such as `/3`. */
export type MappingProblems = FieldProblem[];

/**
 * Checks a mapping that a client sends: one entry per column, each a field or `ignore`, exactly one
 * `name`, no field twice, and no column that is never read.
 */
export function parseMapping(
  json: unknown,
  columns: readonly ColumnAnalysis[],
): { mapping: Mapping } | { problems: MappingProblems } {
  const entries: unknown[] = Array.isArray(json) ? json : [];
  if (entries.length !== columns.length) {
    const detail = expected(`a list of ${columns.length} fields, one for each column`, json);
    return { problems: [{ pointer: "", code: "type", detail }] };
  }
  const problems: MappingProblems = [];
  const mapping: Mapping = entries.map((entry, index) => {
    const field = toField(entry);
    const fault = field === null ? "choice" : faultOf(field, index, { entries, columns });
    if (fault !== null)
      problems.push({ pointer: `/${index}`, code: fault, detail: DETAILS[fault] });
    return field ?? "ignore";
  });
  if (problems.length === 0 && !mapping.includes("name")) {
    problems.push({ pointer: "", code: "required", detail: "Expected one column to be the name" });
  }
  return problems.length > 0 ? { problems } : { mapping };
}

const DETAILS = {
  choice: `Expected ignore or one of ${FIELDS.join(", ")}`,
  secret: "Expected ignore: columns of secrets and contact data are never read",
  repeated: "Expected each field once, but another column has this one",
} as const;

function toField(entry: unknown): Field | "ignore" | null {
  return entry === "ignore" ? entry : (FIELDS.find((field) => field === entry) ?? null);
}

function faultOf(
  field: Field | "ignore",
  index: number,
  given: { entries: readonly unknown[]; columns: readonly ColumnAnalysis[] },
): "secret" | "repeated" | null {
  if (field === "ignore") return null;
  if (given.columns[index]?.secret) return "secret";
  return given.entries.indexOf(field) < index ? "repeated" : null;
}
