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
        const onRemove = () => show({ ...view, filter: without(filter, name) });
        return (
          <li key={name} className="on">
            {name === "import" && filter.import !== undefined ? (
              <ImportChip id={filter.import} onRemove={onRemove} />
            ) : name === "change" ? (
              <ChangeChip ids={filterValues(filter, name)} onRemove={onRemove} />
            ) : name === "person" ? (
              <PersonChip values={filterValues(filter, name)} onRemove={onRemove} />
            ) : (
              <Chip
                name={name}
                words={inWords(name, filterValues(filter, name))}
                onRemove={onRemove}
              />
            )}
          </li>
        );
      })}
      <QuickFilters />
    </ul>
  );
}

interface ChipProps {
  name: FilterName;
  words: string;
  onRemove: () => void;
}

function Chip({ name, words, onRemove }: ChipProps) {
  const label = `${filterLabel(name)}: ${words}`;
  return (
    <button type="button" className="chip" aria-label={`Remove filter ${label}`} onClick={onRemove}>
      {label} <span aria-hidden="true">×</span>
    </button>
  );
}

function ImportChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { value, error } = useResource(`/api/imports/${id}`, parseFileName);
  const words = value?.fileName ?? (error === undefined ? "…" : "Unknown");
  return <Chip name="import" words={words} onRemove={onRemove} />;
}

/** Says what was done instead of its ids. */
function ChangeChip({ ids, onRemove }: { ids: readonly string[]; onRemove: () => void }) {
  const { value, error } = useResource(`/api/changes?change=${ids.join()}`, parseRecentChanges);
  const [entry] = value?.items ?? [];
  const names = entry?.domain?.unicode ?? formatDomainCount(entry?.names ?? 0);
  const words = entry?.what.replace("{}", () => names) ?? (value || error ? "Unknown" : "…");
  return <Chip name="change" words={words} onRemove={onRemove} />;
}

/** Shows names instead of ids once they are known. */
function PersonChip({ values, onRemove }: { values: readonly string[]; onRemove: () => void }) {
  const ids = inWords("person", values);
  const words = usePeople().reduce((all, { id, name }) => all.replaceAll(id, () => name), ids);
  return <Chip name="person" words={words} onRemove={onRemove} />;
}

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
