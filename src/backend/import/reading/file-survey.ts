import { fieldsOf, importFieldsOf, type ImportField } from "../../../shared/fields.ts";
import {
  DATE_ORDERS,
  type ColumnMeaning,
  type DateOrder,
  type ImportColumn,
  type ImportDefaults,
  type ImportQuestion,
} from "../../../shared/import.ts";
import { isRequestError } from "../../http/request-error.ts";
import { yieldIfBusy } from "../../database/event-loop.ts";
import { DateEvidence, type DateReading } from "../values/date-order.ts";
import { MoneyEvidence, type MoneyReading } from "../values/money.ts";
import { LIKELY_SHARE, type ColumnSurvey } from "./column-survey.ts";
import { agrees, parseMapping, proposeMapping } from "./mapping.ts";
import { mapLayout, type RegistrarLayout } from "./registrar-layouts.ts";
import { cellAt, type TableRow, type TableSource } from "./table.ts";

interface ColumnAnalysis extends Pick<ImportColumn, "header" | "secret" | "samples"> {
  /** How its dates are read; null: it was not looked at as dates. */
  dates: DateReading | null;
}

/** Everything that reading the rows of a file takes, and what a person is shown first; plain JSON. */
export interface FileAnalysis {
  source: TableSource;
  /** The id of the known layout, such as `godaddy`; null: the mapping is a proposal. */
  layout: string | null;
  registrar: string | null;
  dollar: string | null;
  /** Written by our own export: text is taken back exactly. */
  own: boolean;
  columns: ColumnAnalysis[];
  /** What each column means, by position: given by a person, by the layout, or proposed. */
  mapping: ColumnMeaning[];
  ambiguous: ImportQuestion[];
  dateOrder: DateOrder | null;
  defaults: ImportDefaults;
  /** When the mapping was used before, an instant. */
  remembered: string | null;
}

export interface SurveyOptions {
  /** What each column means, unchecked; else the layout decides, or a mapping is proposed. */
  mapping?: unknown;
  dateOrder?: DateOrder | null;
  defaults?: ImportDefaults | undefined;
  /** When the mapping was remembered, where `mapping` repeats a remembered one. */
  rememberedAt?: string | null;
  /** How dates and prices are read, where an earlier reading of the whole file has shown it. */
  readings?: Readings;
}

/** What was decided about the last file with the same headers; `usedAt` is an instant. */
export interface RememberedLayout {
  mapping: unknown;
  dateOrder: DateOrder | null;
  defaults: ImportDefaults;
  usedAt: string;
}

export interface Readings {
  dates: { readonly [F in ImportField]?: DateReading };
  money: { readonly [F in ImportField]?: MoneyReading };
}

/** What columns of dates can mean, in the order in which a person is asked about them. */
const DATE_MEANINGS: ReadonlySet<ColumnMeaning | undefined> = new Set(
  fieldsOf("expiry", "day").flatMap(importFieldsOf),
);

const AMOUNT_MEANINGS: ReadonlySet<ColumnMeaning | undefined> = new Set(
  fieldsOf("price", "money").map((field) => importFieldsOf(field)[0]),
);

export interface FileTable {
  source: TableSource;
  layout: RegistrarLayout | null;
  columns: readonly ColumnSurvey[];
}

/**
 * What the first rows of a file show, piece by piece. Later rows only change how dates and prices are read.
 *
 * @throws {RequestError} 400 for a mapping that does not fit
 */
export async function surveyRows(
  table: FileTable,
  pieces: readonly (readonly TableRow[])[],
  { remembered, ...options }: SurveyOptions & { remembered: RememberedLayout | null },
) {
  const { columns, layout, source } = table;
  type Survey = readonly [column: number, { add(cell: string): void }];

  function addRows(rows: readonly TableRow[], surveys: readonly Survey[]): void {
    // A row whose cells may be shifted could show a secret under another column's header.
    for (const { cells } of rows.filter(({ fault }) => fault === null)) {
      for (const [column, survey] of surveys) survey.add(cellAt(cells, column, source));
    }
  }
  for (const rows of pieces) {
    addRows(rows, [...columns.entries()]);
    await yieldIfBusy();
  }

  const known = knownMapping(table);
  const proposed = known ? { mapping: known, open: [] } : proposeMapping(columns);
  const mappable = columns.map((column, index) => ({
    // What an older export of ours has twice is read as it is.
    header: layout?.own ? null : column.header,
    secret: isSecret(column, proposed.mapping[index]),
  }));
  const parse = (mapping: unknown) => parseMapping(mapping, mappable);
  const given =
    options.mapping === undefined
      ? remembered && parseRemembered(remembered.mapping, { parse, columns })
      : parse(options.mapping);
  const recalled = given && remembered;
  const { mapping, open } = given === null ? proposed : { mapping: given, open: [] };

  const isProposed = known === null && given === null;
  const indices = [...columns.keys()];
  const dated = indices.filter(
    (index) => (isProposed && columns[index]?.mayExpire) || DATE_MEANINGS.has(mapping[index]),
  );
  /** Of all dates, and of the columns among which a person may have to choose the expiry. */
  const dates = new Map(dated.map((index) => [index, new DateEvidence()]));
  const amounts = indices.filter((index) => AMOUNT_MEANINGS.has(mapping[index]));
  const money = new Map(amounts.map((index) => [index, new MoneyEvidence()]));
  const add = (rows: readonly TableRow[]) => addRows(rows, [...dates, ...money]);
  for (const rows of pieces) {
    add(rows);
    await yieldIfBusy();
  }

  /** An order by habit, unless a date shows another. */
  function unlessRefuted(order: DateOrder | null = null): DateOrder | null {
    const others = DATE_ORDERS.filter((each) => each !== order);
    const isRefuted = [...dates.values()].some((each) => {
      const { evidence } = each.decide(null);
      return others.some((other) => evidence[other] > 0);
    });
    return isRefuted ? null : order;
  }

  /** The order that was given, or that of the last file with these headers. */
  const chosenOrder = () => options.dateOrder ?? unlessRefuted(recalled?.dateOrder);
  const readDates = () => decideDates(dates, chosenOrder() ?? unlessRefuted(layout?.dateOrder));

  function byMeaning<T>(byColumn: ReadonlyMap<number, T>): { [F in ImportField]?: T } {
    const named = [...byColumn].map(([column, each]) => [mapping[column] ?? "ignore", each]);
    return Object.fromEntries(named.filter(([meaning]) => meaning !== "ignore"));
  }
  const decide = (): Readings => ({
    dates: byMeaning(readDates()),
    money: byMeaning(decideMoney(money)),
  });
  const readings = options.readings ?? decide();

  function describeColumns(): ColumnAnalysis[] {
    const byColumn = readDates();
    return columns.map((column, index) => {
      const field = mapping[index];
      const secret = isSecret(column, field);
      const reading = byColumn.get(index) ?? null;
      const hasDates = DATE_MEANINGS.has(field) || (!secret && reading?.order !== "none");
      const samples = secret ? [] : column.samples;
      return { header: column.header, secret, samples, dates: hasDates ? reading : null };
    });
  }

  function listQuestions(described: readonly ColumnAnalysis[]): ImportQuestion[] {
    const questions = open.map((each): ImportQuestion => ({ code: "field", ...each }));
    const isNameOpen = open.some(({ field }) => field === "name");
    if (!mapping.includes("name") && !isNameOpen) questions.unshift({ code: "no-name" });
    const column = [...DATE_MEANINGS]
      .map((meaning) => mapping.findIndex((each) => each === meaning))
      .find((index) => /^(?:ambiguous|contradictory)$/.test(described[index]?.dates?.order ?? ""));
    if (column !== undefined) {
      const { order, choices = [] } = described[column]?.dates ?? {};
      const contradictory = order === "contradictory";
      const samples = [...(dates.get(column)?.samples ?? [])];
      questions.push({ code: "date-order", column, contradictory, orders: choices, samples });
    }
    return questions;
  }

  return {
    /** How the rows are read: by the first rows, or as an earlier reading of the file found out. */
    readings,
    add,
    /** The readings by all rows so far, where they are not those with which rows are being read. */
    overturned(): Readings | null {
      const now = decide();
      return Bun.deepEquals(decisions(now), decisions(readings)) ? null : now;
    },
    analyse(): FileAnalysis {
      const described = describeColumns();
      return {
        source,
        layout: layout?.id ?? null,
        registrar: layout?.registrar ?? null,
        dollar: layout?.dollar ?? null,
        own: layout?.own ?? false,
        columns: described,
        mapping,
        ambiguous: listQuestions(described),
        dateOrder: chosenOrder(),
        defaults: options.defaults ?? recalled?.defaults ?? {},
        remembered: recalled?.usedAt ?? options.rememberedAt ?? null,
      };
    },
  };
}

/** Decides how dates are read. A column that leaves order or language open follows the others if they agree. */
function decideDates(
  columns: ReadonlyMap<number, DateEvidence>,
  given: DateOrder | null,
): Map<number, DateReading> {
  const readings = [...columns].map(([column, each]) => ({
    column,
    each,
    dates: each.decide(given),
  }));
  const shown = DATE_ORDERS.filter((order) =>
    readings.some(({ dates }) => dates.order !== "contradictory" && dates.evidence[order] > 0),
  );
  const [common = null] = shown.length === 1 ? shown : [];
  const polish = readings.some(({ dates }) => dates.polish);
  return new Map(
    readings.map(({ column, each, dates }) => {
      const follows = dates.order === "ambiguous" && common !== null;
      return [column, { ...(follows ? each.decide(common) : dates), polish }];
    }),
  );
}

/** Decides how each column of amounts is read; one without decimals is read as the others. */
function decideMoney(columns: ReadonlyMap<number, MoneyEvidence>): Map<number, MoneyReading> {
  const readings = [...columns].map(([column, each]) => [column, each.decide()] as const);
  const shown = new Set(readings.flatMap(([, { decimal }]) => decimal ?? []));
  const [common = null] = shown.size === 1 ? shown : [];
  return new Map(
    readings.map(([column, money]) => [column, { ...money, decimal: money.decimal ?? common }]),
  );
}

/** By its header, or as addresses, which no header explains, are contact data. */
function isSecret(column: ColumnSurvey, field: ColumnMeaning | undefined): boolean {
  const isContact = column.meaning?.kind !== "field" && column.share("address") >= LIKELY_SHARE;
  return column.isSecret || (isContact && field === "ignore");
}

/** What needs no proposal: the columns of a layout, and a list of names, with dates or without. */
function knownMapping({ source: { format }, layout, columns }: FileTable): ColumnMeaning[] | null {
  if (format.separator === "none") return ["name"];
  if (format.separator === " ") return ["name", "expires"];
  if (layout === null || format.header === null) return null;
  const mapping = mapLayout(layout, format.header);
  return mapping.map((field, index) => (columns[index]?.isSecret ? "ignore" : field));
}

/** Null if a mapped column must not be read this time, or if the names are in another one. */
function parseRemembered(
  mapping: unknown,
  table: { parse: (mapping: unknown) => ColumnMeaning[]; columns: readonly ColumnSurvey[] },
): ColumnMeaning[] | null {
  try {
    const parsed = table.parse(mapping);
    return agrees(table.columns[parsed.indexOf("name")], "name") ? parsed : null;
  } catch (error) {
    if (isRequestError(error)) return null;
    throw error;
  }
}

function decisions({ dates, money }: Readings) {
  const decided = Object.entries(dates).map(([field, { others, dots, numbers, polish }]) => {
    return [field, others, dots, numbers, polish];
  });
  return { decided, money };
}
