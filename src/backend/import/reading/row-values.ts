import { DECISIONS, type Decision, type Money, type Renewal } from "../../../shared/domain.ts";
import { foldLabel, isBlank, labelFault, LIMITS, textFault } from "../../../shared/text.ts";
import { revealCell, splitOwnTags } from "../../domains/list/csv-export.ts";
import { parseDomainName } from "../../domains/domain-name.ts";
import { MAX_YEARS } from "../../../shared/money.ts";
import {
  hasYenSign,
  parseCurrencyMark,
  parsePriceCell,
  toMinor,
  YEARLY,
  YEARS,
  type MoneyReading,
} from "../values/money.ts";
import { isNullValue } from "../values/cell-shapes.ts";

/** The value of a cell: null where it holds none, or the reason why it is unreadable. */
export type CellValue<T> = T | null | { reason: string };

/** No label normalises to less than a tenth of its length; longer text need not be looked at. */
const MAX_NORMALIZED_LENGTH = 10 * LIMITS.label;

/** A registrar, account or owner. `own`: the cell was written by our own export. */
export function readLabel(cell: string, own: boolean): CellValue<string> {
  return readShortText(own ? revealCell(cell) : cell, own, LIMITS.label);
}

/** Text of several lines exactly as it is: a formula in front is kept as data. */
export function readText(cell: string, own: boolean, max: number): CellValue<string> {
  const text = own ? revealCell(cell) : cell;
  if (isBlank(text)) return null;
  const fault = textFault(text, { max, multiline: true });
  return fault === null ? text : { reason: fault.detail };
}

/** Names of servers, however they are separated; an address behind a name is left out. */
export function readHosts(cell: string): CellValue<string[]> {
  const texts = cell.slice(0, MAX_HOSTS_LENGTH).split(/[\s,;|]+/);
  const hosts = texts
    .filter((text) => !isNullValue(text) && !text.endsWith(":"))
    .map((text) => parseDomainName(text.replace(/\/.*$/, "")));
  const names = new Set(hosts.flatMap((host) => ("code" in host ? [] : host.name)));
  const isFaulty = hosts.some((host) => "code" in host) || names.size > LIMITS.nameservers;
  if (isFaulty || cell.length > MAX_HOSTS_LENGTH) return { reason: "These aren’t nameservers" };
  return names.size === 0 ? null : [...names];
}

const MAX_HOSTS_LENGTH = 5000;

/** Tags, separated by commas, semicolons or bars; each once, whatever its case. */
export function readTags(cell: string, own: boolean): CellValue<string[]> {
  const texts = own ? splitOwnTags(revealCell(cell)) : cell.split(/[,;|]/);
  const tags = new Map<string, string>();
  for (const text of texts) {
    const tag = readShortText(text, own, LIMITS.tag);
    if (tag === null || (typeof tag === "string" && !own && /^\(.*\)$/.test(tag))) continue;
    if (typeof tag !== "string") return tag;
    if (!tags.has(foldLabel(tag))) tags.set(foldLabel(tag), tag);
    if (tags.size > LIMITS.tags) return { reason: `There are more than ${LIMITS.tags} tags` };
  }
  return tags.size === 0 ? null : [...tags.values()];
}

/** What is to be done with the domain, in the words of our own export. */
export function readDecision(cell: string): CellValue<Decision> {
  const word = cell.trim().toLowerCase();
  if (isNullValue(word)) return null;
  const decision = DECISIONS.find((each) => each === word);
  return decision ?? { reason: `This isn’t a decision: use ${DECISIONS.join(", ")}` };
}

function readShortText(text: string, own: boolean, max: number): CellValue<string> {
  const trimmed = text.trim();
  if (trimmed.length > MAX_NORMALIZED_LENGTH) return { reason: `Use at most ${max} characters` };
  const label = trimmed.normalize("NFC").trim();
  if (isBlank(label) || (!own && isNullValue(label))) return null;
  const fault = labelFault(label, max);
  return fault === null ? label : { reason: fault.detail };
}

export interface PriceContext {
  reading: MoneyReading;
  headerCurrency: string | null;
  dollar: string | null;
  defaultCurrency: string | null;
  own: boolean;
}

/** An amount in the currency of its cell, else its row, header, the registrar's `$` or the defaults. */
export function readMoney(
  cells: { price: string; currency: string },
  { reading, headerCurrency, dollar, defaultCurrency }: PriceContext,
): CellValue<Money> {
  const money = parsePriceCell(cells.price);
  if (money.kind === "none") return null;
  if (money.kind === "unreadable") return { reason: money.reason };
  const mark = money.currency;
  const isYuan = mark?.code === "JPY" && reading.yuan && hasYenSign(cells.price);
  const written = isYuan ? "CNY" : mark?.code;
  const ofDollar = mark?.mark === "$" ? dollar : null;
  const currency =
    written ?? readCurrency(cells.currency) ?? headerCurrency ?? ofDollar ?? defaultCurrency;
  const minor = toMinor(money, reading, currency);
  return typeof minor === "number" ? { minor, currency } : minor;
}

export function readPrice(
  cells: { price: string; currency: string; years: string },
  context: PriceContext,
): CellValue<Renewal> {
  const money = readMoney(cells, context);
  if (money === null || "reason" in money) return money;
  const years = readYears(cells.years, context.own);
  const isOtherTerm = years === null && /^\s*\p{L}/u.test(cells.years) && !isNullValue(cells.years);
  return isOtherTerm ? { reason: "This isn’t a price per year" } : { ...money, years };
}

/** Three capitals are taken as they are, as everywhere in the register. */
function readCurrency(cell: string): string | null {
  const code = cell.trim();
  if (/^[A-Z]{3}$/.test(code)) return code;
  return (code.length > MAX_UNIT_LENGTH ? null : parseCurrencyMark(code))?.code ?? null;
}

const MONTHS =
  /^(?:m(?:o|th)?s?|mon\p{L}*|mois|mes\p{L}*|maand\p{L}*|miesi\p{L}*|[かヶカヵ]?月)$/iu;

const MAX_UNIT_LENGTH = 40;
/** `One` of `One year`. */
const ONE = /^(?:one|ein|une?|un[oa]|um|een|één)\s+/iu;
/** No registry sells more at a time, so `24` under "Term" is months. */
const MAX_BARE_YEARS = 10;

/** 1 to 100, or null: `2 years`, `24 months`, `One year`. Not in our `own` export, a bare 24 is months. */
function readYears(cell: string, own: boolean): number | null {
  const text = cell.trim().replace(ONE, "1 ");
  if (text.length > MAX_UNIT_LENGTH || isNullValue(text)) return null;
  if (YEARLY.test(text) || YEARS.test(text)) return 1;
  const [, digits, unit = ""] = /^(\d{1,4})\s*([\p{L}()]*)\.?$/u.exec(text) ?? [];
  const isMonths = MONTHS.test(unit) || (!own && unit === "" && Number(digits) > MAX_BARE_YEARS);
  const years = Number(digits) / (isMonths ? 12 : 1);
  const isKnown = isMonths || YEARS.test(unit);
  return isKnown && Number.isInteger(years) && years >= 1 && years <= MAX_YEARS ? years : null;
}
