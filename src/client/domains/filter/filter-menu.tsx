import { type SubmitEvent, useState } from "react";
import type { Facets } from "../../../shared/register-contract.ts";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { Field } from "../../ui/field.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { filterChoices, filterLabels } from "./filter-words.ts";
import { readFacets } from "../register-api.ts";
import { filterNames, type View } from "./view.ts";
import "./filter-menu.css";

/** Filters that are typed, and where what is in use of each is listed. */
const TYPED = [
  ["registrar", "registrars"],
  ["account", "accounts"],
  ["owner", "owners"],
  ["tag", "tags"],
  ["tld", "tlds"],
] as const;

/** The menu that narrows the list. What the register holds is offered while typing. */
export function FilterMenu({ view, onShow }: { view: View; onShow: (view: View) => void }) {
  const { filters } = view;
  const [facets, setFacets] = useState<Facets>();
  const active = Object.keys(filters).length;

  /** Without what is in use a value can still be typed: that it did not come is not worth a word. */
  function offer() {
    readFacets()
      .then(setFacets)
      .catch(() => undefined);
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { elements } = event.currentTarget;
    const wanted: View["filters"] = {};
    for (const name of filterNames) {
      const control = elements.namedItem(name);
      const typed = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
      if (typed && control.value.trim()) wanted[name] = control.value.trim();
    }
    hideMenu(event.currentTarget);
    onShow({ ...view, filters: wanted });
  }

  return (
    <Dropdown label={active === 0 ? "Filter" : `Filter (${active})`} onOpen={offer}>
      <form key={JSON.stringify(filters)} className="filter-menu" onSubmit={submit}>
        {TYPED.map(([name, list]) => (
          <Field key={name} label={filterLabels[name]}>
            {(control) => (
              <>
                <input
                  {...control}
                  name={name}
                  defaultValue={filters[name]}
                  list={`offered-${name}`}
                  autoComplete="off"
                />
                <datalist id={`offered-${name}`}>
                  {facets?.[list].map(({ value, names }) => (
                    <option key={value} value={value}>
                      {formatDomainCount(names)}
                    </option>
                  ))}
                </datalist>
              </>
            )}
          </Field>
        ))}
        {select(filters, "decision")}
        {select(filters, "autoRenew")}
        {select(filters, "expiry")}
        {day(filters, "expiresFrom")}
        {day(filters, "expiresBefore")}
        <div className="dialog-actions">
          <Button
            look="quiet"
            onClick={({ currentTarget }) => {
              hideMenu(currentTarget);
              onShow({ ...view, filters: {} });
            }}
          >
            Clear all
          </Button>
          <Button type="submit" look="primary">
            Show names
          </Button>
        </div>
      </form>
    </Dropdown>
  );
}

function select(filters: View["filters"], name: keyof typeof filterChoices) {
  return (
    <Field label={filterLabels[name]}>
      {(control) => (
        <select {...control} name={name} defaultValue={filters[name]}>
          <option value="">any</option>
          {Object.entries(filterChoices[name]).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function day(filters: View["filters"], name: "expiresFrom" | "expiresBefore") {
  return (
    <Field label={filterLabels[name]}>
      {(control) => <input {...control} type="date" name={name} defaultValue={filters[name]} />}
    </Field>
  );
}

function hideMenu(inside: HTMLElement) {
  inside.closest<HTMLElement>("[popover]")?.hidePopover();
}
