import { type SubmitEvent, useState } from "react";
import type { Facets } from "../../../shared/register.ts";
import {
  FILTER_NAMES,
  type Filter,
  type FilterName,
  FILTERS,
  filterValueInWords,
  filterValues,
  parseFilter,
} from "../../../shared/filter.ts";
import type { View } from "../../../shared/view.ts";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { Field } from "../../ui/field.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { OptionList } from "../domain-fields.tsx";
import { readFacets } from "../../session/facets.ts";
import "./filter-menu.css";

/** Filters that are typed, and the values in use that are suggested for them. */
const SUGGESTIONS: Partial<Record<FilterName, keyof Facets>> = {
  registrar: "registrars",
  account: "accounts",
  owner: "owners",
  tag: "tags",
  tld: "tlds",
};

/** The search has a box of its own; some filters are only set by links. */
const CHIP_FILTERS = FILTER_NAMES.filter((name) => name !== "q");
const MENU_FILTERS = CHIP_FILTERS.filter((name) => FILTERS[name].kind !== "id");

interface Props {
  view: View;
  onShow: (view: View) => void;
}

export function FilterMenu({ view, onShow }: Props) {
  const { filter } = view;
  const [facets, setFacets] = useState<Facets>();
  const active = MENU_FILTERS.filter((name) => filter[name]).length;
  const search: Filter = filter.q ? { q: filter.q } : {};

  /** Loads suggestions. Without them values can still be typed, so a failure is ignored. */
  function loadFacets() {
    readFacets()
      .then(setFacets)
      .catch(() => undefined);
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { elements } = event.currentTarget;
    const entries = MENU_FILTERS.map((name) => {
      const control = elements.namedItem(name);
      const typed = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
      return [name, typed ? control.value.trim() : ""] as const;
    });
    hideMenu(event.currentTarget);
    onShow({ ...view, filter: { ...search, ...parseFilter(entries).filter } });
  }

  return (
    <Dropdown label={active === 0 ? "Filter" : `Filter (${active})`} onOpen={loadFacets}>
      <form key={JSON.stringify(filter)} className="filter-menu" onSubmit={submit}>
        {MENU_FILTERS.map((name) => (
          <FilterField
            key={name}
            name={name}
            value={filterValues(filter, name)[0]}
            facets={facets}
          />
        ))}
        <div className="dialog-actions">
          <Button
            look="quiet"
            onClick={({ currentTarget }) => {
              hideMenu(currentTarget);
              onShow({ ...view, filter: search });
            }}
          >
            Clear all
          </Button>
          <Button type="submit" look="primary">
            Show domains
          </Button>
        </div>
      </form>
    </Dropdown>
  );
}

interface FieldProps {
  name: FilterName;
  value: string | undefined;
  facets: Facets | undefined;
}

function FilterField({ name, value, facets }: FieldProps) {
  const spec = FILTERS[name];
  const control = { name, defaultValue: value };
  return (
    <Field label={spec.label}>
      {(attributes) => {
        if (spec.kind === "day") return <input {...attributes} {...control} type="date" />;
        if ("choices" in spec) {
          return (
            <select {...attributes} {...control}>
              <OptionList options={[["", "Any"], ...Object.entries(spec.choices)]} />
            </select>
          );
        }
        const list = SUGGESTIONS[name];
        return (
          <>
            <input {...attributes} {...control} list={`suggested-${name}`} autoComplete="off" />
            <datalist id={`suggested-${name}`}>
              {(list && facets?.[list])?.map(({ value: suggestion, names }) => (
                <option key={suggestion} value={suggestion}>
                  {formatDomainCount(names)}
                </option>
              ))}
            </datalist>
          </>
        );
      }}
    </Field>
  );
}

export function FilterChips({ view, onShow }: Props) {
  const active = CHIP_FILTERS.filter((name) => view.filter[name]);
  if (active.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label="Active filters">
      {active.map((name) => {
        const { [name]: _, ...filter } = view.filter;
        const values = filterValues(view.filter, name);
        const inWords = values.map((value) => filterValueInWords(name, value));
        const words = `${FILTERS[name].label}: ${inWords.join(" or ")}`;
        return (
          <li key={name}>
            <button
              type="button"
              className="tag"
              aria-label={`Remove filter ${words}`}
              onClick={() => onShow({ ...view, filter })}
            >
              {words} <span aria-hidden="true">×</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function hideMenu(inside: HTMLElement) {
  inside.closest<HTMLElement>("[popover]")?.hidePopover();
}
