import type { Renewal } from "../../../shared/contract.ts";
import { parseCurrency } from "../values/currency.ts";
import { hasYenSign, parseMoney, toMinor, type MoneyReading } from "../values/money.ts";
import { isShorterThanYear, readYears, type RowText } from "./row-texts.ts";

/** What is known of prices outside of their own cell. */
export interface PriceContext {
  reading: MoneyReading;
  /** The currency that the column's header names. */
  header: string | null;
  /** What a bare `$` means to the registrar. */
  dollar: string | null;
  /** For prices that name no currency at all. */
  fallback: string | null;
  /** Written by our own export. */
  own?: boolean;
}

/**
 * The renewal price of a row. Its currency is what the cell says, else the row's currency cell,
 * else the header, else what `$` means to this registrar, else the person's default; null where
 * none of them says any.
 */
export function readPrice(
  cells: { price: string; currency: string; years: string },
  { reading, header, dollar, fallback, own }: PriceContext,
): RowText<Renewal> {
  const money = parseMoney(cells.price);
  if (money.kind === "none") return null;
  if (money.kind === "unreadable") return { reason: money.reason };
  const mark = money.currency;
  const written = mark !== null && "code" in mark ? mark.code : null;
  const said = written === "JPY" && reading.yuan && hasYenSign(cells.price) ? "CNY" : written;
  const bare = mark !== null && "shared" in mark && mark.shared === "$" ? dollar : null;
  const currency = said ?? currencyCell(cells.currency) ?? header ?? bare ?? fallback;
  const minor = toMinor(money, reading, currency);
  if (typeof minor !== "number") return minor;
  if (isShorterThanYear(cells.years)) return { reason: "Expected a price per year" };
  const years = readYears(cells.years, own);
  return { minor, currency, years: typeof years === "number" ? years : null };
}

/** Three capitals are taken as they are, as the register itself takes them. */
function currencyCell(text: string): string | null {
  const code = text.trim();
  if (/^[A-Z]{3}$/.test(code)) return code;
  const mark = parseCurrency(code);
  return mark !== null && "code" in mark ? mark.code : null;
}
