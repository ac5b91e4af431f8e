import { type SubmitEvent, useRef, useState } from "react";
import { facetOf, LABEL_FIELDS, recordOf } from "../../../shared/fields.ts";
import {
  activeFilters,
  type CustomName,
  type Filter,
  filterLabel,
  FILTERS,
  filterValueInWords,
  filterValues,
  isCustomName,
  type ListFilterName,
  parseFilter,
  toCustomName,
} from "../../../shared/filter.ts";
import { formatTerm, labelTerm, parseTerm, type Term } from "../../../shared/filter-term.ts";
import type { Facet, Facets } from "../../../shared/facets.ts";
import { foldLabel } from "../../../shared/text.ts";
import { Button } from "../../ui/button.tsx";
import { Check, Choice } from "../../ui/choice.tsx";
import { TextBox } from "../../ui/text-box.tsx";
import { DayBox, dayFault } from "../../ui/day-box.tsx";
import type { Options } from "../../ui/field.tsx";
import { formatNumber } from "../../ui/format.ts";
import { closeMenu } from "../../ui/page.ts";
import { Skeleton } from "../../ui/notice.tsx";
import { toOption, useFacets, usePeople } from "../../register/suggestions.ts";
import { hasRole } from "../../session/session-store.ts";
import { QuickFilters } from "./filter-chips.tsx";
import { type Renamed, useList } from "./list-context.ts";
import "./menus.css";

/** Filters with values to tick, and their facets. */
const FACETS = {
  ...recordOf(LABEL_FIELDS, facetOf),
  tag: "tags",
  tld: "tlds",
  decision: "decisions",
  autoRenew: "autoRenew",
  status: "statuses",
  currency: "currencies",
} as const satisfies Partial<Record<ListFilterName, keyof Facets>>;

type FacetName = keyof typeof FACETS;

// What is made of the keys of an object has its keys.
const FACET_NAMES = Object.keys(FACETS) as FacetName[];

/** Filters with one choice, below the prices. */
const CHOICES = ["work", "lapsed", "sold", "archived", "finding", "handled"] as const;

const { compare } = new Intl.Collator("en", { numeric: true });
/** Most used first; among equals, Client 2 before Client 10. */
const byCount = (a: Facet, b: Facet) => b.names - a.names || compare(a.value, b.value);

const MAX_VALUES = 12;

/** All filters in one form, which "Show domains" applies. */
export default function FilterMenu() {
  const { view, show: showView, ask } = useList();
  const [draft, setDraft] = useState(view.filter);
  const [checked, setChecked] = useState(false);
  const { value: facets, error } = useFacets();
  const form = useRef<HTMLFormElement>(null);

  function show(filter: Filter) {
    closeMenu(form.current);
    showView({ ...view, filter });
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setChecked(true);
    if (dayFault(draft.expiresFrom ?? "") ?? dayFault(draft.expiresBefore ?? "")) return;
    // Empty filters are left out.
    show(parseFilter(Object.entries(draft)).filter);
  }

  const put = (more: { [N in keyof Filter]: Filter[N] }) => setDraft({ ...draft, ...more });
  function rename(field: Renamed["field"], { value, names }: Facet) {
    closeMenu(form.current);
    const filter = { [field]: [labelTerm(value)] };
    const target = { filter, ids: null, count: names };
    ask({ kind: "rename", renamed: { field, from: value }, target });
  }
  const people = usePeople();
  // A field that was just chosen has an empty list of values.
  const custom = activeFilters(draft).filter(isCustomName);
  const known = facets?.custom.map(({ value }) => toCustomName(value)) ?? [];
  const others = known.filter((name) => !custom.includes(name));
  const choice = (name: "expires" | "person" | (typeof CHOICES)[number], more: Options = []) => (
    <Choice
      key={name}
      label={FILTERS[name].label}
      value={draft[name]?.[0] ?? ""}
      options={[
        ["", name === "archived" ? "No" : "Any"],
        ...Object.entries(FILTERS[name].choices),
        ...more,
      ]}
      onChoose={(value) => put({ [name]: [value] })}
    />
  );
  const day = (name: "expiresFrom" | "expiresBefore") => {
    const value = draft[name] ?? "";
    const fault = checked ? dayFault(value) : null;
    return (
      <DayBox
        label={FILTERS[name].label}
        error={fault ?? undefined}
        value={value}
        onChange={(text) =>
          put(name === "expiresFrom" ? { expiresFrom: text } : { expiresBefore: text })
        }
      />
    );
  };
  // Later facets would appear above the focus.
  if (!facets && error === undefined) return <Skeleton lines={8} />;
  return (
    <form ref={form} className="filter-menu" onSubmit={submit}>
      {[...FACET_NAMES, ...custom].map((name) => (
        <FacetField
          key={name}
          name={name}
          values={filterValues(draft, name)}
          facets={isCustomName(name) ? [] : (facets?.[FACETS[name]].toSorted(byCount) ?? [])}
          onChange={(values) => put({ [name]: values })}
          onRename={
            (name === "account" || name === "owner" || name === "tag") && hasRole("editor")
              ? (only) => rename(name, only)
              : undefined
          }
        />
      ))}
      {others.length > 0 && (
        <Choice
          label="Custom field"
          value=""
          options={[["", "Choose…"], ...others.map((name) => [name, filterLabel(name)] as const)]}
          onChoose={(name) => put({ [name]: [] })}
        />
      )}
      <div className="stack">
        {choice("expires")}
        {day("expiresFrom")}
        {day("expiresBefore")}
      </div>
      <div className="stack">
        <PriceField value={draft.price?.[0] ?? ""} onChange={(value) => put({ price: [value] })} />
        {CHOICES.map((name) => choice(name))}
        {(people.length > 1 || draft.person) && choice("person", people.map(toOption))}
      </div>
      <ul className="row" aria-label="Usual filters">
        <QuickFilters />
      </ul>
      <div className="row dialog-actions">
        <Button look="quiet" onClick={() => show(draft.q ? { q: draft.q } : {})}>
          Clear all
        </Button>
        <Button type="submit" look="main">
          Show domains
        </Button>
      </div>
    </form>
  );
}

interface FacetProps {
  name: FacetName | CustomName;
  values: readonly string[];
  facets: readonly Facet[];
  onChange: (values: readonly string[]) => void;
  /** For the only value that is chosen. */
  onRename?: ((only: Facet) => void) | undefined;
}

/** The values of a field with their counts, to include or leave out; typing narrows them. */
function FacetField({ name, values, facets, onChange, onRename }: FacetProps) {
  const chosen = values.map(parseTerm);
  const [not, setNot] = useState(chosen[0]?.not ?? false);
  const [typed, setTyped] = useState("");
  const label = filterLabel(name);
  const custom = isCustomName(name);
  const kind = custom ? "label" : FILTERS[name].kind;
  const wanted = foldLabel(typed);
  const same = (a: Term, b: Term) => a.match === b.match && foldLabel(a.text) === foldLabel(b.text);
  const known = facets.map((facet) => {
    const isWord = kind === "choice" || facet.value === "-";
    return [parseTerm(isWord ? facet.value : `=${facet.value}`), facet] as const;
  });
  const facetFor = (term: Term) => known.find(([each]) => same(each, term))?.[1];
  const found = known.map(([term]) => term).filter(({ text }) => foldLabel(text).includes(wanted));
  const shown = found.slice(0, MAX_VALUES);
  const offered = [
    ...(wanted && kind === "label" ? [parseTerm(`~${typed.trim()}`)] : []),
    // The values of custom fields are not known.
    ...(custom && wanted ? [parseTerm(`=${typed.trim()}`)] : []),
    ...(custom ? [parseTerm("-")] : []),
    // Chosen values stay in sight.
    ...chosen.filter((term) => !shown.some((each) => same(each, term))),
    ...shown,
  ].filter((term, index, all) => all.findIndex((each) => same(each, term)) === index);
  const isChosen = (term: Term) => chosen.some((each) => same(each, term));
  const only = chosen[0] && chosen.length === 1 ? facetFor(chosen[0]) : undefined;
  const toggle = (term: Term, on: boolean) => {
    const others = chosen.filter((each) => !same(each, term));
    onChange((on ? [...others, { ...term, not }] : others).map(formatTerm));
  };
  if (facets.length === 0 && values.length === 0 && !custom) return null;
  return (
    <fieldset className="facet">
      <legend className="unseen">{label}</legend>
      <b aria-hidden="true">{label}</b>
      <select
        aria-label={`${label}: show or leave out`}
        className="control"
        value={String(not)}
        onChange={({ target }) => {
          const next = target.value === "true";
          setNot(next);
          onChange(chosen.map((each) => formatTerm({ ...each, not: next })));
        }}
      >
        <option value="false">is any of</option>
        <option value="true">is none of</option>
      </select>
      {(facets.length > MAX_VALUES || kind === "label") && (
        <input
          type="search"
          className="control"
          aria-label={`Find ${label}`}
          placeholder="Find…"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <div className="facet-values">
        {offered.map((term) => {
          const value = formatTerm({ ...term, not: false });
          const count = facetFor(term)?.names;
          return (
            <Check key={value} checked={isChosen(term)} onCheck={(on) => toggle(term, on)}>
              <span>{filterValueInWords(name, value)}</span>
              {count !== undefined && <small>{formatNumber(count)}</small>}
            </Check>
          );
        })}
      </div>
      {only && onRename && (
        <Button size="small" onClick={() => onRename(only)}>
          Rename or merge…<span className="unseen"> {only.value}</span>
        </Button>
      )}
    </fieldset>
  );
}

function PriceField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { label, choices } = FILTERS.price;
  // As typed: `parsePriceRange` may not know it yet.
  const range = /^([^!]*?)\.\.(.*)$/.exec(value);
  const bounds = range?.slice(1) ?? ["", ""];
  const bound = (at: 0 | 1, name: string) => (
    <TextBox
      label={name}
      type="number"
      min="0"
      step="any"
      value={bounds[at]}
      onType={(typed) => {
        const next = bounds.with(at, typed);
        onChange(next.some(Boolean) ? next.join("..") : "");
      }}
    />
  );
  return (
    <>
      <Choice
        label={label}
        value={range ? "" : value}
        options={[["", "Any"], ...Object.entries(choices)]}
        onChoose={onChange}
      />
      <div className="filter-range">
        {bound(0, "From, per year")}
        {bound(1, "To, per year")}
      </div>
    </>
  );
}
