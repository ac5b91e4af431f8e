import { type ReactNode, useEffect } from "react";
import {
  ASKED,
  parseStatement,
  type StatementRow,
  type StatementSum,
  sumStatement,
} from "../../shared/costs.ts";
import { DECISION_LABELS } from "../../shared/domain.ts";
import { activeFilters, filterValueInWords } from "../../shared/filter.ts";
import { labelTerm } from "../../shared/filter-term.ts";
import { parseSavedViews } from "../../shared/register.ts";
import { parseRegistrars } from "../../shared/registrars.ts";
import { DEFAULT_SORT, formatView, parseView, withoutLapsed } from "../../shared/view.ts";
import { urlOf } from "../base-path.ts";
import { toQuery, useAddressChoices } from "../register/address-choices.ts";
import { Loaded, usePages, useResource } from "../register/resource.tsx";
import { Screen } from "../register/screen.tsx";
import { useFacets } from "../register/suggestions.ts";
import { fieldErrors } from "../session/failure.tsx";
import { hasRole } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { TextBox } from "../ui/text-box.tsx";
import {
  dayLanguage,
  formatDay,
  formatMonth,
  formatNumber,
  formatRenewalParts,
  localToday,
} from "../ui/format.ts";
import { type Column, Table } from "../ui/table.tsx";
import { readBrand } from "../ui/page.ts";
import { Amount } from "./cost-sums.tsx";

/** Screen `/costs/statement`: what the owner of some domains is told of them, to print or as a file. */
export function Statement() {
  const statement = useStatement();
  const file = urlOf(`/api/costs/statement.csv?${statement.query}`);
  return (
    <Screen
      className="costs statement"
      above="/costs"
      lines={10}
      actions={
        <>
          <a className="button" href={file} download>
            Download as CSV
          </a>
          <Button onClick={() => print()}>Print</Button>
        </>
      }
    >
      <Content {...statement} />
    </Screen>
  );
}

/** The domains that the address names, as the query of a list, and their prices. */
function readChoices(given: URLSearchParams) {
  const { view } = parseView(given, ["markup", "prices"]);
  return {
    of: String(formatView(view)),
    markup: given.get("markup") ?? "",
    prices: given.get("prices") ?? "",
  };
}

const formatChoices = ({ of, ...prices }: ReturnType<typeof readChoices>) =>
  new URLSearchParams([...new URLSearchParams(of), ...toQuery(prices)]);

function useStatement() {
  const { choices, ...controls } = useAddressChoices(readChoices, formatChoices);
  const { view } = parseView(new URLSearchParams(choices.of));
  const query = formatChoices({ ...choices, of: String(formatView(withoutLapsed(view))) });
  query.set("today", localToday());
  return { of: choices.of, filter: view.filter, query, controls };
}

type Props = ReturnType<typeof useStatement>;

function Content({ of, filter, query, controls }: Props) {
  const read = usePages(`/api/costs/statement?${query}&limit=200`, parseStatement);
  const { hasMore, isBusy, error, loadMore } = read;
  // Sums, and paper, need all pages.
  useEffect(() => {
    if (hasMore && !isBusy && error === undefined) loadMore();
  });
  const { value: views } = useResource("/api/views", parseSavedViews);
  const owners = activeFilters(filter).join() === "owner" ? (filter.owner ?? []) : [];
  const name =
    views?.items.find((each) => each.query === of)?.name ??
    owners.map((owner) => filterValueInWords("owner", owner)).join(", ");
  const head = [readBrand(), name, formatDay(localToday())].filter(Boolean).join(" · ");
  const bad = fieldErrors(error);
  const value = hasMore ? undefined : read.value;
  return (
    <>
      {hasRole("editor") && <Choices {...controls} bad={bad} />}
      {Object.keys(bad).length === 0 && (
        <Loaded of={{ value, error, reload: read.reload }} lines={10}>
          {({ items }) =>
            items.length === 0 ? (
              <p>No domains.</p>
            ) : (
              <div>
                <Table
                  head={head}
                  columns={COLUMNS}
                  rows={[...items, ...sumStatement(items, localToday())]}
                  keyOf={(line) => (isSum(line) ? `${line.month} ${line.currency}` : line.name)}
                  rowClass={(line) => (isSum(line) ? "total" : undefined)}
                />
              </div>
            )
          }
        </Loaded>
      )}
      <p className="note">
        The sums are for the renewals of the next twelve months. Domains that are sold, expired or
        to be dropped have no price.
      </p>
    </>
  );
}

type Line = StatementRow | StatementSum;

const isSum = (line: Line): line is StatementSum => "month" in line;

/** Of a domain; empty in the line of a sum. */
const ofDomain = (show: (row: StatementRow) => ReactNode) => (line: Line) =>
  isSum(line) ? "" : show(line);

const COLUMNS: readonly Column<Line>[] = [
  {
    label: "Domain",
    show: (line) => {
      if (!isSum(line)) return line.unicode;
      const { month, names } = line;
      return (
        <>
          Renewals in {month ? <span lang={dayLanguage()}>{formatMonth(month)}</span> : "12 months"}
          : {formatNumber(names)}
        </>
      );
    },
  },
  {
    label: "Expires",
    kind: "end",
    show: ofDomain(
      ({ expires }) => expires && <span lang={dayLanguage()}>{formatDay(expires, "medium")}</span>,
    ),
  },
  {
    label: "Auto-renew",
    show: ofDomain(({ autoRenew }) => (autoRenew === null ? null : autoRenew ? "On" : "Off")),
  },
  {
    label: "Decision",
    show: ofDomain(({ asked, decision }) =>
      asked ? ASKED : decision && DECISION_LABELS[decision],
    ),
  },
  {
    label: "Price",
    kind: "end",
    show: (line) => {
      const price = isSum(line) ? { ...line, years: null } : line.price;
      if (price === null) return null;
      const { period } = formatRenewalParts(price);
      return (
        <>
          <Amount {...price} /> {period && <div className="note">{period}</div>}
        </>
      );
    },
  },
];

/** Chooses the domains of the statement, and the prices in it. */
function Choices({ boxes, choose, bad }: Props["controls"] & { bad: Record<string, string> }) {
  const { of, markup, prices } = boxes;
  const { value: facets } = useFacets();
  const { value: views } = useResource("/api/views", parseSavedViews);
  const { value: registrars } = useResource("/api/registrars", parseRegistrars);
  const owners = (facets?.owners ?? []).filter(({ value }) => value !== "-");
  const ofWhat = [
    ["", "All domains"],
    ...owners.map(({ value }) => {
      const owner = [labelTerm(value)];
      return [String(formatView({ filter: { owner }, sort: DEFAULT_SORT })), value] as const;
    }),
    ...(views?.items ?? []).map(({ query, name }) => [query, name] as const),
  ] as const;
  const lists = (registrars?.items ?? []).filter((each) => each.prices.length > 0);
  return (
    <div className="choices">
      <Choice
        label="Domains"
        value={of}
        options={ofWhat.some(([value]) => value === of) ? ofWhat : [...ofWhat, [of, "This list"]]}
        onChoose={(next) => choose({ of: next })}
      />
      <Choice
        label="Prices"
        hint={prices && "Limited viewers can open this link only with a mark-up."}
        error={bad["prices"]}
        value={prices}
        options={[
          ["", "What you pay"],
          ...lists.map(({ key, name }) => [key, `Price list of ${name}`] as const),
        ]}
        onChoose={(next) => choose({ prices: next })}
      />
      <TextBox
        label="Mark-up, per cent"
        error={bad["markup"]}
        type="number"
        min={0}
        step="any"
        value={markup}
        onType={(next) => choose({ markup: next })}
      />
    </div>
  );
}
