import type { BulkSelection } from "../../../shared/register-contract.ts";
import { parseList, parseRecord, textOrNull } from "../../../shared/parse-json.ts";
import { type BulkName, type BulkValues, bulkTexts, NO_CHANGE } from "./bulk-values.ts";
import { store, readStoredJson } from "../../session/session-storage.ts";
import { parseView, viewToFilters } from "../filter/view.ts";

/** The names that a bulk change is for, as they were when its dialog was opened. */
export interface BulkNames {
  /** The address of the view that they were selected in. */
  search: string;
  /** Null: all that the view shows, seen or not. */
  ids: readonly string[] | null;
  /** How many names that is, as the person saw it. */
  selected: number;
}

/** A bulk edit that is being filled in. */
export interface BulkDraft {
  names: BulkNames;
  values: BulkValues;
}

const NAMES = "bulk-names";
const VALUES = "bulk-values";

/** The names as the API takes them. */
export function toBulkSelection({ search, ids, selected }: BulkNames): BulkSelection {
  if (ids) return { ids: [...ids] };
  return { filter: viewToFilters(parseView(search)), expectedCount: selected };
}

/** Keeps for this tab what a bulk edit is for. It may be 20,000 ids: once is enough for a dialog. */
export function keepBulkNames(names: BulkNames): void {
  store(NAMES, JSON.stringify(names));
}

/** Keeps for this tab what is filled in. */
export function keepBulkValues(values: BulkValues): void {
  store(VALUES, JSON.stringify(values));
}

/** Forgets the bulk edit: it was done, or given up. */
export function dropBulkDraft(): void {
  store(NAMES, null);
  store(VALUES, null);
}

/** The bulk edit that was being filled in over this view, if there is one that can be read. */
export function readBulkDraft(search: string): BulkDraft | null {
  const values = readStoredJson(VALUES, parseValues);
  const names = readStoredJson(NAMES, parseNames);
  return values && names?.search === search ? { names, values } : null;
}

function parseNames(json: unknown): BulkNames {
  const { search, ids, selected } = parseRecord(json);
  return {
    search: String(search),
    ids: ids === null ? null : parseList(ids, String),
    selected: Number(selected),
  };
}

function parseValues(json: unknown): BulkValues {
  const given = parseRecord(json);
  const clear = parseList(given.clear, String);
  const text = (name: BulkName) => textOrNull(given[name]) ?? NO_CHANGE[name];
  return {
    registrar: text("registrar"),
    account: text("account"),
    owner: text("owner"),
    decision: text("decision"),
    autoRenew: text("autoRenew"),
    addTags: text("addTags"),
    removeTags: text("removeTags"),
    clear: bulkTexts.filter((name) => clear.includes(name)),
  };
}
