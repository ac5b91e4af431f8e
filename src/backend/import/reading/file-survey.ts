import { fieldsOf, importFieldsOf, type ImportField } from "../../../shared/fields.ts";
import { DATE_ORDERS } from "../../../shared/import.ts";
import type {
  ColumnMeaning,
  DateOrder,
  ImportDefaults,
  ImportQuestion,
} from "../../../shared/import.ts";
import { isRequestError } from "../../http/request-error.ts";
import { yieldIfBusy } from "../../database/event-loop.ts";
import { DateEvidence, type DateReading } from "../values/date-order.ts";
import { MoneyEvidence, type MoneyReading } from "../values/money.ts";
import type { ColumnSurvey } from "./column-survey.ts";
import { agrees, parseMapping, proposeMapping, type OpenField } from "./mapping.ts";
import { mapLayout, type RegistrarLayout } from "./registrar-layouts.ts";
import { cellAt, type TableRow, type TableSource } from "./table.ts";

export interface ColumnAnalysis {
  header: string | null;
  /** Never read, never shown, cannot be mapped. */
  secret: boolean;
  /** Up to five different cells of at most 80 characters. */
  samples: string[];
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

export interface Table {
  source: TableSource;
  layout: RegistrarLayout | null;
  columns: readonly ColumnSurvey[];
}

/** What the first rows of a file show. Later rows only change how dates and prices are read. */
export class FileSurvey {
  /** How the rows are read: by the first rows, or as an earlier reading of the file found out. */
  readings: Readings;
  readonly #table: Table;
  readonly #options: SurveyOptions;
  readonly #mapping: ColumnMeaning[];
  readonly #open: readonly OpenField[];
  readonly #remembered: RememberedLayout | null;
  /** By column: of all dates, and of the columns among which a person may have to choose the expiry. */
  readonly #dates: ReadonlyMap<number, DateEvidence>;
  readonly #money: ReadonlyMap<number, MoneyEvidence>;

  /** Surveys the first rows, piece by piece. @throws {RequestError} 400 for a mapping that does not fit */
  static async create(
    table: Table,
    pieces: readonly (readonly TableRow[])[],
    { remembered, ...options }: SurveyOptions & { remembered: RememberedLayout | null },
  ): Promise<FileSurvey> {
    const { columns, source } = table;
    for (const rows of pieces) {
      for (const { cells } of rows.filter(isSound)) {
        for (const [index, column] of columns.entries()) {
          column.add(cellAt(cells, index, source) ?? "");
        }
      }
      await yieldIfBusy();
    }
    const survey = new FileSurvey(table, options, remembered);
    for (const rows of pieces) {
      survey.add(rows);
      await yieldIfBusy();
    }
    survey.readings = options.readings ?? survey.#decide();
    return survey;
  }

  private constructor(table: Table, options: SurveyOptions, remembered: RememberedLayout | null) {
    const { columns } = table;
    this.#table = table;
    this.#options = options;
    const known = knownMapping(table);
    const proposed = known ? { mapping: known, open: [] } : proposeMapping(columns);
    const mappable = columns.map((column, index) => ({
      // What an older export of ours has twice is read as it is.
      header: table.layout?.own ? null : column.header,
      secret: isSecret(column, proposed.mapping[index]),
    }));
    const parse = (mapping: unknown) => parseMapping(mapping, mappable);
    const given =
      options.mapping === undefined
        ? remembered && parseRemembered(remembered.mapping, { parse, columns })
        : parse(options.mapping);
    this.#remembered = options.mapping === undefined && given !== null ? remembered : null;
    this.#mapping = given ?? proposed.mapping;
    this.#open = given === null ? proposed.open : [];
    const isProposed = known === null && given === null;
    const indices = [...columns.keys()];
    const dates = indices.filter(
      (index) =>
        (isProposed && columns[index]?.mayExpire) || DATE_MEANINGS.has(this.#mapping[index]),
    );
    this.#dates = new Map(dates.map((index) => [index, new DateEvidence()]));
    const amounts = indices.filter((index) => AMOUNT_MEANINGS.has(this.#mapping[index]));
    this.#money = new Map(amounts.map((index) => [index, new MoneyEvidence()]));
    this.readings = this.#decide();
  }

  add(rows: readonly TableRow[]): void {
    const { source } = this.#table;
    const columns = [...this.#dates, ...this.#money];
    for (const { cells } of rows.filter(isSound)) {
      for (const [column, evidence] of columns) {
        evidence.add(cellAt(cells, column, source) ?? "");
      }
    }
  }

  /** The readings by all rows so far, where they are not those with which rows are being read. */
  get overturned(): Readings | null {
    const readings = this.#decide();
    return Bun.deepEquals(decisions(readings), decisions(this.readings)) ? null : readings;
  }

  analyse(): FileAnalysis {
    const { source, layout } = this.#table;
    const columns = this.#describeColumns();
    const secret = columns.flatMap((column, index) => (column.secret ? [index] : []));
    return {
      source: { ...source, secret },
      layout: layout?.id ?? null,
      registrar: layout?.registrar ?? null,
      dollar: layout?.dollar ?? null,
      own: layout?.own ?? false,
      columns,
      mapping: this.#mapping,
      ambiguous: this.#listQuestions(columns),
      dateOrder: this.#options.dateOrder ?? this.#rememberedOrder,
      defaults: this.#options.defaults ?? this.#remembered?.defaults ?? {},
      remembered: this.#remembered?.usedAt ?? this.#options.rememberedAt ?? null,
    };
  }

  #decide(): Readings {
    return {
      dates: this.#byMeaning(decideDates(this.#dates, this.#dateOrder)),
      money: this.#byMeaning(decideMoney(this.#money)),
    };
  }

  #byMeaning<T>(byColumn: ReadonlyMap<number, T>): { [F in ImportField]?: T } {
    const named = [...byColumn].map(([column, each]) => [this.#mapping[column] ?? "ignore", each]);
    return Object.fromEntries(named.filter(([meaning]) => meaning !== "ignore"));
  }

  get #dateOrder(): DateOrder | null {
    const given = this.#options.dateOrder ?? this.#rememberedOrder;
    return given ?? this.#table.layout?.dateOrder ?? null;
  }

  /** The order of the last file with these headers, unless a date of this one shows another. */
  get #rememberedOrder(): DateOrder | null {
    const { dateOrder = null } = this.#remembered ?? {};
    const others = DATE_ORDERS.filter((order) => order !== dateOrder);
    const isRefuted = [...this.#dates.values()].some((dates) => {
      const { evidence } = dates.decide(null);
      return others.some((order) => evidence[order] > 0);
    });
    return isRefuted ? null : dateOrder;
  }

  #describeColumns(): ColumnAnalysis[] {
    const readings = decideDates(this.#dates, this.#dateOrder);
    return this.#table.columns.map((column, index) => {
      const field = this.#mapping[index];
      const secret = isSecret(column, field);
      const dates = readings.get(index) ?? null;
      const hasDates = DATE_MEANINGS.has(field) || (!secret && dates?.order !== "none");
      return {
        header: column.header,
        secret,
        samples: secret ? [] : column.samples,
        dates: hasDates ? dates : null,
      };
    });
  }

  #listQuestions(columns: readonly ColumnAnalysis[]): ImportQuestion[] {
    const questions = this.#open.map((each): ImportQuestion => ({ code: "field", ...each }));
    const isNameOpen = this.#open.some(({ field }) => field === "name");
    if (!this.#mapping.includes("name") && !isNameOpen) questions.unshift({ code: "no-name" });
    const dated = [...DATE_MEANINGS].map((meaning) =>
      this.#mapping.findIndex((each) => each === meaning),
    );
    const column = dated.find((index) => isOpen(columns[index]?.dates));
    if (column !== undefined) {
      const dates = columns[column]?.dates;
      const contradictory = dates?.order === "contradictory";
      const samples = [...(this.#dates.get(column)?.samples ?? [])];
      const orders = dates?.choices ?? [];
      questions.push({ code: "date-order", column, contradictory, orders, samples });
    }
    return questions;
  }
}

function isOpen(reading: DateReading | null | undefined): boolean {
  return reading?.order === "ambiguous" || reading?.order === "contradictory";
}

/** Decides how dates are read. A column that leaves the order open follows the others if they agree. */
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
  return new Map(
    readings.map(({ column, each, dates }) => [
      column,
      dates.order === "ambiguous" && common !== null ? each.decide(common) : dates,
    ]),
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

/** A row whose cells may be shifted could show a secret under another column's header. */
function isSound({ fault }: TableRow): boolean {
  return fault === null;
}

function isSecret(column: ColumnSurvey, field: ColumnMeaning | undefined): boolean {
  return column.isSecret || (column.isContactData && field === "ignore");
}

/** What needs no proposal: the columns of a layout, and a list of names, with dates or without. */
function knownMapping({ source: { format }, layout, columns }: Table): ColumnMeaning[] | null {
  if (format.kind === "list") return ["name"];
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
  const decided = Object.entries(dates).map(([field, { others, dots, numbers }]) => {
    return [field, others, dots, numbers];
  });
  return { decided, money };
}
