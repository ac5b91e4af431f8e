import { type SubmitEvent, useRef } from "react";
import { Link } from "wouter";
import { parseSavedViews, type SavedView, VIEW_LIMITS } from "../../../shared/register.ts";
import { formatView } from "../../../shared/view.ts";
import { explain, Failure } from "../../session/failure.tsx";
import { invalidate, useResource } from "../../register/resource.tsx";
import { callApi, hasRole } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { notify } from "../../ui/notifications.ts";
import { closeMenu } from "../../ui/page.ts";
import { useList } from "./list-context.ts";
import "./saved-views.css";

const PATH = "/api/views";

export function useSavedView(query: string): SavedView | undefined {
  const { value } = useResource(query ? PATH : null, parseSavedViews);
  return query ? value?.items.find((each) => each.query === query) : undefined;
}

export function SavedViews() {
  return (
    <Dropdown label="Views">
      <ViewList />
    </Dropdown>
  );
}

/** The saved views, which everyone shares. The current one can be renamed or deleted. */
export function ViewList() {
  const query = formatView(useList().view).toString();
  const { value, error, reload } = useResource(PATH, parseSavedViews);
  const shown = value?.items.find((each) => each.query === query);
  const change = useAction(
    async (method: string, { id = "", name, ...body }: Partial<SavedView>, done: string) => {
      await callApi(id ? `${PATH}/${id}` : PATH, { method, body: { name, ...body } });
      invalidate(PATH);
      notify({ text: `View ‘${name}’ ${done}.` });
    },
  );

  if (!value && error !== undefined) return <Failure error={error} onRetry={reload} />;
  return (
    <div className="stack saved-views">
      {value?.items.length === 0 && <p>No saved views yet.</p>}
      <ul className="saved-views-list">
        {value?.items.map((each) => (
          <li key={each.id}>
            <Link
              href={`/domains?${each.query}`}
              aria-current={each === shown ? "page" : undefined}
              onClick={({ currentTarget }) => closeMenu(currentTarget)}
            >
              {each.name}
            </Link>
          </li>
        ))}
      </ul>
      {value && hasRole("editor") && (
        <NameForm
          key={shown?.id}
          name={shown?.name ?? ""}
          label={shown ? "Name of this view" : "Save this view as"}
          action={shown ? "Rename" : "Save"}
          isBusy={change.isBusy}
          onSave={(name) =>
            void (shown
              ? change.run("PATCH", { id: shown.id, name }, "renamed")
              : change.run("POST", { name, query }, "saved"))
          }
        />
      )}
      {shown && hasRole("editor") && (
        <Button look="quiet" onClick={() => void change.run("DELETE", shown, "deleted")}>
          Delete this view
        </Button>
      )}
      {change.error !== undefined && <Notice>{explain(change.error)}</Notice>}
    </div>
  );
}

interface FormProps {
  name: string;
  label: string;
  action: string;
  isBusy: boolean;
  onSave: (name: string) => void;
}

function NameForm({ name, label, action, isBusy, onSave }: FormProps) {
  const box = useRef<HTMLInputElement>(null);
  function submit(event: SubmitEvent) {
    event.preventDefault();
    const typed = box.current?.value.trim() ?? "";
    if (typed !== "") onSave(typed);
  }
  return (
    <form className="saved-views-form" onSubmit={submit}>
      <Field label={label}>
        {(control) => (
          <input
            {...control}
            maxLength={VIEW_LIMITS.name}
            autoComplete="off"
            ref={box}
            defaultValue={name}
          />
        )}
      </Field>
      <Button type="submit" aria-disabled={isBusy}>
        {action}
      </Button>
    </form>
  );
}
