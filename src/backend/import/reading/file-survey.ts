import type {
  ColumnMeaning,
  DateOrder,
  ImportDefaults,
  ImportQuestion,
} from "../../../shared/import.ts";
import { DateEvidence, type DateReading } from "../values/date-order.ts";
import { MoneyEvidence, type MoneyReading } from "../values/money.ts";
import type { ColumnAnalysis, FileAnalysis } from "./analysis.ts";
import type { ColumnSurvey } from "./column-survey.ts";
import { parseMapping, proposeMapping, type Mapping, type OpenField } from "./mapping.ts";
import { mapLayout, type RegistrarLayout } from "./registrar-layouts.ts";
import { cellAt, type TableCounts, type TableRow, type TableSource } from "./table.ts";
import type { Yielder } from "./yielder.ts";

/** What a person has decided already. */
export interface SurveyOptions {
  /** What each column means, unchecked; else the layout decides, or a mapping is proposed. */
  mapping?: unknown;
  dateOrder?: DateOrder | null;
  defaults?: ImportDefaults;
  /** How dates and prices are read, where an earlier reading of the whole file has shown it. */
  readings?: Readings;
}

/** How the dates and the prices of a file are read; null: it has none. */
export interface Readings {
  dates: DateReading | null;
  money: MoneyReading | null;
}

/** What is known of a file before its rows are read. */
export interface Table {
  source: TableSource;
  layout: RegistrarLayout | null;
  columns: readonly ColumnSurvey[];
}

/**
 * What the first rows of a file show of its columns. Rows that are added later change nothing but
 * how dates and prices are read, which every row of a file may decide.
 */
export class FileSurvey {
  readonly #table: Table;
  readonly #options: SurveyOptions;
  readonly #yielder: Yielder;
  readonly #mapping: Mapping;
  readonly #open: readonly OpenField[];
  /** By column: of the expiry, and of all columns among which a person may have to choose it. */
  readonly #dates: ReadonlyMap<number, DateEvidence>;
  readonly #money = new MoneyEvidence();
  #readings: Readings;

  /** Surveys the first rows. @throws {MappingError} */
  static async create(
    table: Table,
    rows: readonly TableRow[],
    options: SurveyOptions & { yielder: Yielder },
  ): Promise<FileSurvey> {
    const { columns, source } = table;
    for (const { cells } of rows.filter(isSound)) {
      for (const [index, column] of columns.entries()) {
        column.add(cellAt(cells, index, source) ?? "");
      }
      await options.yielder();
    }
    const survey = new FileSurvey(table, options);
    await survey.add(rows);
    survey.#readings = options.readings ?? survey.#decide();
    return survey;
  }

  private constructor(table: Table, options: SurveyOptions & { yielder: Yielder }) {
    const { columns } = table;
    this.#table = table;
    this.#options = options;
    this.#yielder = options.yielder;
    const known = knownMapping(table);
    const proposed = known ? { mapping: known, open: [] } : proposeMapping(columns);
    if (options.mapping === undefined) {
      this.#mapping = proposed.mapping;
      this.#open = proposed.open;
    } else {
      const secrets = columns.map((column, index) => ({
        secret: isSecret(column, proposed.mapping[index]),
      }));
      this.#mapping = parseMapping(withJoinedName(options.mapping, table.source), secrets);
      this.#open = [];
    }
    const isProposed = known === null && options.mapping === undefined;
    const mayExpire = columns.flatMap((column, index) => {
      const isCandidate = isProposed && column.mayExpire;
      return isCandidate || this.#mapping[index] === "expires" ? [index] : [];
    });
    this.#dates = new Map(mayExpire.map((index) => [index, new DateEvidence()]));
    this.#readings = this.#decide();
  }

  /** Looks at the dates and prices of further rows. */
  async add(rows: readonly TableRow[]): Promise<void> {
    const { source } = this.#table;
    const price = this.#mapping.indexOf("renewalPrice");
    for (const { cells } of rows.filter(isSound)) {
      for (const [column, evidence] of this.#dates) {
        evidence.add(cellAt(cells, column, source) ?? "");
      }
      if (price !== -1) this.#money.add(cellAt(cells, price, source) ?? "");
      await this.#yielder();
    }
  }

  /** The readings by all rows so far, where they are not those with which rows are being read. */
  get overturned(): Readings | null {
    const readings = this.#decide();
    return Bun.deepEquals(decisions(readings), decisions(this.#readings)) ? null : readings;
  }

  /** How the rows are read: by the first rows, or as an earlier reading of the file found out. */
  get readings(): Readings {
    return this.#readings;
  }

  /** What is known of the file by all rows so far. */
  analyse(counts: TableCounts): FileAnalysis {
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
      counts: { ...counts },
      defaults: this.#options.defaults ?? {},
    };
  }

  #decide(): Readings {
    const dates = this.#dates.get(this.#mapping.indexOf("expires"));
    const hasPrices = this.#mapping.includes("renewalPrice");
    return {
      dates: dates?.decide(this.#dateOrder) ?? null,
      money: hasPrices ? this.#money.decide() : null,
    };
  }

  get #dateOrder(): DateOrder | null {
    return this.#options.dateOrder ?? this.#table.layout?.dateOrder ?? null;
  }

  #describeColumns(): ColumnAnalysis[] {
    return this.#table.columns.map((column, index) => {
      const field = this.#mapping[index];
      const secret = isSecret(column, field);
      const dates = this.#dates.get(index)?.decide(this.#dateOrder) ?? null;
      const hasDates = field === "expires" || (!secret && dates?.order !== "none");
      return {
        header: column.header,
        secret,
        samples: secret ? [] : column.profile.samples,
        dates: hasDates ? dates : null,
      };
    });
  }

  #listQuestions(columns: readonly ColumnAnalysis[]): ImportQuestion[] {
    const questions = this.#open.map((each): ImportQuestion => ({ code: "field", ...each }));
    const isNameOpen = this.#open.some(({ field }) => field === "name");
    if (!this.#mapping.includes("name") && !isNameOpen) questions.unshift({ code: "no-name" });
    const column = this.#mapping.indexOf("expires");
    const dates = columns[column]?.dates;
    if (dates?.order === "ambiguous" || dates?.order === "contradictory") {
      const contradictory = dates.order === "contradictory";
      const samples = [...(this.#dates.get(column)?.samples ?? [])];
      const orders = dates.choices ?? [];
      questions.push({ code: "date-order", column, contradictory, orders, samples });
    }
    return questions;
  }
}

/** A row whose cells may be shifted could show a secret under another column's header. */
function isSound({ fault }: TableRow): boolean {
  return fault === null;
}

function isSecret(column: ColumnSurvey, field: ColumnMeaning | undefined): boolean {
  return column.isSecret || (column.isContactData && field === "ignore");
}

/** What needs no proposal: the columns of a layout, and a list of nothing but names. */
function knownMapping({ source: { format }, layout }: Table): Mapping | null {
  if (format.kind === "list") return ["name"];
  return layout && format.header ? mapLayout(layout, format.header) : null;
}

/** A preview of an older version knows nothing of the column that two name columns make. */
function withJoinedName(mapping: unknown, { format, nameColumns }: TableSource): unknown {
  const isShort = Array.isArray(mapping) && mapping.length === format.columns;
  return isShort && nameColumns !== undefined ? [...mapping, "ignore"] : mapping;
}

/** What of the readings decides how a cell is read. */
function decisions({ dates, money }: Readings) {
  return { others: dates?.others, dots: dates?.dots, numbers: dates?.numbers, ...money };
}
