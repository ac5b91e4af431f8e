import type { DateOrder, Import } from "../../shared/import-contract.ts";
import { parseList, parseRecord } from "../../shared/parse-json.ts";
import { keepTab, readTab, readTabJson } from "../tab-store.ts";
import type { ColumnChoice } from "./column-choice.ts";
import { fieldNames } from "./import-words.ts";
import { parseField, parseOrders } from "./parse-import.ts";

const keyOf = (id: string) => `import-answers-${id}`;
const orderKeyOf = (id: string) => `import-order-${id}`;

/** Keeps for this tab what was chosen for the columns: the server takes all answers at once. */
export function keepAnswers(id: string, choice: ColumnChoice): void {
  keepTab(keyOf(id), JSON.stringify(choice));
}

/** Forgets a choice that the server has taken, unless another one was made meanwhile. */
export function dropAnswers(id: string, taken: ColumnChoice): void {
  if (readTab(keyOf(id)) === JSON.stringify(taken)) keepTab(keyOf(id), null);
}

/** Keeps for this tab how dates are written; null forgets it. */
export function keepOrder(id: string, order: DateOrder | null): void {
  keepTab(orderKeyOf(id), order);
}

/** How dates are written, where that was answered and the server has not taken it. */
export function readOrder(id: string): DateOrder | null {
  return parseOrders([readTab(orderKeyOf(id))])[0] ?? null;
}

/** What was chosen and the server does not know yet; null where there is nothing that fits the file. */
export function readAnswers({ id, columns }: Import): ColumnChoice | null {
  const kept = readTabJson(keyOf(id), parseChoice);
  const fits = kept?.mapping.every((meaning, at) => meaning === "ignore" || !columns[at]?.secret);
  return fits && kept?.mapping.length === columns.length ? kept : null;
}

function parseChoice(json: unknown): ColumnChoice {
  const { mapping, open } = parseRecord(json);
  const asked = parseList(open, String);
  return {
    mapping: parseList(mapping, parseField),
    open: fieldNames.filter((name) => asked.includes(name)),
  };
}
