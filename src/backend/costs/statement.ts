import type { SQL } from "bun";
import type { Database, Job } from "../database/database.ts";
import { ASKED, type StatementRow, type StatementSum, sumStatement } from "../../shared/costs.ts";
import { DECISION_LABELS, type Domain, type Renewal } from "../../shared/domain.ts";
import * as p from "../../shared/parse.ts";
import type { ListPrice } from "../../shared/registrars.ts";
import { LIMITS, limitedText } from "../../shared/text.ts";
import { dueDay, workOf } from "../../shared/work.ts";
import { formatAmount } from "../domains/field-kinds.ts";
import { toLine } from "../domains/list/csv-export.ts";
import {
  type DatedView,
  decodeCursor,
  listDomains,
  type ListQuery,
  pagingOf,
  viewQueryOf,
} from "../domains/list/list-domains.ts";
import type { Cursor } from "../domains/list/list-order.ts";
import { readSettings } from "../domains/settings.ts";
import { MAX_PAGE_SIZE } from "../http/paging.ts";
import { badFields } from "../http/request-error.ts";

const TERMS = {
  /** In hundredths of a per cent. */
  markup: p.optional(
    p.mapped(p.textLike(/^\d{1,3}(?:\.\d{1,2})?$/, "value", "per cent from 0 to 999.99"), (text) =>
      Math.round(Number(text) * 100),
    ),
  ),
  /** The key of the registrar whose list has the prices. */
  prices: p.optional(limitedText({ max: LIMITS.label })),
};

type Terms = p.ObjectOf<typeof TERMS>;

export const parseStatementQuery = viewQueryOf((sort) => ({ ...pagingOf(sort), ...TERMS }));
export const parseStatementFile = viewQueryOf(() => TERMS);

/** A page of domains as their owner is told of them. @throws {RequestError} 400 without such a list. */
export const readStatement: Job<
  ListQuery & Terms,
  { items: StatementRow[]; next: string | null; total: number }
> = {
  name: "list a statement",
  async run(sql, { markup = 0, prices, ...query }) {
    const { items, ...page } = await listDomains(sql, query);
    const { leadDays } = await readSettings(sql);
    const list = prices === undefined ? null : await readPriceList(sql, prices);
    return {
      ...page,
      items: items.map((domain) => {
        const { name, unicode, autoRenew, decision } = domain;
        const price = isOver(domain, query.today) ? null : priceOf(domain, list);
        return {
          name,
          unicode,
          expires: dueDay(domain),
          autoRenew,
          decision,
          asked: workOf(domain, { today: query.today, leadDays }) === "undecided",
          price: price && {
            ...price,
            minor: Math.round((price.minor * (10_000 + markup)) / 10_000),
          },
        };
      }),
    };
  },
};

async function readPriceList(sql: SQL, key: string): Promise<Map<string, Renewal>> {
  const rows = await sql<ListPrice[]>`
    select tld, cast(minor as double precision) as minor, currency, years
    from registrar_prices where registrar_key = ${key}`;
  if (rows.length === 0) {
    const detail = "Expected the key of a registrar that has a price list.";
    throw badFields([{ pointer: "/prices", code: "value", detail }]);
  }
  return new Map(rows.map(({ tld, ...price }) => [tld, price]));
}

/** Whether no renewal of it is to be paid for. */
function isOver(domain: Domain, today: string): boolean {
  const due = dueDay(domain);
  const { decision, soldOn, soldPrice, archivedOn } = domain;
  const isGone = (soldOn ?? soldPrice ?? archivedOn) !== null;
  return isGone || decision === "drop" || (due !== null && due < today);
}

/** With a list, only its prices count: what the register pays does not fill the gaps in it. */
function priceOf(
  { name, renewal, listPrice }: Domain,
  list: ReadonlyMap<string, Renewal> | null,
): Renewal | null {
  if (list === null) return renewal ?? listPrice;
  const suffix = name.slice(name.indexOf(".") + 1);
  return list.get(suffix) ?? list.get(suffix.slice(suffix.lastIndexOf(".") + 1)) ?? null;
}

const HEADER = ["Domain", "Expires", "Auto-renew", "Decision", "Price", "Currency", "Years"];

/** Writes all pages as CSV, then the sums of twelve months. */
export async function* writeStatement(
  database: Database,
  query: DatedView & Terms,
): AsyncGenerator<string> {
  const sums = new Map<string, StatementSum>();
  let foot: StatementSum[];
  let head = `\ufeff${toLine(HEADER)}`;
  let after: Cursor | null = null;
  do {
    const page: ListQuery & Terms = { ...query, limit: MAX_PAGE_SIZE, after };
    const { items, next } = await database.readMany(readStatement, page);
    foot = sumStatement(items, query.today, sums);
    // Not before the first page, which may be refused.
    yield head + items.map(rowCells).map(toLine).join("");
    head = "";
    after = next === null ? null : decodeCursor(next, query.sort);
  } while (after !== null);
  for (const { month, names, ...sum } of foot) {
    const label = `Renewals in ${month ?? "12 months"}: ${names}`;
    yield toLine([label, "", "", "", formatAmount(sum), sum.currency ?? "", ""]);
  }
}

function rowCells({ unicode, expires, autoRenew, decision, asked, price }: StatementRow): string[] {
  return [
    unicode,
    expires ?? "",
    autoRenew === null ? "" : autoRenew ? "on" : "off",
    asked ? ASKED : decision === null ? "" : DECISION_LABELS[decision],
    ...(price === null
      ? ["", "", ""]
      : [formatAmount(price), price.currency ?? "", String(price.years ?? 1)]),
  ];
}
