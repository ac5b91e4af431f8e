import { Link } from "wouter";
import type { Sale } from "../../shared/costs.ts";
import type { Money } from "../../shared/domain.ts";
import { formatDay } from "../ui/format.ts";
import { formatAmount } from "../ui/money.ts";

/** The domains that were sold, and what each has brought. */
export function Sales({ sales }: { sales: readonly Sale[] }) {
  return (
    <section>
      <h2>Profit of sold domains</h2>
      <p className="costs-note">
        The sale without the purchase and the renewals that are known, at today’s renewal price.
        Profit is known where both prices are, in one currency or in currencies with an exchange
        rate.
      </p>
      <div className="costs-table">
        <table>
          <thead>
            <tr>
              <th scope="col">Domain</th>
              <th scope="col">Profit</th>
              <th scope="col">Sold on</th>
              <th scope="col">Sold for</th>
              <th scope="col">Bought for</th>
              <th scope="col">Renewals</th>
            </tr>
          </thead>
          <tbody>
            {sales.map(({ name, unicode, soldOn, sold, purchase, renewals, profit }) => (
              <tr key={name}>
                <th scope="row">
                  <Link href={`/domains/${name}`}>{unicode}</Link>
                </th>
                <td>
                  <b>{formatMoney(profit)}</b>
                </td>
                <td>{soldOn === null ? "–" : formatDay(soldOn, "medium")}</td>
                <td>{formatMoney(sold)}</td>
                <td>{formatMoney(purchase)}</td>
                <td>{formatMoney(renewals)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function formatMoney(money: Money | null): string {
  return money === null ? "unknown" : formatAmount(money.minor, money.currency);
}
