import type {
  DateOrder,
  Import,
  ImportColumn,
  ImportCounts,
  ImportField,
  ImportQuestion,
  ImportUndo,
} from "../../shared/import-contract.ts";
import { parseList, parseRecord, textOrNull } from "../../shared/parse-json.ts";
import { fieldNames, rowClasses } from "./import-words.ts";

const orders: readonly DateOrder[] = ["dmy", "mdy", "ymd"];

/** Reads an import as the API writes it. @throws {TypeError} for anything else. */
export function parseImport(json: unknown): Import {
  const given = parseRecord(json);
  const { registrar, account, owner, tags, currency } = parseRecord(given.defaults ?? {});
  return {
    id: text(given.id),
    state: given.state === "committed" || given.state === "undone" ? given.state : "preview",
    fileName: text(given.fileName),
    createdAt: text(given.createdAt),
    committedAt: textOrNull(given.committedAt),
    undoneAt: textOrNull(given.undoneAt),
    format: textOrNull(given.format),
    columns: parseList(given.columns, parseColumn),
    ambiguous: parseList(given.ambiguous, parseQuestion),
    dateOrder: orders.find((order) => order === given.dateOrder) ?? null,
    defaults: {
      ...(typeof registrar === "string" && { registrar }),
      ...(typeof account === "string" && { account }),
      ...(typeof owner === "string" && { owner }),
      ...(Array.isArray(tags) && { tags: tags.map(String) }),
      ...(typeof currency === "string" && { currency }),
    },
    counts: parseCounts(given.counts),
    undo: given.undo ? parseUndo(given.undo) : null,
  };
}

/** What a column means, or `ignore` where this is none that the wizard knows. */
export function parseField(json: unknown): ImportField | "ignore" {
  return fieldNames.find((name) => name === json) ?? "ignore";
}

function parseColumn(json: unknown): ImportColumn {
  const { header, secret, field, samples, dates } = parseRecord(json);
  return {
    header: textOrNull(header),
    secret: secret === true,
    field: parseField(field),
    samples: parseList(samples, String),
    dates: dates ? parseDates(dates) : null,
  };
}

function parseDates(json: unknown): NonNullable<ImportColumn["dates"]> {
  const { orders: given, contradictory } = parseRecord(json);
  return { orders: parseOrders(given), contradictory: contradictory === true };
}

function parseQuestion(json: unknown): ImportQuestion {
  const { code, field, columns, column, contradictory, orders: given, samples } = parseRecord(json);
  if (code === "no-name") return { code };
  if (code === "field") {
    const asked = parseField(field);
    if (asked === "ignore") throw new TypeError("Expected a question about a known field.");
    return { code, field: asked, columns: parseList(columns, Number) };
  }
  if (code === "date-order") {
    return {
      code,
      column: Number(column),
      contradictory: contradictory === true,
      orders: parseOrders(given),
      samples: parseList(samples, String),
    };
  }
  throw new TypeError("Expected a question that the wizard can ask.");
}

/** Those of a list that are orders of a date. */
export function parseOrders(json: unknown): DateOrder[] {
  const given = parseList(json, String);
  return orders.filter((order) => given.includes(order));
}

function parseCounts(json: unknown): ImportCounts {
  const given = parseRecord(json);
  const counts = { withProblems: Number(given.withProblems ?? 0) };
  const classes = rowClasses.map((name) => [name, Number(given[name] ?? 0)] as const);
  // Every class is there: the entries are made of the list of all of them.
  return { ...counts, ...(Object.fromEntries(classes) as Omit<ImportCounts, "withProblems">) };
}

function parseUndo(json: unknown): ImportUndo {
  const { restored, removed, kept } = parseRecord(json);
  return {
    restored: Number(restored),
    removed: Number(removed),
    kept: parseList(kept, (item) => {
      const { name, unicode, fields } = parseRecord(item);
      return { name: text(name), unicode: text(unicode), fields: parseList(fields, String) };
    }),
  };
}

function text(json: unknown): string {
  if (typeof json === "string") return json;
  throw new TypeError("Expected a text.");
}
