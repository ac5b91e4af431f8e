import { Link } from "wouter";
import { invalidate } from "../register/resource.tsx";
import { explain } from "../session/failure.tsx";
import { callApi, hasRole } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import type { CostKind, CostReport, CostRow } from "../../shared/costs.ts";
import { unitsOf } from "../../shared/money.ts";
import type { Settings } from "../../shared/settings.ts";
import { addUp } from "../../shared/total.ts";
import { formatMonth, formatNumber, formatRenewalParts } from "../ui/format.ts";
import { type Column, Table } from "../ui/table.tsx";
import { sumByCurrency, Totals } from "../ui/totals.tsx";

export function formatPeriod(
  period: string,
  style: "mediumMonth" | "shortMonth" = "mediumMonth",
): string {
  return period.length > 4 ? formatMonth(period, style) : period;
}

/** The answer waits for the bank's, 10 s at most. */
const ASK_TIMEOUT_MS = 20_000;

interface Props {
  what: CostKind;
  totals: readonly CostRow[];
  settings: Settings;
}

export function CostSums({ what, totals, settings }: Props) {
  const sums = sumByCurrency(totals);
  const all = addUp(sums, settings);
  const missing = all?.missing.map((currency) => currency ?? "prices without a currency") ?? [];
  return (
    <div>
      <Totals amounts={totals} settings={settings} isComing={what === "renewals"} />
      {hasRole("owner") && sums.length > 1 && (all === null || missing.length > 0) && (
        <p className="note">
          For one total, <Link href="/settings">set exchange rates</Link>
          {missing.length > 0 && ` for ${missing.join(", ")}`}.
        </p>
      )}
      {hasRole("owner") && all !== null && (missing.length > 0 || settings.reference.on) && (
        <ReferenceRates of={settings} />
      )}
    </div>
  );
}

/** Turns the rates of the European Central Bank on and off; says who is asked, and how it answered. */
function ReferenceRates({ of: { reference } }: { of: Settings }) {
  const { run, error, isBusy } = useAction(async (on: boolean) => {
    const options = { method: "PUT", body: { on }, timeout: ASK_TIMEOUT_MS };
    await callApi("/api/settings/reference", options);
    invalidate("/api/");
  });
  const { on, day } = reference;
  return (
    <p className="note">
      {on
        ? `The European Central Bank is asked once a day for the rates that you have not set${day === null ? "; it has not answered yet" : ""}. `
        : "Or ask ecb.europa.eu once a day for its reference rates. "}
      <Button look="quiet" size="small" aria-disabled={isBusy} onClick={() => void run(!on)}>
        {on ? "Stop asking" : "Use the European Central Bank’s rates"}
      </Button>
      {error !== undefined && <b>{explain(error)}</b>}
    </p>
  );
}

/** Converts amounts to the owner's currency if there is a rate for theirs. */
export function convertRows(rows: readonly CostRow[], settings: Settings): CostRow[] {
  const convert = (row: CostRow, minor: number) => {
    const total = addUp([{ ...row, minor }], settings);
    return total?.missing.length === 0 ? total : { minor, currency: row.currency };
  };
  return rows.map((row) => {
    const { minor, currency } = convert(row, row.minor);
    return { ...row, minor, currency, renewing: convert(row, row.renewing).minor };
  });
}

interface PeriodProps extends Pick<CostReport, "totals" | "lastYear"> {
  heading: string;
  currency: string | null;
  periods: readonly string[];
}

/** Sums of one currency in each period, as numbers and bars, beside the year before if it had any. */
export function PeriodTable({ heading, currency, totals, lastYear, periods }: PeriodProps) {
  const sumOf = (rows: readonly CostRow[], period: string) => {
    const sums = sumByCurrency(rows.filter((row) => row.period === period));
    return sums.find((sum) => sum.currency === currency)?.minor ?? 0;
  };
  const lines = periods.map((period) => ({
    period,
    now: sumOf(totals, period),
    before: lastYear.unknown.includes(period) ? null : sumOf(lastYear.totals, period),
  }));
  const addUpAll = (of: "now" | "before") => lines.reduce((sum, line) => sum + (line[of] ?? 0), 0);
  const isKnown = lines.every(({ before }) => before !== null);
  const all = {
    period: "Total",
    now: addUpAll("now"),
    before: isKnown ? addUpAll("before") : null,
  };
  const highest = Math.max(...lines.flatMap(({ now, before }) => [now, before ?? 0]), 1);
  const isCompared = lines.some(({ before }) => before);
  const columns: Column<typeof all>[] = [
    {
      label: periods[0]?.length === 4 ? "Year" : "Month",
      show: ({ period }) => (period === all.period ? period : formatPeriod(period)),
    },
    {
      label: "Amount",
      kind: "end",
      show: ({ period, now, before }) => (
        <div className="amount">
          {period !== all.period && (
            <div className="bars" aria-hidden="true">
              <Bar share={now / highest} />
              {isCompared && <Bar share={(before ?? 0) / highest} />}
            </div>
          )}
          <Amount minor={now} currency={currency} />
        </div>
      ),
    },
  ];
  const show = ({ before }: typeof all) =>
    before === null ? null : <Amount minor={before} currency={currency} />;
  if (isCompared) columns.push({ label: "A year earlier", kind: "end", show });
  return (
    <Table
      className="table periods"
      caption={heading}
      columns={columns}
      rows={[...lines.filter(({ now, before }) => now !== 0 || before), all]}
      keyOf={({ period }) => period}
      rowClass={(line) => (line === all ? "total" : undefined)}
    />
  );
}

function Bar({ share }: { share: number }) {
  return (
    <svg>
      <rect width={`${share * 100}%`} height="100%" />
    </svg>
  );
}

/** An amount on one line, rounded if `whole`. A question mark: the currency is unknown. */
export function Amount(props: Pick<CostRow, "minor" | "currency"> & { whole?: true }) {
  const { minor, currency, whole } = props;
  const { amount, missing } = formatRenewalParts({ minor, currency, years: null });
  const units = Math.round(unitsOf(props));
  const known = missing === "" && currency !== null ? currency : "";
  const text = whole ? formatNumber(units, { currency: known, digits: 0 }) : amount;
  if (missing === "") return text;
  return (
    <span title={missing}>
      {text} <span aria-hidden="true">?</span>
      <span className="unseen">({missing})</span>
    </span>
  );
}
