import { useState } from "react";
import { Link, useLocation } from "wouter";
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
import { useAddressChoices } from "../register/address-choices.ts";
import { Loaded, useResource } from "../register/resource.tsx";
import { Screen } from "../register/screen.tsx";
import { combine, useSettings } from "../register/suggestions.ts";
import { fieldErrors } from "../session/failure.tsx";
import { hasRole } from "../session/session-store.ts";
import { Choice } from "../ui/choice.tsx";
import type { Labelled } from "../ui/field.tsx";
import { TextBox } from "../ui/text-box.tsx";
import { formatCount, formatMonth, formatNumber, localToday } from "../ui/format.ts";
import { ratesInWords, sumByCurrency } from "../ui/totals.tsx";
import { convertRows, CostSums, PeriodTable } from "./cost-sums.tsx";
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
    "At each domain’s own price, else its registrar’s list price. Domains that are sold, expired or to be dropped are left out.",
  paid: "Renewals that imports and edits show, at today’s prices.",
  purchases: "Purchases without a date are left out.",
  sales: "Sales without a date are left out.",
};

/** The choices in the address; invalid ones are ignored. */
function readChoices(given: URLSearchParams) {
  return {
    what: p.orElse(p.keyOf(COST_KINDS), "renewals" as const)(given.get("what")),
    by: p.orElse(p.keyOf(PERIODS), "month" as const)(given.get("by")),
    group: p.orElse(p.keyOf(COST_GROUPS), "none" as const)(given.get("group")),
    from: given.get("from") ?? "",
    to: given.get("to") ?? "",
  };
}

interface Shown extends ReturnType<typeof readChoices> {
  report: CostReport;
  settings: Settings;
}

function Report() {
  const { choices, boxes, choose } = useAddressChoices(readChoices);
  const query = new URLSearchParams({ ...choices, today: localToday() });
  const report = useResource(`/api/costs?${query}`, parseCostReport);
  const loaded = combine(report, useSettings());
  /** What is asked for, or what was before until that is there. */
  const [shown, setShown] = useState<Shown>();
  if (loaded.value) {
    const [next, settings] = loaded.value;
    if (shown?.report !== next || shown.settings !== settings) {
      setShown({ ...choices, report: next, settings });
    }
  }
  const bad = fieldErrors(report.error);
  const isBad = Object.keys(bad).length > 0;
  const usual = isBad ? undefined : shown?.report;

  return (
    <>
      <div className="choices">
        <Choice
          label="Show"
          value={boxes.what}
          options={Object.entries(hasRole("viewer") ? COST_KINDS : KINDS_IN_SIGHT)}
          // Another kind has another usual time, which its report tells.
          onChoose={(what) => choose({ what, from: "", to: "" })}
        />
        <Choice
          label="By"
          value={boxes.by}
          options={Object.entries(PERIODS)}
          onChoose={(by) => choose({ by })}
        />
        <Choice
          label="Group by"
          value={boxes.group}
          options={Object.entries({ ...COST_GROUPS, none: "Nothing" })}
          onChoose={(group) => choose({ group })}
        />
        {(["from", "to"] as const).map((name) => (
          <Month
            key={name}
            label={name === "from" ? "From" : "To"}
            error={bad[name]}
            value={boxes[name] || (usual?.[name] ?? "")}
            onChoose={(month) => {
              // Beside it stays what the address or its own report has, not a report of before.
              const { from = "", to = "" } = report.value ?? {};
              choose({ from: boxes.from || from, to: boxes.to || to, [name]: month });
            }}
          />
        ))}
      </div>
      {(shown || !isBad) && (
        <Loaded
          of={{ ...loaded, value: shown, error: isBad ? undefined : loaded.error }}
          lines={10}
        >
          {(value) => <Result {...value} />}
        </Loaded>
      )}
    </>
  );
}

/** A box for a month. What is not yet one stays in it, and chooses nothing. */
function Month(props: Labelled & { value: string; onChoose: (month: string) => void }) {
  const { value, onChoose, ...labelled } = props;
  const [typed, setTyped] = useState<{ over: string; text: string }>();
  if (typed && typed.over !== value) setTyped(undefined);
  return (
    <TextBox
      {...labelled}
      type="month"
      placeholder="YYYY-MM"
      value={typed?.text ?? value}
      onType={(text) => {
        setTyped({ over: value, text });
        if (/^\d{4}-\d{2}$/.test(text)) onChoose(text);
      }}
    />
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

function lastYearInWords(what: CostKind, { totals, unpriced }: CostReport["lastYear"]): string {
  if (what !== "renewals" || totals.length === 0) return "";
  const left =
    unpriced > 0
      ? ` ${formatCount(unpriced, "domain without a price is", "domains without a price are")} left out.`
      : "";
  return `“A year earlier” counts the renewals that imports and edits show, at today’s prices.${left}`;
}

/** Every period of a report, empty ones too. */
function listPeriods({ from, to }: { from: string; to: string }, by: CostPeriod): string[] {
  const periods = new Set<string>();
  for (let day = `${from}-01`; day.slice(0, 7) <= to; day = firstOfMonth(day, 1)) {
    periods.add(day.slice(0, by === "month" ? 7 : 4));
  }
  return [...periods];
}
