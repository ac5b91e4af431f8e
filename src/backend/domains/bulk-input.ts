import type { FieldProblem } from "../../shared/contract.ts";
import { expected, Fields } from "../http/fields.ts";
import { FILTER_PARAMETERS, readFilter, type DomainFilter } from "./domain-filter.ts";
import { DECISIONS, LIMITS, readTags, type DomainValues } from "./domain-input.ts";
import { foldLabel } from "./label.ts";
import { readParameters } from "./parameters.ts";

/** Which names: these, all of which must be there, or those that match if they are so many. */
export type Selection =
  | { kind: "ids"; ids: readonly string[] }
  | { kind: "filter"; filter: DomainFilter; expectedCount: number };

/** What to do with each; what is absent stays. */
export type Operation =
  | { kind: "delete" }
  | { kind: "edit"; values: BulkValues; addTags: string[]; removeTags: string[] };

export type BulkValues = Pick<
  DomainValues,
  "registrar" | "account" | "owner" | "decision" | "autoRenew"
>;

export interface Bulk {
  selection: Selection;
  operation: Operation;
}

/** Names that one request can list; more are selected by a filter. */
const MAX_IDS = 200_000;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const VALUES = ["registrar", "account", "owner", "decision", "autoRenew"] as const;

/** Checks the body of `POST /api/domains/bulk` by the rules of PATCH, all bad fields at once. */
export function parseBulk(json: unknown): Bulk | FieldProblem[] {
  const fields = new Fields(json, ["select", "op"]);
  if (fields.problems.length > 0) return fields.problems;
  const problems: FieldProblem[] = [];
  const selection = readSelection(fields.value("select"), problems);
  const operation = readOperation(fields.value("op"), problems);
  if (problems.length > 0 || selection === null || operation === null) return problems;
  return { selection, operation };
}

function readSelection(json: unknown, problems: FieldProblem[]): Selection | null {
  const fields = new Fields(json, ["ids", "filter", "expectedCount"], "/select");
  const byFilter = fields.has("filter");
  if (fields.problems.length === 0 && byFilter === fields.has("ids")) {
    fields.refuse("ids", "choice", "Expected either ids, or filter and expectedCount");
  }
  if (fields.problems.length > 0) {
    problems.push(...fields.problems);
    return null;
  }
  if (!byFilter) {
    const ids = readIds(fields);
    problems.push(...fields.problems);
    return ids && { kind: "ids", ids };
  }
  const filter = readFilterObject(fields.value("filter"), problems);
  const expectedCount = fields.integer("expectedCount", 0, Number.MAX_SAFE_INTEGER);
  problems.push(...fields.problems);
  if (filter === null || expectedCount === null) return null;
  return { kind: "filter", filter, expectedCount };
}

function readIds(fields: Fields): string[] | null {
  const value = fields.value("ids");
  const ids: unknown[] = Array.isArray(value) ? value : [];
  if (ids.length === 0 || ids.length > MAX_IDS) {
    const came = Array.isArray(value) ? ids.length : "no list";
    return fields.refuse("ids", "type", `Expected 1 to ${MAX_IDS} ids, but got ${came}`);
  }
  const known = new Set<string>();
  for (const [index, id] of ids.entries()) {
    if (typeof id === "string" && ID.test(id)) known.add(id);
    else return fields.refuse("ids", "type", expected("the id of a domain", id), index);
  }
  return [...known];
}

/** The filter as the list takes it in its URL: the same words, checked by the same rules. */
function readFilterObject(json: unknown, problems: FieldProblem[]): DomainFilter | null {
  const at = "/select/filter";
  const fields = new Fields(json, FILTER_PARAMETERS, at);
  const texts = FILTER_PARAMETERS.filter((name) => fields.has(name)).map((name) => {
    const value = fields.value(name);
    if (typeof value !== "string") fields.refuse(name, "type", expected("text", value));
    return [name, String(value)];
  });
  const reader = readParameters(new URLSearchParams(texts), FILTER_PARAMETERS, at);
  const filter = readFilter(reader);
  const found = fields.problems.length > 0 ? fields.problems : reader.problems;
  problems.push(...found);
  return found.length > 0 ? null : filter;
}

function readOperation(json: unknown, problems: FieldProblem[]): Operation | null {
  const fields = new Fields(json, ["kind", ...VALUES, "addTags", "removeTags"], "/op");
  const kind = fields.problems.length === 0 ? fields.choice("kind", ["edit", "delete"]) : null;
  const values: BulkValues = {};
  if (fields.has("registrar")) values.registrar = fields.label("registrar", LIMITS.label);
  if (fields.has("account")) values.account = fields.label("account", LIMITS.label);
  if (fields.has("owner")) values.owner = fields.label("owner", LIMITS.label);
  if (fields.has("decision")) values.decision = fields.choice("decision", DECISIONS);
  if (fields.has("autoRenew")) values.autoRenew = fields.flag("autoRenew");
  const addTags = fields.has("addTags") ? readTags(fields, "addTags") : [];
  const removeTags = fields.has("removeTags") ? readTags(fields, "removeTags") : [];
  const removed = new Set(removeTags.map(foldLabel));
  if (addTags.some((tag) => removed.has(foldLabel(tag)))) {
    fields.refuse("addTags", "contradiction", "Expected no tag to be both added and removed");
  }
  const changes = Object.keys(values).length + addTags.length + removeTags.length;
  if (fields.problems.length === 0) checkKind(fields, kind, changes);
  problems.push(...fields.problems);
  return kind === "delete" ? { kind } : { kind: "edit", values, addTags, removeTags };
}

function checkKind(fields: Fields, kind: "edit" | "delete" | null, changes: number): void {
  if (kind === null) fields.refuse("kind", "choice", "Expected edit or delete");
  if (kind === "edit" && changes === 0) {
    fields.refuse("kind", "required", "Expected something to change");
  }
  if (kind === "delete" && changes > 0) {
    fields.refuse("kind", "contradiction", "Expected nothing to change in what is deleted");
  }
}
