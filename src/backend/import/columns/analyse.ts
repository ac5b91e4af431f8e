import type { Day } from "../../../shared/contract.ts";
import type { ImportDefaults, ImportQuestion } from "../../../shared/import-contract.ts";
import type { Analysis, ColumnAnalysis } from "./analysis.ts";
import type { ByteSource } from "../reading/byte-source.ts";
import { ColumnSurvey } from "./column-survey.ts";
import type { DateOrder } from "../values/dates.ts";
import { findNameParts } from "./find-name-parts.ts";
import type { HeaderMeaning } from "./header-words.ts";
import { decodeText, readTextHead } from "../reading/decode.ts";
import { detectEncoding } from "../reading/encoding.ts";
import type { Mapping } from "./field.ts";
import type { Layout } from "../layouts/layout.ts";
import { findLayout, mapLayout } from "../layouts/layouts.ts";
import { proposeMapping, type OpenField } from "./mapping.ts";
import { cellAt, readTable, type TableSource } from "../reading/read-table.ts";
import { findFormat } from "../reading/table-format.ts";

/** What a person has decided already, and the day on which the file is read. */
export interface AnalyseOptions {
  mapping?: Mapping;
  dateOrder?: DateOrder;
  defaults?: ImportDefaults;
  /** Today by default; it tells an expiry from a registration where no header does. */
  today?: Day;
}

const HEAD = 65_536;

/**
 * Reads a whole file once, without keeping it, and says what it is: encoding, layout, what each
 * column means and how its dates and amounts are written, and what only a person can decide.
 * Ask again with that person's `mapping` or `dateOrder`; then hand the analysis to `readRows`.
 *
 * @throws {ImportError} Where the file is no list of domain names at all.
 */
export async function analyse(open: ByteSource, options: AnalyseOptions = {}): Promise<Analysis> {
  const { source, layout } = await describe(open);
  const today = options.today ?? new Date().toISOString().slice(0, 10);
  const known = options.mapping ?? knownMapping(source, layout);
  const columns = listHeaders(source).map((header, index) => {
    const field = known === null ? null : (known[index] ?? "ignore");
    return new ColumnSurvey({ ...header, field, today });
  });
  const secret = columns.flatMap((column, index) => (column.secret ? [index] : []));
  const counts = { rows: 0, blank: 0, comments: 0, repeatedHeaders: 0 };
  for await (const rows of readTable(open, { ...source, secret }, counts)) {
    // A row whose cells may be shifted could show a secret under another column's header.
    const sound = rows.filter(({ fault }) => fault === null);
    for (const [index, column] of columns.entries()) {
      if (column.isOpen)
        for (const { cells } of sound) column.add(cellAt(cells, index, source) ?? "");
    }
  }

  const proposed = known ? { mapping: known, open: [] } : proposeMapping(columns);
  const mapping = columns.map((column, index) =>
    column.secret ? "ignore" : (proposed.mapping[index] ?? "ignore"),
  );
  const dateOrder = options.dateOrder ?? layout?.dateOrder ?? null;
  const findings = columns.map((column, index) =>
    column.finish(mapping[index] ?? "ignore", dateOrder),
  );
  return {
    source: { ...source, secret: findings.flatMap((each, index) => (each.secret ? [index] : [])) },
    layout: layout?.id ?? null,
    registrar: layout?.registrar ?? null,
    dollar: layout?.dollar ?? null,
    own: layout?.own ?? false,
    columns: findings,
    mapping,
    ambiguous: listAmbiguities(mapping, proposed.open, { columns, findings }),
    counts,
    defaults: options.defaults ?? {},
  };
}

async function describe(open: ByteSource): Promise<{ source: TableSource; layout: Layout | null }> {
  const encoding = await detectEncoding(open);
  const { head, complete } = await readTextHead(decodeText(open, encoding), HEAD);
  const lines = head.replace(/\r\n?/g, "\n");
  const format = findFormat(lines, complete);
  const layout = format.header && findLayout(format.header);
  const keepLines = layout?.own === true && /^[^\n]*\r\n/.test(head);
  const nameParts = layout === null ? findNameParts(format, lines, complete) : null;
  const source = { encoding, format, keepLines, secret: [], ...(nameParts && { nameParts }) };
  return { source, layout };
}

interface Header {
  header: string | null;
  /** Where the header alone does not say it. */
  meaning?: HeaderMeaning;
}

const KNOWN = { kind: "known" } as const;
const NAME = { kind: "field", field: "name", strong: true } as const;

/** The headers of all columns; that of a name in two columns is made of theirs, which are no names. */
function listHeaders({ format, nameParts }: TableSource): Header[] {
  const header = (index: number) => format.header?.[index] ?? null;
  const headers = Array.from({ length: format.columns }, (_, index): Header => ({
    header: header(index),
  }));
  if (nameParts === undefined) return headers;
  const [label, suffix] = [header(nameParts.label), header(nameParts.suffix)];
  return [
    ...headers.with(nameParts.label, { header: label, meaning: KNOWN }),
    {
      header: [label, suffix].map((each) => each?.trim()).join(" + "),
      meaning: nameParts.sure ? NAME : KNOWN,
    },
  ];
}

/** What needs no proposal: a layout's columns, and a list of nothing but names. */
function knownMapping({ format }: TableSource, layout: Layout | null): Mapping | null {
  if (format.kind === "list") return ["name"];
  return layout && format.header ? mapLayout(layout, format.header) : null;
}

function listAmbiguities(
  mapping: Mapping,
  open: readonly OpenField[],
  { columns, findings }: { columns: readonly ColumnSurvey[]; findings: readonly ColumnAnalysis[] },
): ImportQuestion[] {
  const ambiguous: ImportQuestion[] = open.map((each) => ({ code: "field", ...each }));
  if (!mapping.includes("name") && open.every(({ field }) => field !== "name")) {
    ambiguous.unshift({ code: "no-name" });
  }
  const column = mapping.indexOf("expires");
  const dates = findings[column]?.dates;
  if (dates?.order === "ambiguous" || dates?.order === "contradictory") {
    const samples = columns[column]?.openDates ?? [];
    const contradictory = dates.order === "contradictory";
    ambiguous.push({
      code: "date-order",
      column,
      contradictory,
      orders: dates.choices ?? [],
      samples: [...samples],
    });
  }
  return ambiguous;
}
