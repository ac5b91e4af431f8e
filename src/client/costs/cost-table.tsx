import { Link } from "wouter";
import { COST_GROUPS, type CostGroup, type CostRow, type Sale } from "../../shared/costs.ts";
import type { Money } from "../../shared/domain.ts";
import { listPath } from "../screens.ts";
import { formatAmount, formatDay, formatNumber } from "../ui/format.ts";
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

interface Props {
  group: CostGroup;
  rows: readonly CostRow[];
  totals: readonly CostRow[];
  periods: readonly string[];
}

/** A row for each group and currency, a column for each period; totals in the foot. */
export function CostTable({ group, rows, totals, periods }: Props) {
  return (
    <div className="costs-table costs-groups tall-links">
      <table>
        <thead>
          <tr>
            <th scope="col">{COST_GROUPS[group]}</th>
            <th scope="col">Total</th>
            <th scope="col">Count</th>
            {periods.map((period) => (
              <th key={period} scope="col" className={classOf(periods)}>
                {formatPeriod(period, "shortMonth")}
                {period.length > 4 && <span className="unseen"> {period.slice(0, 4)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groupsOf(rows).map(([label, ofGroup]) => (
            <Rows key={label} group={group} rows={ofGroup} periods={periods} />
          ))}
        </tbody>
        <tfoot>
          <Rows group="all" rows={totals} periods={periods} />
        </tfoot>
      </table>
    </div>
  );
}

function groupsOf(rows: readonly CostRow[]) {
  const largest = (some: readonly CostRow[]) => sumByCurrency(some)[0]?.minor ?? 0;
  const groups = [...Map.groupBy(rows, (row) => row.group)];
  return groups.toSorted(([, one], [, other]) => largest(other) - largest(one));
}

/** The rows of a group, or of `all` domains, one for each currency. */
function Rows(props: {
  group: CostGroup | "all";
  rows: readonly CostRow[];
  periods: readonly string[];
}) {
  const { group, rows, periods } = props;
  const sums = sumByCurrency(rows);
  return sums.map(({ currency, minor, names }, at) => {
    const cells = new Map(
      rows.filter((row) => row.currency === currency).map((row) => [row.period, row]),
    );
    return (
      <tr key={currency}>
        {at === 0 && (
          <th scope="row" rowSpan={sums.length}>
            {group === "all" ? (
              "All domains"
            ) : (
              <GroupLink group={group} value={rows[0]?.group ?? null} />
            )}
          </th>
        )}
        <td>
          <b>
            <Amount minor={minor} currency={currency} />
          </b>
        </td>
        <td>{formatNumber(names)}</td>
        {periods.map((period) => {
          const cell = cells.get(period);
          return (
            <td key={period} className={classOf(periods)}>
              {cell ? <Amount minor={cell.minor} currency={currency} whole /> : "–"}
            </td>
          );
        })}
      </tr>
    );
  });
}

function classOf(periods: readonly string[]): string {
  return periods.length > 6 ? "period many" : "period";
}

function GroupLink({ group, value }: { group: CostGroup; value: string | null }) {
  return <Link href={listPath({ [group]: value ?? NO_VALUE })}>{value ?? NONE[group]}</Link>;
}

export function Sales({ sales }: { sales: readonly Sale[] }) {
  return (
    <section>
      <h2>Profit of sold domains</h2>
      <p className="note">
        The sale without the purchase and the renewals that are known, at today’s renewal price.
        Profit is known where both prices are, in one currency or in currencies with an exchange
        rate.
      </p>
      <div className="costs-table tall-links">
        <Table className="" columns={SALE_COLUMNS} rows={sales} keyOf={({ name }) => name} />
      </div>
    </section>
  );
}

const SALE_COLUMNS: readonly Column<Sale>[] = [
  {
    label: "Domain",
    show: ({ name, unicode }) => <Link href={`/domains/${name}`}>{unicode}</Link>,
  },
  { label: "Profit", show: ({ profit }) => <b>{formatMoney(profit)}</b> },
  { label: "Sold on", show: ({ soldOn }) => (soldOn ? formatDay(soldOn, "medium") : "–") },
  { label: "Sold for", show: ({ sold }) => formatMoney(sold) },
  { label: "Bought for", show: ({ purchase }) => formatMoney(purchase) },
  { label: "Renewals", show: ({ renewals }) => formatMoney(renewals) },
];

function formatMoney(money: Money | null): string {
  return money === null ? "unknown" : formatAmount(money.minor, money.currency);
}
