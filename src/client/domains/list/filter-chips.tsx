import {
  activeFilters,
  type Filter,
  type FilterName,
  filterLabel,
  filterValueInWords,
  filterValues,
  parseTerm,
} from "../../../shared/filter.ts";
import { object, text } from "../../../shared/parse.ts";
import { useResource } from "../../register/resource.tsx";
import { usePeople } from "../../register/suggestions.ts";
import { useList } from "./list-context.ts";

const QUICK = [
  { label: "Expired", name: "expires", value: "expired" },
  { label: "30 days", name: "expires", value: "next-30" },
  { label: "90 days", name: "expires", value: "next-90" },
  { label: "Auto-renew off", name: "autoRenew", value: "false" },
  { label: "No price", name: "price", value: "none" },
  { label: "Conflicts", name: "expires", value: "conflict" },
  { label: "Undecided", name: "work", value: "undecided" },
  { label: "To do", name: "work", value: "todo" },
  { label: "Lapsed", name: "lapsed", value: "true" },
] as const;

/** The usual filters as toggles, and every other active filter, to be removed. */
export function FilterChips() {
  const { view, show } = useList();
  const { filter } = view;
  const others = activeFilters(filter).filter((name) => name !== "q" && !findQuick(filter, name));
  return (
    <ul className="row filter-chips" aria-label="Filters">
      {QUICK.map((quick) => {
        const { label, name, value } = quick;
        const on = findQuick(filter, name) === quick;
        return (
          <li key={label} className={on ? undefined : "idle"}>
            <button
              type="button"
              className="tag"
              aria-pressed={on}
              onClick={() =>
                show({
                  ...view,
                  filter: on ? without(filter, name) : { ...filter, [name]: [value] },
                })
              }
            >
              {label} {on && <span aria-hidden="true">×</span>}
            </button>
          </li>
        );
      })}
      {others.map((name) => {
        const onRemove = () => show({ ...view, filter: without(filter, name) });
        return (
          <li key={name}>
            {name === "import" && filter.import !== undefined ? (
              <ImportChip id={filter.import} onRemove={onRemove} />
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
    <button type="button" className="tag" aria-label={`Remove filter ${label}`} onClick={onRemove}>
      {label} <span aria-hidden="true">×</span>
    </button>
  );
}

function ImportChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { value, error } = useResource(`/api/imports/${id}`, parseFileName);
  const words = value?.fileName ?? (error === undefined ? "…" : "Unknown");
  return <Chip name="import" words={words} onRemove={onRemove} />;
}

/** Shows names instead of ids once they are known. */
function PersonChip({ values, onRemove }: { values: readonly string[]; onRemove: () => void }) {
  const ids = inWords("person", values);
  const words = usePeople().reduce((all, { id, name }) => all.replaceAll(id, () => name), ids);
  return <Chip name="person" words={words} onRemove={onRemove} />;
}

const parseFileName = object({ fileName: text });

/** The usual filter that equals the current filter of this name. */
function findQuick(filter: Filter, name: FilterName): (typeof QUICK)[number] | undefined {
  const [value, ...more] = filterValues(filter, name);
  if (more.length > 0) return undefined;
  return QUICK.find((quick) => quick.name === name && quick.value === value);
}

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
