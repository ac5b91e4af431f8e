import { toAscii } from "../../domains/domain-name.ts";
import { isDomainLike, isLabelLike, isNullValue, isSuffixLike } from "../values/cell-shapes.ts";
import { CLEAR_SHARE, LIKELY_SHARE } from "./column-survey.ts";
import type { CsvRecord } from "./csv.ts";
import {
  foldHeader,
  isExtensionHeader,
  isSecondLevelHeader,
  isTopLevelHeader,
  readHeader,
} from "./headers.ts";
import type { TableFormat } from "./table-format.ts";
import { yieldIfBusy } from "../../database/event-loop.ts";

/** The two columns that make a name together: what precedes its suffix, and that: `com`, `.co.uk`. */
export interface NameColumns {
  sld: number;
  tld: number;
  /** Whether the headers tell; else a person is asked. */
  confidence: "high" | "low";
}

const MAX_SAMPLE_ROWS = 500;
const MAX_CANDIDATES = 8;
const MAX_NAME_LENGTH = 1000;
/** The rank of a header that only the column before the suffix has. */
const SECOND_LEVEL_RANK = 3;

/** A column that may be one of the two: the higher its rank, the clearer its header. */
interface Candidate {
  column: number;
  rank: number;
}

type Row = readonly string[];

/** Finds two columns such as `SLD` and `TLD`. Null without them, or beside a column of whole names. */
export async function findNameColumns(
  { header, skip, columns }: TableFormat,
  records: readonly CsvRecord[],
): Promise<NameColumns | null> {
  const slds = candidatesOf(header ?? [], rankSld);
  const tlds = candidatesOf(header ?? [], rankTld);
  if (header === null || slds.length === 0 || tlds.length === 0) return null;
  const isSound = ({ cells, fault }: CsvRecord) =>
    fault === null &&
    cells.length >= columns &&
    cells.slice(columns).every((cell) => cell.trim() === "");
  const sound = records.slice(skip).filter(isSound).slice(0, MAX_SAMPLE_ROWS);
  const rows = sound.map(({ cells }) => cells);

  const fitting: { sld: Candidate; tld: Candidate; rank: number }[] = [];
  for (const tld of tlds) {
    for (const sld of slds) {
      if (fits(rows, sld, tld)) fitting.push({ sld, tld, rank: sld.rank * 10 + tld.rank });
      await yieldIfBusy();
    }
  }
  const highest = Math.max(...fitting.map(({ rank }) => rank));
  const [best, ...others] = fitting.filter(({ rank }) => rank === highest);
  if (best === undefined) return null;
  const isClear = others.length === 0 && (best.sld.rank > 1 || best.tld.rank > 1);
  const [sld, tld] = [best.sld.column, best.tld.column];
  for (const [column, each] of header.entries()) {
    if (column !== sld && hasWholeNames(rows, { rank: rankSld(each), column, sld, tld }))
      return null;
    await yieldIfBusy();
  }
  return { sld, tld, confidence: isClear ? "high" : "low" };
}

/** Joins two cells, unless the first ends in the suffix. Without a suffix the name stays invalid. */
export function joinName(sld: string, tld: string): string {
  const name = sld.trim().replace(/\.$/, "");
  const suffix = isNullValue(tld) ? "" : tld.trim().replace(/^\./, "");
  if (suffix === "") return name.includes(".") ? `${name}.*` : name;
  return name.includes(".") && hasSuffix(name, suffix) ? name : `${name}.${suffix}`;
}

/** Whatever the case and the spelling of an internationalised name. */
function hasSuffix(name: string, suffix: string): boolean {
  if (name.length > MAX_NAME_LENGTH || suffix.length > MAX_NAME_LENGTH) return false;
  const [whole, end] = [toAscii(name), toAscii(suffix)];
  return whole !== null && end !== null && whole.endsWith(`.${end}`);
}

function candidatesOf(header: Row, rank: (header: string) => number): Candidate[] {
  const candidates = header.map((each, column) => ({ column, rank: rank(each) }));
  return candidates.filter((each) => each.rank > 0).slice(0, MAX_CANDIDATES);
}

function rankSld(header: string): number {
  const meaning = readHeader(header);
  if (meaning?.kind === "field" && meaning.field === "name") {
    return meaning.confidence === "high" ? 2 : 1;
  }
  const isSecondLevel = meaning?.kind === "unused" && isSecondLevelHeader(foldHeader(header));
  return isSecondLevel ? SECOND_LEVEL_RANK : 0;
}

function rankTld(header: string): number {
  if (readHeader(header)?.kind !== "unused") return 0;
  const folded = foldHeader(header);
  return isTopLevelHeader(folded) ? 2 : Number(isExtensionHeader(folded));
}

/** Whether most rows have a name and a suffix. Half of the names have to be single labels. */
function fits(rows: readonly Row[], sld: Candidate, tld: Candidate): boolean {
  const cells = rows.map((row) => [cellAt(row, sld.column), cellAt(row, tld.column)] as const);
  const filled = cells.filter(([name, suffix]) => name !== "" && !isNullValue(suffix));
  const alike = filled.filter(
    ([name, suffix]) => isSuffixLike(suffix) && (isLabelLike(name) || isDomainLike(name)),
  );
  const labels = filled.filter(([name]) => isLabelLike(name)).length;
  const isClear = sld.rank === SECOND_LEVEL_RANK || labels >= filled.length * LIKELY_SHARE;
  return filled.length > 0 && alike.length >= filled.length * CLEAR_SHARE && isClear;
}

/** Whether a column has whole names: under a header that may mean a website, those of the rows. */
function hasWholeNames(
  rows: readonly Row[],
  { rank, column, sld, tld }: { rank: number; column: number; sld: number; tld: number },
): boolean {
  if (rank !== 1 && rank !== 2) return false;
  const whole = rows.filter((row) => {
    const cell = cellAt(row, column);
    if (!isDomainLike(cell)) return false;
    const joined = joinName(cellAt(row, sld), cellAt(row, tld));
    return rank === 2 || cell.toLowerCase() === joined.toLowerCase();
  });
  return whole.length > 0 && whole.length >= rows.length * LIKELY_SHARE;
}

function cellAt(row: Row, column: number): string {
  return row[column]?.trim() ?? "";
}
