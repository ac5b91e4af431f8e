import { Link } from "wouter";
import { COST_GROUPS, type CostGroup, type CostRow } from "../../shared/costs.ts";
import { formatAmount } from "../ui/money.ts";
import { formatNumber } from "../ui/number.ts";
import { sumByCurrency } from "../ui/totals.tsx";
import { formatPeriod } from "./cost-sums.tsx";

/** How a filter asks for domains without a value. */
const NO_VALUE = "-";

/** What a row of domains without a value is called. */
const NONE: Readonly<Record<CostGroup, string>> = {
  none: "No currency",
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

/** A row for each group and currency, a column for each period; the totals at its foot. */
export function CostTable({ group, rows, totals, periods }: Props) {
  const body = group === "none" ? totals : rows;
  return (
    <div className="costs-table tall-links">
      <table>
        <thead>
          <tr>
            <th scope="col">{COST_GROUPS[group]}</th>
            <th scope="col">Total</th>
            <th scope="col">Count</th>
            {periods.map((period) => (
              <th key={period} scope="col">
                {formatPeriod(period)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...Map.groupBy(body, (row) => row.group)].map(([label, ofGroup]) => (
            <Rows key={label} group={group} rows={ofGroup} periods={periods} />
          ))}
        </tbody>
        {group !== "none" && (
          <tfoot>
            <Rows group="all" rows={totals} periods={periods} />
          </tfoot>
        )}
      </table>
    </div>
  );
}

/** The rows of one group, or of `all` domains: one for each currency. */
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
    const own = group === "none";
    const value = own ? currency : (rows[0]?.group ?? null);
    return (
      <tr key={currency}>
        {(own || at === 0) && (
          <th scope="row" rowSpan={own ? 1 : sums.length}>
            {group === "all" ? "All domains" : <GroupLink group={group} value={value} />}
          </th>
        )}
        <td>
          <b>{formatAmount(minor, currency)}</b>
        </td>
        <td>{formatNumber(names)}</td>
        {periods.map((period) => {
          const cell = cells.get(period);
          return <td key={period}>{cell ? formatAmount(cell.minor, currency) : "–"}</td>;
        })}
      </tr>
    );
  });
}

/** What a row is about, as a link to its domains. */
function GroupLink({ group, value }: { group: CostGroup; value: string | null }) {
  const filter = group === "none" ? "currency" : group;
  const query = new URLSearchParams({ [filter]: value ?? NO_VALUE });
  return <Link href={`/domains?${query}`}>{value ?? NONE[group]}</Link>;
}
