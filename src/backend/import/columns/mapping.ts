import { parseDomainName } from "../../domains/domain-name.ts";
import type { ColumnProfile } from "./column-profile.ts";
import { FIELDS, type Field, type Mapping } from "./field.ts";
import { isMarketHeader } from "./header-rules.ts";
import type { HeaderMeaning } from "./header-words.ts";

/** A column as far as header and first cells describe it; a secret one has no profile. */
export interface Column {
  header: string | null;
  meaning: HeaderMeaning | null;
  profile: ColumnProfile | null;
}

/**
 * Columns among which only a person can choose: several may be the field, or one may be and nothing
 * says so. None of them is mapped.
 */
export interface OpenField {
  field: "name" | "expires" | "autoRenew" | "renewalPrice";
  columns: number[];
}

const HALF = 0.5;
const MOST = 0.8;

/** Two columns of these would be a wrong decision or bill; of the others, the first is taken. */
const ASKED = ["name", "expires", "autoRenew", "renewalPrice"] as const;

/** Proposes what each column means, from headers and values, and lists what stays open. */
export function proposeMapping(columns: readonly Column[]): {
  mapping: Mapping;
  open: OpenField[];
} {
  const mapping: Mapping = columns.map(() => "ignore");
  const open: OpenField[] = [];
  for (const field of FIELDS) {
    const found = candidates(columns, field).filter((index) => mapping[index] === "ignore");
    const asked = ASKED.find((each) => each === field);
    const [first] = found;
    if (first === undefined) continue;
    if (found.length > 1 && asked) open.push({ field: asked, columns: found });
    else if (asked && !isSure(columns, first, field)) open.push({ field: asked, columns: found });
    else mapping[first] = field;
  }
  return { mapping, open };
}

function candidates(columns: readonly Column[], field: Field): number[] {
  const named = columns.flatMap((column, index) => {
    const { meaning } = column;
    return meaning?.kind === "field" && mayMean(column, field) ? [{ index, meaning }] : [];
  });
  const strong = named.filter(({ meaning }) => meaning.strong).map(({ index }) => index);
  const weak = named
    .map(({ index }) => index)
    .filter((index) => !strong.includes(index) && agrees(columns[index], field));
  const byWords = distinguish(columns, strong.length > 0 ? strong : weak, field);
  if (field === "name" && !byWords.some((index) => agrees(columns[index], field))) {
    const byValues = nameColumns(columns);
    return byValues.length > 0 ? byValues : byWords;
  }
  if (field === "expires" && byWords.length === 0) return dateColumns(columns);
  return byWords;
}

/** "Renewal" alone is a day, or, where its cells are words for on and off, a choice. */
function mayMean({ meaning, profile }: Column, field: Field): boolean {
  if (meaning?.kind !== "field") return false;
  const isChoice =
    meaning.field === "expires" &&
    !meaning.strong &&
    profile !== null &&
    profile.share("flag") >= MOST &&
    profile.share("number") < HALF;
  return field === (isChoice ? "autoRenew" : meaning.field);
}

/** Leaves those that say most: not blank, of the right kind, and each thing once. */
function distinguish(columns: readonly Column[], found: number[], field: Field): number[] {
  if (found.length < 2) return found;
  const agreeing = found.filter((index) => agrees(columns[index], field));
  const speaking = agreeing.filter((index) => (columns[index]?.profile?.said ?? 0) > 0);
  const best = [speaking, agreeing, found].find((each) => each.length > 0) ?? [];
  return best.filter(
    (index, at) =>
      !best.slice(0, at).some((other) => sayTheSame(columns[index], columns[other], field)),
  );
}

/** Whether the values can be the field's; a column that says nothing yet can be anything. */
function agrees(column: Column | undefined, field: Field): boolean {
  const profile = column?.profile;
  if (!profile) return false;
  if (profile.said === 0) return true;
  if (field === "name") return profile.share("name") >= HALF;
  if (field === "expires") return profile.share("date") >= HALF;
  if (field === "autoRenew") return profile.share("flag") >= HALF;
  if (field === "renewalPrice") return profile.share("money") >= HALF;
  if (field === "years") return profile.samples.every((sample) => /^\d{1,3}\b/.test(sample));
  if (field === "currency") return profile.samples.every((sample) => sample.length <= 5);
  return true;
}

/** Without a header for it: columns of names, the one with most different ones. */
function nameColumns(columns: readonly Column[]): number[] {
  const names = columns.flatMap(({ profile, meaning }, index) => {
    const usable = meaning === null || meaning.kind === "field" || meaning.kind === "spelling";
    return usable && profile !== null && profile.share("name") >= MOST ? [{ index, profile }] : [];
  });
  const most = Math.max(...names.map(({ profile }) => profile.distinct));
  const best = names.filter(({ profile }) => profile.distinct >= most * MOST);
  return distinguish(
    columns,
    best.map(({ index }) => index),
    "name",
  );
}

/** Without a header for it: columns of dates that no header explains, those to come if any is. */
function dateColumns(columns: readonly Column[]): number[] {
  const dates = columns.flatMap(({ meaning, profile }, index) =>
    meaning === null && profile !== null && profile.share("date") >= MOST ? [index] : [],
  );
  const future = dates.filter((index) => isFuture(columns[index]));
  return distinguish(columns, future.length > 0 ? future : dates, "expires");
}

/**
 * Days under a header that nobody understands may be anything, those to come too: that is asked, and
 * without a header where they are past. A bare "Price" among the words of a market may be what the
 * name is sold for.
 */
function isSure(columns: readonly Column[], index: number, field: Field): boolean {
  const { header = null, meaning = null } = columns[index] ?? {};
  if (field === "expires") {
    return meaning?.kind === "field" || (header === null && isFuture(columns[index]));
  }
  const isBare = field === "renewalPrice" && meaning?.kind === "field" && !meaning.strong;
  return !isBare || !columns.some((each) => each.header !== null && isMarketHeader(each.header));
}

function isFuture(column: Column | undefined): boolean {
  const profile = column?.profile;
  return profile ? profile.future >= profile.said * HALF : false;
}

/** A name may be written as Unicode in one column and as ASCII in the other. */
function sayTheSame(a: Column | undefined, b: Column | undefined, field: Field): boolean {
  const [one, other] = [a?.profile?.first ?? [], b?.profile?.first ?? []];
  const read = field === "name" ? toAscii : (cell: string) => cell;
  return (
    one.length > 0 &&
    one.length === other.length &&
    one.every((cell, at) => read(cell) === read(other[at] ?? ""))
  );
}

function toAscii(cell: string): string {
  const name = parseDomainName(cell);
  return "code" in name ? cell : name.name;
}
