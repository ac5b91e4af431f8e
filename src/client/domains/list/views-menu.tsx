import type { SubmitEvent } from "react";
import { Link } from "wouter";
import { isCustomName, toCustomName } from "../../../shared/filter.ts";
import { parseSavedViews, VIEW_LIMITS } from "../../../shared/register.ts";
import { formatView, SORT_FIELDS, sortLabel } from "../../../shared/view.ts";
import { invalidate, useResource } from "../../register/resource.tsx";
import { useFacets } from "../../register/suggestions.ts";
import { explain, Failure } from "../../session/failure.tsx";
import { callApi, hasRole } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Check, Choice } from "../../ui/choice.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { notify } from "../../ui/notifications.ts";
import { setPreference, usePreferences } from "../../ui/preferences.ts";
import { columnLabel, COLUMNS, inSight } from "./columns.ts";
import { exportUrl, sorted } from "./view-address.ts";
import { useList, useMedia } from "./list-context.ts";

/** Up to this width the head has no room for Import. */
const PHONE = "(max-width: 40rem)";

const VIEWS_PATH = "/api/views";

/** Saved views, sorting, columns, export, the bin, and on a phone what has no room elsewhere. */
export default function ViewsMenu({ onHelp }: { onHelp: () => void }) {
  const { view, show } = useList();
  const { rows } = usePreferences();
  const phone = useMedia(PHONE);
  const [first] = view.sort;
  const sortBy = (field: string, descending: boolean) => show(sorted(view, field, descending));
  return (
    <div className="stack views-menu">
      <ViewList />
      <div className="row sort-menu">
        <Choice
          label="Sort by"
          value={first?.field}
          options={inSight(SORT_FIELDS).map((field) => [field, sortLabel(field)])}
          onChoose={(field) => sortBy(field, first?.descending ?? false)}
        />
        <Check
          checked={first?.descending ?? false}
          onCheck={(on) => sortBy(first?.field ?? "name", on)}
        >
          Highest or latest first
        </Check>
      </div>
      <ColumnMenu />
      <Check
        checked={rows === "compact"}
        onCheck={(on) => setPreference("rows", on ? "compact" : "comfortable")}
      >
        Compact rows
      </Check>
      <div className="row more-actions">
        <a className="button" href={exportUrl(view)} download>
          Export
        </a>
        <Link href={`/costs/statement?${formatView(view)}`} className="button">
          Statement
        </Link>
        {phone && hasRole("editor") && (
          <Link href="/domains/import" className="button quiet">
            Import
          </Link>
        )}
        {hasRole("viewer") && (
          <Link href="/domains/bin" className="button quiet">
            Bin
          </Link>
        )}
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
  const offered = [...new Set([...inSight(COLUMNS), ...custom, ...columns.filter(isCustomName)])];
  return (
    <fieldset className="column-menu">
      <legend>Columns</legend>
      {offered.map((column) => (
        <Check
          key={column}
          checked={columns.includes(column)}
          onCheck={(on) =>
            setColumns(offered.filter((each) => (each === column ? on : columns.includes(each))))
          }
        >
          {columnLabel(column)}
        </Check>
      ))}
      <p className="field-hint">Columns that don’t fit are in the side panel.</p>
    </fieldset>
  );
}

/** The saved views, which everyone shares. The current one can be renamed or deleted. */
function ViewList() {
  const { view, ask } = useList();
  const query = formatView(view).toString();
  const { value, error, reload } = useResource(VIEWS_PATH, parseSavedViews);
  const shown = value?.items.find((each) => each.query === query);
  const save = useAction(async (name: string) => {
    if (shown) await callApi(`${VIEWS_PATH}/${shown.id}`, { method: "PATCH", body: { name } });
    else await callApi(VIEWS_PATH, { method: "POST", body: { name, query } });
    invalidate(VIEWS_PATH);
    notify({ text: `View “${name}” ${shown ? "renamed" : "saved"}.` });
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    void save.run(String(new FormData(event.currentTarget).get("name")).trim());
  }

  if (!value && error !== undefined) return <Failure error={error} onRetry={reload} />;
  return (
    <div className="stack saved-views">
      {value?.items.length === 0 && <p>No saved views yet.</p>}
      <ul className="menu saved-views-list">
        {value?.items.map((each) => (
          <li key={each.id}>
            <Link
              href={`/domains?${each.query}`}
              aria-current={each === shown ? "page" : undefined}
            >
              {each.name}
            </Link>
          </li>
        ))}
      </ul>
      {value && hasRole("editor") && (
        <form key={shown?.id} className="saved-views-form" onSubmit={submit}>
          <Field label={shown ? "Name of this view" : "Save this view as"}>
            {(control) => (
              <input
                {...control}
                name="name"
                required
                maxLength={VIEW_LIMITS.name}
                autoComplete="off"
                defaultValue={shown?.name}
              />
            )}
          </Field>
          <Button type="submit" aria-disabled={save.isBusy}>
            {shown ? "Rename" : "Save"}
          </Button>
        </form>
      )}
      {shown && hasRole("editor") && (
        <Button look="quiet" onClick={() => ask({ kind: "delete-view", saved: shown })}>
          Delete this view
        </Button>
      )}
      {save.error !== undefined && <Notice>{explain(save.error)}</Notice>}
    </div>
  );
}
