import type { ReactNode } from "react";
import { Link } from "wouter";
import {
  COST_GROUPS,
  type CostGroup,
  type CostKind,
  type CostRow,
  type Sale,
} from "../../shared/costs.ts";
import type { Money } from "../../shared/domain.ts";
import { currencyDigits } from "../../shared/money.ts";
import { listPath } from "../screens.ts";
import { formatAmount, formatNumber, formatShortDay } from "../ui/format.ts";
import { type Column, Table } from "../ui/table.tsx";
import { sumByCurrency } from "../ui/totals.tsx";
import { Amount, formatPeriod } from "./cost-sums.tsx";

const NO_VALUE = "-";

const NONE: Readonly<Partial<Record<CostGroup, string>>> = {
  registrar: "No registrar",
  owner: "No owner",
  tag: "No tags",
  tld: "No TLD",
};

/** What a report counts. */
const COUNTED: Readonly<Record<CostKind, string>> = {
  renewals: "Renewals",
  paid: "Renewals",
  purchases: "Purchases",
  sales: "Sales",
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

/** A row for each group and currency, a column for each period; totals in the foot. */
export function CostTable({ what, group, rows, totals, periods }: Props) {
  const isLong = totals.some(
    ({ minor, currency }) => minor / 10 ** currencyDigits(currency) >= LONG_AMOUNT,
  );
  const room = periods.length <= MAX_SHORT_PERIODS ? "few" : isLong ? "long" : "many";
  return (
    <div className="by-group tall-links">
      <table className={`table ${room}`}>
        <thead>
          <tr>
            <th scope="col">{COST_GROUPS[group]}</th>
            <th scope="col" className="end">
              Total
            </th>
            <th scope="col" className="end">
              {COUNTED[what]}
            </th>
            {periods.map((period) => (
              <th key={period} scope="col" className="end period">
                {formatPeriod(period, "shortMonth")}
                {period.length > 4 && <span className="unseen"> {period.slice(0, 4)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groupsOf(rows).map(([label, ofGroup]) => (
            <Rows key={label} rows={ofGroup} periods={periods}>
              <GroupLink group={group} value={label} />
            </Rows>
          ))}
        </tbody>
        <tfoot>
          <Rows rows={totals} periods={periods}>
            All domains
          </Rows>
        </tfoot>
      </table>
    </div>
  );
}

/** Years, of which there is a column for each even where there is little room. */
const MAX_SHORT_PERIODS = 6;

function groupsOf(rows: readonly CostRow[]) {
  const largest = (some: readonly CostRow[]) => sumByCurrency(some)[0]?.minor ?? 0;
  const groups = [...Map.groupBy(rows, (row) => row.group)];
  return groups.toSorted(([, one], [, other]) => largest(other) - largest(one));
}

/** The rows of a group, one for each currency that has an amount. */
function Rows(props: {
  rows: readonly CostRow[];
  periods: readonly string[];
  children: ReactNode;
}) {
  const { rows, periods, children } = props;
  const sums = sumByCurrency(rows).filter(({ minor }) => minor !== 0);
  return sums.map(({ currency, minor, names }, at) => {
    const cells = new Map(
      rows.filter((row) => row.currency === currency).map((row) => [row.period, row]),
    );
    return (
      <tr key={currency}>
        {at === 0 && (
          <th scope="row" rowSpan={sums.length}>
            {children}
          </th>
        )}
        <td className="end">
          <b>
            <Amount minor={minor} currency={currency} />
          </b>
        </td>
        <td className="end">{formatNumber(names)}</td>
        {periods.map((period) => {
          const cell = cells.get(period);
          return (
            <td key={period} className="end period">
              {cell ? <Amount minor={cell.minor} currency={currency} whole /> : "–"}
            </td>
          );
        })}
      </tr>
    );
  });
}

function GroupLink({ group, value }: { group: CostGroup; value: string | null }) {
  return <Link href={listPath({ [group]: value ?? NO_VALUE })}>{value ?? NONE[group]}</Link>;
}

export function Sales({ sales }: { sales: readonly Sale[] }) {
  return (
    <section>
      <h2>Profit of sold domains</h2>
      <p className="note">
        The sale without the purchase and the known renewals, at today’s price.
      </p>
      <div className="tall-links">
        <Table columns={SALE_COLUMNS} rows={sales} keyOf={({ name }) => name} />
      </div>
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
