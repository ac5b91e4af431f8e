import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import {
  COST_GROUPS,
  COST_KINDS,
  MAX_COST_GROUPS,
  parseCostReport,
  type CostKind,
  type CostPeriod,
  type CostReport,
} from "../../shared/costs.ts";
import { firstOfMonth } from "../../shared/day.ts";
import * as p from "../../shared/parse.ts";
import type { Settings } from "../../shared/settings.ts";
import { urlOf } from "../base-path.ts";
import { fieldErrors } from "../session/failure.tsx";
import { Screen } from "../register/screen.tsx";
import { Loaded, useResource } from "../register/resource.tsx";
import { combine, useSettings } from "../register/suggestions.ts";
import { hasRole } from "../session/session-store.ts";
import { formatCount, formatMonth, formatNumber, localToday } from "../ui/format.ts";
import { Choice } from "../ui/choice.tsx";
import { Field } from "../ui/field.tsx";
import { convertRows, CostSums, PeriodTable } from "./cost-sums.tsx";
import { ratesInWords, sumByCurrency } from "../ui/totals.tsx";
import { CheaperElsewhere, CostTable, Sales } from "./cost-table.tsx";
import { Statement } from "./statement.tsx";
import "../common.ts";
import "../common-editing.ts";
import "./costs.css";

/** Screen `/costs` and the one below it: what the register costs and brings, by period and by group. */
export default function Costs() {
  const [path] = useLocation();
  if (path === "/costs/statement") return <Statement />;
  return (
    <Screen
      className="costs"
      heading="Costs"
      lines={10}
      actions={
        <Link href="/costs/statement" className="button">
          Statement
        </Link>
      }
    >
      <Report />
    </Screen>
  );
}

const PERIODS = { month: "Month", year: "Year" } as const satisfies Record<CostPeriod, string>;

/** Those of a limited viewer, who sees no purchase price. */
const { purchases: _, ...KINDS_IN_SIGHT } = COST_KINDS;

const NOTES: Readonly<Record<CostKind, string>> = {
  renewals:
    "At each domain’s own price, else its registrar’s list price. Domains to be dropped, sold or expired are left out.",
  paid: "Renewals that imports and edits show, at today’s prices.",
  purchases: "Purchases without a date are left out.",
  sales: "Sales without a date are left out.",
};

/** The choices in the address; invalid ones are ignored. */
function readChoices(search: string) {
  const parameters = new URLSearchParams(search);
  return {
    what: p.orElse(p.keyOf(COST_KINDS), "renewals" as const)(parameters.get("what")),
    by: p.orElse(p.keyOf(PERIODS), "month" as const)(parameters.get("by")),
    group: p.orElse(p.keyOf(COST_GROUPS), "none" as const)(parameters.get("group")),
    from: parameters.get("from") ?? "",
    to: parameters.get("to") ?? "",
  };
}

/** One spelling of what follows the `?`, however it came. */
function addressOf(search: string | string[][]) {
  return String(new URLSearchParams(search));
}

interface Shown extends ReturnType<typeof readChoices> {
  report: CostReport;
  settings: Settings;
}

function Report() {
  const search = addressOf(useSearch());
  const [, navigate] = useLocation();
  const choices = readChoices(search);
  /** Choices ahead of this render, with the address that they made. */
  const [typed, setTyped] = useState<Partial<typeof choices> & { search: string }>({ search });
  // A render of an address on the way to that one takes nothing back; Back and a link do.
  if (typed.search !== search && search === addressOf(location.search)) setTyped({ search });
  const query = new URLSearchParams({ ...choices, today: localToday() });
  const report = useResource(`/api/costs?${query}`, parseCostReport);
  const loaded = combine(report, useSettings());
  // The old report stays until the next is there.
  const [value, setValue] = useState<Shown>();
  if (loaded.value) {
    const [next, settings] = loaded.value;
    if (value?.report !== next || value.settings !== settings) {
      setValue({ ...choices, report: next, settings });
    }
  }
  const bad = fieldErrors(report.error);
  const isBad = Object.keys(bad).length > 0;
  const { from, to } = report.error === undefined && value ? value.report : choices;
  const boxes = {
    ...choices,
    ...typed,
    from: typed.from ?? (choices.from || from),
    to: typed.to ?? (choices.to || to),
  };

  function choose(change: Partial<typeof choices>) {
    // The address is ahead of this render, which shows the old report until the next is there.
    const isKind = change.what !== undefined;
    const time = isKind && { from: "", to: "" };
    const next = { ...readChoices(location.search), ...time, ...change };
    const chosen = Object.entries(next).filter(([, text]) => text !== "");
    const made = addressOf(chosen);
    // Another kind has another usual time, which its report tells.
    setTyped((now) => ({ ...(!isKind && now), ...change, search: made }));
    navigate(`/costs?${made}`, { replace: true });
  }

  const select = (
    name: "what" | "by" | "group",
    label: string,
    words: Readonly<Record<string, string>>,
  ) => (
    <Choice
      label={label}
      value={boxes[name]}
      options={Object.entries(words)}
      onChoose={(chosen) => choose({ [name]: chosen })}
    />
  );
  const month = (name: "from" | "to", label: string) => (
    <Field label={label} error={bad[name]}>
      {(control) => (
        <input
          {...control}
          type="month"
          placeholder="YYYY-MM"
          value={boxes[name]}
          onChange={({ target }) => {
            setTyped((now) => ({ ...now, [name]: target.value }));
            if (!/^\d{4}-\d{2}$/.test(target.value)) return;
            // Beside it stays what the address or its own report has, not a report of before.
            const own = { from: report.value?.from ?? "", to: report.value?.to ?? "" };
            const asked = readChoices(location.search);
            const time = { from: asked.from || own.from, to: asked.to || own.to };
            choose({ ...time, [name]: target.value });
          }}
        />
      )}
    </Field>
  );

  return (
    <>
      <div className="choices">
        {select("what", "Show", hasRole("viewer") ? COST_KINDS : KINDS_IN_SIGHT)}
        {select("by", "By", PERIODS)}
        {select("group", "Group by", { ...COST_GROUPS, none: "Nothing" })}
        {month("from", "From")}
        {month("to", "To")}
      </div>
      {(value || !isBad) && (
        <Loaded of={{ ...loaded, value, error: isBad ? undefined : loaded.error }} lines={10}>
          {(shown) => <Result {...shown} />}
        </Loaded>
      )}
    </>
  );
}

/** Periods that a table of groups has a column for: more would be cut off. */
const MAX_COLUMNS = 12;

function Result({ what, by, group, report, settings }: Shown) {
  const { from, to, rows, totals, left, unpriced, sales, lastYear } = report;
  const periods = listPeriods(report, by);
  const converted = convertRows(totals, settings);
  const isConverted = converted.some(({ currency }, at) => currency !== totals[at]?.currency);
  const sums = sumByCurrency(converted).filter(({ minor }) => minor !== 0);
  const before = { ...lastYear, totals: convertRows(lastYear.totals, settings) };
  const file = `/api/costs.csv?${new URLSearchParams({ what, by, group, from, to, today: localToday() })}`;
  return (
    <>
      {totals.length === 0 ? (
        <p>
          No {COST_KINDS[what].toLowerCase()} from {formatMonth(from)} to {formatMonth(to)}.
        </p>
      ) : (
        <>
          <CostSums what={what} totals={totals} settings={settings} />
          {group !== "none" && (
            <CostTable
              what={what}
              group={group}
              rows={convertRows(rows, settings)}
              totals={converted}
              periods={periods.length > MAX_COLUMNS ? [] : periods}
            />
          )}
          <div className="currencies">
            {sums.map(({ currency }) => (
              <PeriodTable
                key={currency}
                heading={
                  isConverted && currency === settings.currency
                    ? `${currency}, ${ratesInWords(settings)}`
                    : (currency ?? "Prices without a currency")
                }
                currency={currency}
                totals={converted}
                lastYear={before}
                periods={periods}
              />
            ))}
          </div>
          <p className="tall-links">
            {left > 0 && `The ${formatNumber(MAX_COST_GROUPS)} largest groups are shown. `}
            <a href={urlOf(file)} download>
              {left > 0 ? "Download all as CSV" : "Download as CSV"}
            </a>
          </p>
        </>
      )}
      {unpriced > 0 && (
        <p>
          {formatCount(unpriced, "domain comes", "domains come")} up for renewal without a price.{" "}
          {hasRole("editor") && <Link href="/registrars">Add price lists</Link>}
        </p>
      )}
      <p className="note">
        {NOTES[what]} {lastYearInWords(what, lastYear)}{" "}
        {group === "tag" && "A domain with several tags is in several rows."}
      </p>
      {what === "renewals" && hasRole("viewer") && <CheaperElsewhere />}
      {sales.length > 0 && <Sales sales={sales} />}
    </>
  );
}

/** Explains the sums of the year before. */
function lastYearInWords(what: CostKind, { totals, unpriced }: CostReport["lastYear"]): string {
  if (what !== "renewals" || totals.length === 0) return "";
  const left =
    unpriced > 0
      ? ` ${formatCount(unpriced, "domain without a price is", "domains without a price are")} left out.`
      : "";
  return `“A year earlier” are the renewals that imports and edits show, at today’s prices.${left}`;
}

/** Every period of a report, empty ones too. */
function listPeriods({ from, to }: { from: string; to: string }, by: CostPeriod): string[] {
  const periods = new Set<string>();
  for (let day = `${from}-01`; day.slice(0, 7) <= to; day = firstOfMonth(day, 1)) {
    periods.add(day.slice(0, by === "month" ? 7 : 4));
  }
  return [...periods];
}
