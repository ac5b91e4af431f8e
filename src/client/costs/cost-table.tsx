import { Link } from "wouter";
import {
  type Cheaper,
  COST_GROUPS,
  COST_KINDS,
  type CostGroup,
  type CostKind,
  type CostRow,
  parseCheaperReport,
  type Sale,
} from "../../shared/costs.ts";
import type { Money } from "../../shared/domain.ts";
import { labelTerm } from "../../shared/filter-term.ts";
import { unitsOf } from "../../shared/money.ts";
import { listPath } from "../screens.ts";
import { useResource } from "../register/resource.tsx";
import { formatAmount, formatNumber, formatShortDay, localToday } from "../ui/format.ts";
import { type Column, Table } from "../ui/table.tsx";
import { sumByCurrency } from "../ui/totals.tsx";
import { Amount, formatPeriod } from "./cost-sums.tsx";

const NONE: Readonly<Partial<Record<CostGroup, string>>> = {
  registrar: "No registrar",
  owner: "No owner",
  tag: "No tags",
  tld: "No TLD",
};

const COUNTED: Readonly<Record<CostKind, string>> = {
  ...COST_KINDS,
  renewals: "Renewals",
  paid: "Renewals",
};

interface Props {
  what: CostKind;
  group: CostGroup;
  rows: readonly CostRow[];
  totals: readonly CostRow[];
  periods: readonly string[];
}

/** From this amount on, in whole units, a column for each of twelve periods takes more room. */
const LONG_AMOUNT = 100_000;

/** Up to this many periods have a column each even on a narrow screen. */
const MAX_SHORT_PERIODS = 6;

/** The sum of a group in one currency. */
interface Line {
  label: string;
  /** Null: the sum of all groups. */
  href: string | null;
  /** Whether it is the first of its group, which names it. */
  isFirst: boolean;
  sum: ReturnType<typeof sumByCurrency>[number];
  /** By period. */
  cells: ReadonlyMap<string, CostRow[]>;
}

/** A row for each group and currency, at last for all; a column for each period. */
export function CostTable({ what, group, rows, totals, periods }: Props) {
  const isLong = totals.some((row) => unitsOf(row) >= LONG_AMOUNT);
  const room = periods.length <= MAX_SHORT_PERIODS ? "few" : isLong ? "long" : "many";
  const groups = [...Map.groupBy(rows, (row) => row.group)].map(([value, of]) =>
    linesOf(of, value ?? NONE[group] ?? "", listPath({ [group]: labelTerm(value) })),
  );
  const largest = ([first]: readonly Line[]) => (first ? unitsOf(first.sum) : 0);
  groups.sort((one, other) => largest(other) - largest(one));
  return (
    <div className="by-group tall-links">
      <Table
        className={`table ${room}`}
        name={`By ${COST_GROUPS[group]}`}
        rows={[...groups.flat(), ...linesOf(totals, "All domains", null)]}
        keyOf={({ href, sum }) => `${href} ${sum.currency}`}
        rowClass={({ href }) => (href === null ? "total" : undefined)}
        columns={[
          { label: COST_GROUPS[group], show: nameOf },
          {
            label: "Total",
            kind: "end",
            show: ({ sum }) => (
              <b>
                <Amount {...sum} />
              </b>
            ),
          },
          { label: COUNTED[what], kind: "end", show: ({ sum }) => formatNumber(sum.names) },
          ...periods.map((period): Column<Line> => ({
            label: headingOf(period),
            kind: "end period",
            show: ({ cells }) => {
              const [cell] = sumByCurrency(cells.get(period) ?? []);
              return cell ? <Amount {...cell} whole /> : null;
            },
          })),
        ]}
      />
    </div>
  );
}

/** The lines of a group, one for each currency that has an amount, the largest first. */
function linesOf(rows: readonly CostRow[], label: string, href: string | null): Line[] {
  const sums = sumByCurrency(rows).filter(({ minor }) => minor !== 0);
  return sums.map((sum, at) => {
    const of = rows.filter(({ currency }) => currency === sum.currency);
    const cells = Map.groupBy(of, ({ period }) => period);
    return { label, href, isFirst: at === 0, sum, cells };
  });
}

function nameOf({ label, href, isFirst }: Line) {
  if (!isFirst) return <span className="unseen">{label}</span>;
  return href === null ? label : <Link href={href}>{label}</Link>;
}

/** A month, in January with its year. */
function headingOf(period: string): string {
  const short = formatPeriod(period, "shortMonth");
  return period.endsWith("-01") ? `${short} ’${period.slice(2, 4)}` : short;
}

export function Sales({ sales }: { sales: readonly Sale[] }) {
  return (
    <section className="tall-links">
      <h2>Profit on sold domains</h2>
      <p className="note">Sale price minus purchase and known renewals, at today’s prices.</p>
      <Table columns={SALE_COLUMNS} rows={sales} keyOf={({ name }) => name} />
    </section>
  );
}

const SALE_COLUMNS: readonly Column<Sale>[] = [
  {
    label: "Domain",
    show: ({ name, unicode }) => <Link href={`/domains/${name}`}>{unicode}</Link>,
  },
  { label: "Profit", kind: "end", show: ({ profit }) => <b>{formatMoney(profit)}</b> },
  { label: "Sold on", kind: "end", show: ({ soldOn }) => (soldOn ? formatShortDay(soldOn) : "–") },
  { label: "Sold for", kind: "end", show: ({ sold }) => formatMoney(sold) },
  { label: "Bought for", kind: "end", show: ({ purchase }) => formatMoney(purchase) },
  { label: "Renewals", kind: "end", show: ({ renewals }) => formatMoney(renewals) },
];

function formatMoney(money: Money | null): string {
  return money === null ? "–" : formatAmount(money.minor, money.currency);
}

/** Absent while nothing is known to be cheaper. */
export function CheaperElsewhere() {
  const today = localToday();
  const { value } = useResource(`/api/costs/cheaper?today=${today}`, parseCheaperReport);
  if (!value?.items.length) return null;
  return (
    <section>
      <h2>Cheaper elsewhere</h2>
      <p className="note">
        By the price lists of your registrars. One-time transfer fees are not included.
      </p>
      <div className="tall-links">
        <Table
          rows={value.items}
          keyOf={({ registrar, suffix, now }) => `${registrar} ${suffix} ${now.currency}`}
          columns={[
            {
              label: "Domains",
              show: (row) => (
                <Link href={hrefOf(row, today)}>
                  {formatNumber(row.names)} .{row.suffix} at {row.registrar}
                </Link>
              ),
            },
            { label: "Per year", kind: "end", show: ({ now }) => formatMoney(now) },
            {
              label: "Cheaper at",
              show: ({ at, price }) => `${at}, ${formatMoney(price)} each`,
            },
            {
              label: "Saved per year",
              kind: "end",
              show: ({ saving }) => <b>{formatMoney(saving)}</b>,
            },
          ]}
        />
      </div>
    </section>
  );
}

/** Those domains as a list, where they can be selected and marked Transfer. */
function hrefOf({ registrar, tld, suffix, from, now }: Cheaper, today: string): string {
  return listPath({
    registrar: labelTerm(registrar),
    tld,
    ...(suffix !== tld && { q: `.${suffix}` }),
    // The list reads three decimals.
    price: `${Math.floor(from * 1000) / 1000}..`,
    currency: now.currency,
    decision: "!drop",
    sold: "false",
    expiresFrom: today,
  });
}
