import { Link } from "wouter";
import { isCustomName, toCustomName } from "../../../shared/filter.ts";
import { SORT_FIELDS, sortLabel } from "../../../shared/view.ts";
import { hasRole } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Field, OptionList } from "../../ui/field.tsx";
import { setPreference } from "../../ui/preferences.ts";
import { usePreferences } from "../../ui/store.ts";
import { useFacets } from "../../register/suggestions.ts";
import { columnLabel, COLUMNS, exportUrl, sorted } from "./columns.tsx";
import { useList } from "./list-context.ts";
import { ViewList } from "./saved-views.tsx";
import { PHONE, useMedia } from "./room.ts";
import "./more-menu.css";

/** Sorting, columns, export, and on a phone what has no room elsewhere. */
export default function MoreMenu({ onHelp }: { onHelp: () => void }) {
  const { view, show } = useList();
  const { rows } = usePreferences();
  const phone = useMedia(PHONE);
  const [first] = view.sort;
  const sortBy = (field: string, descending: boolean) => show(sorted(view, field, descending));
  return (
    <div className="stack more-menu">
      {phone && <ViewList />}
      <div className="row sort-menu">
        <Field label="Sort by">
          {(control) => (
            <select
              {...control}
              value={first?.field}
              onChange={({ target }) => sortBy(target.value, first?.descending ?? false)}
            >
              <OptionList options={SORT_FIELDS.map((field) => [field, sortLabel(field)])} />
            </select>
          )}
        </Field>
        <label className="check">
          <input
            type="checkbox"
            checked={first?.descending ?? false}
            onChange={({ target }) => sortBy(first?.field ?? "name", target.checked)}
          />
          Highest or latest first
        </label>
      </div>
      <ColumnMenu />
      <label className="check">
        <input
          type="checkbox"
          checked={rows === "compact"}
          onChange={({ target }) =>
            setPreference("rows", target.checked ? "compact" : "comfortable")
          }
        />
        Compact rows
      </label>
      <div className="row more-actions">
        <a className="button" href={exportUrl(view)} download>
          Export
        </a>
        {phone && hasRole("editor") && (
          <Link href="/domains/import" className="button quiet">
            Import
          </Link>
        )}
        <Link href="/domains/bin" className="button quiet">
          Bin
        </Link>
        <Button className="button quiet keys" onClick={onHelp}>
          Shortcuts
        </Button>
      </div>
    </div>
  );
}

/** The columns of every register, and one for each custom field in use. */
function ColumnMenu() {
  const { columns, setColumns } = useList();
  const { value: facets } = useFacets();
  const custom = facets?.custom.map(({ value }) => toCustomName(value)) ?? [];
  const offered = [...new Set([...COLUMNS, ...custom, ...columns.filter(isCustomName)])];
  return (
    <fieldset className="column-menu">
      <legend>Columns</legend>
      {offered.map((column) => (
        <label key={column} className="check">
          <input
            type="checkbox"
            checked={columns.includes(column)}
            onChange={({ target }) =>
              setColumns(
                offered.filter((each) =>
                  each === column ? target.checked : columns.includes(each),
                ),
              )
            }
          />
          {columnLabel(column)}
        </label>
      ))}
      <p className="field-hint">Columns that don’t fit are in the side panel.</p>
    </fieldset>
  );
}
