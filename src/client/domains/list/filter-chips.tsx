import {
  activeFilters,
  type Filter,
  type FilterName,
  filterLabel,
  filterValueInWords,
  filterValues,
  parseTerm,
} from "../../../shared/filter.ts";
import * as p from "../../../shared/parse.ts";
import { parseRecentChanges } from "../../../shared/changes.ts";
import { QUICK_FILTERS } from "../../../shared/view.ts";
import { useResource } from "../../register/resource.tsx";
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
      {others.map((name) => {
        const Own = CHIPS[name] ?? Chip;
        return (
          <li key={name} className="on">
            <Own
              name={name}
              values={filterValues(filter, name)}
              onRemove={() => show({ ...view, filter: without(filter, name) })}
            />
          </li>
        );
      })}
      <QuickFilters />
    </ul>
  );
}

interface ChipProps {
  name: FilterName;
  values: readonly string[];
  /** By default, those of the values. */
  words?: string;
  onRemove: () => void;
}

function Chip({ name, values, words = inWords(name, values), onRemove }: ChipProps) {
  const label = `${filterLabel(name)}: ${words}`;
  return (
    <button type="button" className="chip" aria-label={`Remove filter ${label}`} onClick={onRemove}>
      {label} <span aria-hidden="true">×</span>
    </button>
  );
}

function ImportChip(props: ChipProps) {
  const { value, error } = useResource(`/api/imports/${props.values.join()}`, parseFileName);
  const words = value?.fileName ?? (error === undefined ? "…" : "Unknown");
  return <Chip {...props} words={words} />;
}

/** Says what was done instead of its ids. */
function ChangeChip(props: ChipProps) {
  const url = `/api/changes?change=${props.values.join()}`;
  const { value, error } = useResource(url, parseRecentChanges);
  const [entry] = value?.items ?? [];
  const names = entry?.domain?.unicode ?? formatDomainCount(entry?.names ?? 0);
  const words = entry?.what.replace("{}", () => names) ?? (value || error ? "Unknown" : "…");
  return <Chip {...props} words={words} />;
}

/** Shows names instead of ids once they are known. */
function PersonChip(props: ChipProps) {
  const ids = inWords(props.name, props.values);
  const words = usePeople().reduce((all, { id, name }) => all.replaceAll(id, () => name), ids);
  return <Chip {...props} words={words} />;
}

/** Filters whose values are ids have words to be read first. */
const CHIPS: { readonly [N in FilterName]?: typeof Chip } = {
  import: ImportChip,
  change: ChangeChip,
  person: PersonChip,
};

const parseFileName = p.object({ fileName: p.text });

function without(filter: Filter, name: FilterName): Filter {
  const { [name]: _, ...rest } = filter;
  return rest;
}

function inWords(name: FilterName, values: readonly string[]): string {
  const isNot = (value: string) => parseTerm(value).not;
  const words = (some: readonly string[]) => some.map((value) => filterValueInWords(name, value));
  const any = words(values.filter((value) => !isNot(value))).join(" or ");
  return [any, ...words(values.filter(isNot))].filter(Boolean).join(", ");
}
