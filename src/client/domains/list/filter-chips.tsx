import {
  activeFilters,
  type Filter,
  type FilterName,
  filterLabel,
  filterValueInWords,
  filterValues,
} from "../../../shared/filter.ts";
import { parseTerm } from "../../../shared/filter-term.ts";
import * as p from "../../../shared/parse.ts";
import { parseRecentChanges } from "../../../shared/changes.ts";
import { QUICK_FILTERS } from "../../../shared/view.ts";
import { type Loadable, useResource } from "../../register/resource.tsx";
import { useFacets, usePeople } from "../../register/suggestions.ts";
import { formatDomainCount, formatNumber } from "../../ui/format.ts";
import { closeMenu } from "../../ui/page.ts";
import { useList } from "./list-context.ts";

type Quick = readonly [label: string, own: Filter];

const QUICK: readonly Quick[] = Object.entries(QUICK_FILTERS);

function isOn(filter: Filter, own: Filter): boolean {
  return activeFilters(own).every(
    (name) => filterValues(filter, name).join() === filterValues(own, name).join(),
  );
}

/** The usual filters that find anything, each with how many domains it finds. */
export function QuickFilters() {
  const { view, show } = useList();
  const { filter } = view;
  const { value: facets } = useFacets();
  const on = QUICK.filter(([, own]) => isOn(filter, own));
  return QUICK.map((quick) => {
    const [label, own] = quick;
    const count = facets?.quick.find(({ value }) => value === label)?.names ?? 0;
    const pressed = on.includes(quick);
    if (count === 0 && !pressed) return null;
    return (
      <li key={label} className={pressed ? "on" : undefined}>
        <button
          type="button"
          className="chip"
          aria-pressed={pressed}
          onClick={({ currentTarget }) => {
            closeMenu(currentTarget);
            const replaced = pressed ? [quick] : on.filter((each) => overlap(each, quick));
            const gone = replaced.flatMap(([, each]) => activeFilters(each));
            const rest = gone.reduce(without, filter);
            show({ ...view, filter: pressed ? rest : { ...rest, ...own } });
          }}
        >
          {label} {pressed ? <span aria-hidden="true">×</span> : <span>{formatNumber(count)}</span>}
        </button>
      </li>
    );
  });
}

function overlap([, one]: Quick, [, other]: Quick): boolean {
  return activeFilters(one).some((name) => other[name] !== undefined);
}

/** The usual filters as toggles, and every other active filter, to be removed. */
export function FilterChips() {
  const { view, show } = useList();
  const { filter } = view;
  const named = new Set(
    QUICK.filter(([, own]) => isOn(filter, own)).flatMap(([, own]) => activeFilters(own)),
  );
  const others = activeFilters(filter).filter((name) => name !== "q" && !named.has(name));
  return (
    <ul className="chips" aria-label="Filters">
      {others.map((name) => (
        <li key={name} className="on">
          <Chip
            name={name}
            values={filterValues(filter, name)}
            onRemove={() => show({ ...view, filter: without(filter, name) })}
          />
        </li>
      ))}
      <QuickFilters />
    </ul>
  );
}

function Chip(props: { name: FilterName; values: readonly string[]; onRemove: () => void }) {
  const { name, values, onRemove } = props;
  const label = `${filterLabel(name)}: ${useWords(name, values)}`;
  return (
    <button type="button" className="chip" aria-label={`Remove filter ${label}`} onClick={onRemove}>
      {label} <span aria-hidden="true">×</span>
    </button>
  );
}

/** The values of a filter in words: for an id the name of what it identifies, once that is known. */
function useWords(name: FilterName, values: readonly string[]): string {
  const id = values.join();
  const file = useResource(name === "import" ? `/api/imports/${id}` : null, parseFileName);
  const done = useResource(
    name === "change" ? `/api/changes?change=${id}` : null,
    parseRecentChanges,
  );
  const people = usePeople(name === "person");
  const orWait = ({ value, error }: Loadable<unknown>) => (value || error ? "Unknown" : "…");
  if (name === "import") return file.value?.fileName ?? orWait(file);
  if (name === "change") {
    const [entry] = done.value?.items ?? [];
    const names = entry?.domain?.unicode ?? formatDomainCount(entry?.names ?? 0);
    return entry?.what.replace("{}", () => names) ?? orWait(done);
  }
  const inWords = (isNot: boolean) =>
    values
      .filter((value) => parseTerm(value).not === isNot)
      .map((value) => filterValueInWords(name, value));
  const words = [inWords(false).join(" or "), ...inWords(true)].filter(Boolean).join(", ");
  return people.reduce((all, person) => all.replaceAll(person.id, () => person.name), words);
}

const parseFileName = p.object({ fileName: p.text });

function without(filter: Filter, name: FilterName): Filter {
  const { [name]: _, ...rest } = filter;
  return rest;
}
