import { joinName, type NameParts } from "../reading/name-parts.ts";
import { parseRecords, type TextRecord } from "../reading/records.ts";
import type { TableFormat } from "../reading/table-format.ts";
import { isDomainLike, isLabelLike, isSuffixLike } from "../values/domain-like.ts";
import { isNone } from "../values/none-words.ts";
import { foldHeader } from "./header-text.ts";
import { readHeader } from "./header-words.ts";
import { isExtensionHeader, isSecondLevelHeader, isTopLevelHeader } from "./name-part-headers.ts";

const HALF = 0.5;
const MOST = 0.8;
/** The rank of a header that nothing but a part of a name has. */
const SECOND_LEVEL = 3;

/** Rows and, of either kind, columns that are looked at. */
const LOOKED_AT = 500;
const MAX_PARTS = 8;

/** A column that may be part of a name: the higher its rank, the clearer its header. */
interface Part {
  column: number;
  rank: number;
}

type Row = readonly string[];

/**
 * Finds the two columns that the names of a table are in, such as `SLD` and `TLD`, by their headers
 * and by the rows at the beginning of its text. Null where there are none, or where a column of
 * whole names stands beside them.
 *
 * @param head The first part of the text, whose lines end in LF.
 * @param complete Whether `head` is the whole text.
 */
export function findNameParts(
  { header, separator, skip, columns }: TableFormat,
  head: string,
  complete: boolean,
): NameParts | null {
  const labels = partsOf(header ?? [], rankLabel);
  const suffixes = partsOf(header ?? [], rankSuffix);
  if (header === null || labels.length === 0 || suffixes.length === 0) return null;
  const { records } = parseRecords(head, { separator, newline: "\n" }, { complete });
  const isSound = ({ cells, fault }: TextRecord) =>
    fault === null && cells.length >= columns && cells.slice(columns).every(isEmpty);
  const rows = records
    .slice(skip)
    .filter(isSound)
    .slice(0, LOOKED_AT)
    .map(({ cells }) => cells);

  const pairs = suffixes.flatMap((suffix) => labels.map((label) => ({ label, suffix })));
  const fitting = pairs.filter(({ label, suffix }) => fit(rows, label, suffix));
  const clearest = Math.max(...fitting.map(rankOf));
  const [best, ...others] = fitting.filter((pair) => rankOf(pair) === clearest);
  if (best === undefined) return null;
  const sure = others.length === 0 && (best.label.rank > 1 || best.suffix.rank > 1);
  const parts = { label: best.label.column, suffix: best.suffix.column, sure };
  return header.some((each, column) => isWhole(rows, { header: each, column, parts }))
    ? null
    : parts;
}

function partsOf(header: readonly string[], rank: (header: string) => number): Part[] {
  const parts = header.map((each, column) => ({ column, rank: rank(each) }));
  return parts.filter((part) => part.rank > 0).slice(0, MAX_PARTS);
}

function rankLabel(header: string): number {
  const meaning = readHeader(header);
  if (meaning?.kind === "field" && meaning.field === "name") return meaning.strong ? 2 : 1;
  return meaning?.kind === "known" && isSecondLevelHeader(foldHeader(header)) ? SECOND_LEVEL : 0;
}

function rankSuffix(header: string): number {
  if (readHeader(header)?.kind !== "known") return 0;
  const folded = foldHeader(header);
  return isTopLevelHeader(folded) ? 2 : Number(isExtensionHeader(folded));
}

function rankOf({ label, suffix }: { label: Part; suffix: Part }): number {
  return label.rank * 10 + suffix.rank;
}

/**
 * Whether most rows that have both cells have a suffix in one and a name, whole or not, in the other;
 * but a single label in half of them, or nobody could tell it from a column of whole names.
 */
function fit(rows: readonly Row[], label: Part, suffix: Part): boolean {
  const cells = rows.map((row) => [cellOf(row, label.column), cellOf(row, suffix.column)] as const);
  const said = cells.filter(([name, end]) => name !== "" && !isNone(end));
  const single = said.filter(([name]) => isLabelLike(name)).length;
  const alike = said.filter(
    ([name, end]) => isSuffixLike(end) && (isLabelLike(name) || isDomainLike(name)),
  );
  const isClear = label.rank === SECOND_LEVEL || single >= said.length * HALF;
  return said.length > 0 && alike.length >= said.length * MOST && isClear;
}

function isEmpty(cell: string): boolean {
  return cell.trim() === "";
}

function cellOf(row: Row, column: number): string {
  return row[column]?.trim() ?? "";
}

/** Whether a column has whole names: under a header that may mean a website, those of the parts. */
function isWhole(
  rows: readonly Row[],
  { header, column, parts }: { header: string; column: number; parts: NameParts },
): boolean {
  const rank = rankLabel(header);
  if (column === parts.label || (rank !== 1 && rank !== 2)) return false;
  const whole = rows.filter((row) => {
    const cell = cellOf(row, column);
    const joined = joinName(cellOf(row, parts.label), cellOf(row, parts.suffix));
    return isDomainLike(cell) && (rank === 2 || cell.toLowerCase() === joined.toLowerCase());
  });
  return whole.length > 0 && whole.length >= rows.length * HALF;
}
