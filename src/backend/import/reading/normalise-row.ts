import type { Decision } from "../../../shared/contract.ts";
import type { ImportValues } from "../../../shared/import-contract.ts";
import { DECISIONS } from "../../../shared/domain.ts";
import { parseDomainName, type DomainName } from "../../domains/domain-name.ts";
import { foldLabel } from "../../../shared/text.ts";
import type { Analysis } from "../columns/analysis.ts";
import { readDate } from "../values/date-reading.ts";
import type { Field } from "../columns/field.ts";
import { parseFlag } from "../values/flags.ts";
import type { ImportRow } from "./import-row.ts";
import { isNone } from "../values/none-words.ts";
import type { TableRow } from "./read-table.ts";
import { RowCells } from "./row-cells.ts";
import { quotable } from "../../../shared/parse.ts";
import { memoize } from "../../../shared/memoize.ts";
import { readPrice, type PriceContext } from "./row-price.ts";
import { readLabel, readNotes, readTags, type RowText } from "./row-texts.ts";

/**
 * Makes the reader of a file's rows: each gives the name and what the row says of it, with a
 * reason for whatever could not be read. `repeats` is left to the caller, who sees all rows.
 */
export function createNormaliser(analysis: Analysis): (row: TableRow) => ImportRow {
  const { mapping, own, registrar, defaults } = analysis;
  const columns = (field: Field): number => mapping.indexOf(field);
  const dates = analysis.columns[columns("expires")]?.dates ?? null;
  const price = priceContext(analysis, columns("renewalPrice"));

  const readDay = memoize((cell) => dates && readDate(cell, dates));
  const readFlag = memoize(parseFlag);
  const label = memoize((cell) => readLabel(cell, own));
  const tags = memoize((cell) => readTags(cell, own));
  const amount = memoize((cells) => {
    const [written = "", currency = "", years = ""] = cells.split("\u0000");
    return readPrice({ price: written, currency, years }, price);
  });

  return (row) => {
    const cells = new RowCells(row, analysis);
    const name = readName(cells);
    const { blank, problems } = cells;
    if (name === null) return { line: row.line, name, values: {}, blank, problems, repeats: null };
    const besides = `\u0000${cells.peek("currency")}\u0000${cells.peek("years")}`;
    const values = said({
      expires: cells.read("expires", "unreadable-date", readDay),
      autoRenew: cells.read("autoRenew", "unreadable-flag", readFlag),
      renewal: cells.read("renewalPrice", "unreadable-price", (cell) => amount(cell + besides)),
      registrar:
        cells.read("registrar", "unreadable-text", label) ?? defaults.registrar ?? registrar,
      account: cells.read("account", "unreadable-text", label) ?? defaults.account,
      owner: cells.read("owner", "unreadable-text", label) ?? defaults.owner,
      tags: joinTags(cells.read("tags", "unreadable-text", tags), defaults.tags),
      decision: cells.read("decision", "unreadable-text", readDecision),
      notes: cells.read("notes", "unreadable-text", (cell) => readNotes(cell, own)),
    });
    return { line: row.line, name, values, blank, problems, repeats: null };
  };
}

function readName(cells: RowCells): DomainName | null {
  const cell = cells.peek("name");
  const name = parseDomainName(cell);
  if (!("code" in name)) return name;
  // An address is personal, and a cell that slipped from another column may be.
  const isShown = cells.isSound && !cell.includes("@") && cell.trim() !== "";
  const given = isShown ? ` (${quotable(JSON.stringify(cell.trim().slice(0, 80)))})` : "";
  const detail = `${name.detail}${given}`;
  cells.problems.push({ field: "name", code: "invalid-name", detail });
  return null;
}

function priceContext(analysis: Analysis, column: number): PriceContext {
  const { money = null, currency: header = null } = analysis.columns[column] ?? {};
  // Our own export writes a dot, also in a file whose every price happens to be whole.
  const reading = analysis.own ? ({ decimal: "." } as const) : (money ?? { decimal: null });
  const fallback = analysis.defaults.currency ?? null;
  return { reading, header, dollar: analysis.dollar, fallback, own: analysis.own };
}

/** The tags of the row and those that a person gives to every name, each once. */
function joinTags(own: string[] | null, given: string[] | undefined): string[] | null {
  if (own === null || given === undefined) return own ?? given ?? null;
  const keys = new Set(own.map(foldLabel));
  return [...own, ...given.filter((tag) => !keys.has(foldLabel(tag)))];
}

function readDecision(cell: string): RowText<Decision> {
  const word = cell.trim().toLowerCase();
  if (isNone(word)) return null;
  return (
    DECISIONS.find((each) => each === word) ?? {
      reason: `Expected ${DECISIONS.join(", ")} or nothing`,
    }
  );
}

/** The values without those that nobody says, so that "not said" is always "not there". */
function said(values: {
  [K in keyof ImportValues]: ImportValues[K] | null | undefined;
}): ImportValues {
  const { expires, autoRenew, renewal, registrar, account, owner, tags, decision, notes } = values;
  return {
    ...(expires && { expires }),
    ...(typeof autoRenew === "boolean" && { autoRenew }),
    ...(renewal && { renewal }),
    ...(registrar && { registrar }),
    ...(account && { account }),
    ...(owner && { owner }),
    ...(tags && { tags }),
    ...(decision && { decision }),
    ...(notes && { notes }),
  };
}
