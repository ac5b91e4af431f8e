import { type SubmitEvent, useCallback, useState } from "react";
import { Link } from "wouter";
import { parseSavedViews, type SavedView, VIEW_LIMITS } from "../../../shared/register.ts";
import { formatView, type View } from "../../../shared/view.ts";
import { explain, Failure } from "../../session/failure.tsx";
import { callApi } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useLoaded } from "../../ui/use-loaded.ts";
import "./saved-views.css";

const PATH = "/api/views";

const readViews = (signal: AbortSignal) => callApi(PATH, { signal, parse: parseSavedViews });

/** A menu of the views that somebody has given a name. */
export function SavedViews({ view }: { view: View }) {
  return (
    <Dropdown label="Views">
      <ViewList view={view} />
    </Dropdown>
  );
}

/** The saved views, shared by all; the one that is shown can be renamed or deleted. */
export function ViewList({ view }: { view: View }) {
  const query = formatView(view).toString();
  const { value, error, reload } = useLoaded(readViews);
  const [failure, setFailure] = useState<unknown>();
  const shown = value?.items.find((each) => each.query === query);

  const change = useCallback(
    async (method: string, id: string, body?: Partial<SavedView>) => {
      setFailure(undefined);
      try {
        await callApi(id ? `${PATH}/${id}` : PATH, { method, body });
        reload();
      } catch (problem) {
        setFailure(problem);
      }
    },
    [reload],
  );

  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  return (
    <div className="saved-views">
      {value?.items.length === 0 && <p>No saved views yet.</p>}
      <ul className="saved-views-list">
        {value?.items.map((each) => (
          <li key={each.id}>
            <Link
              href={`/domains?${each.query}`}
              aria-current={each === shown ? "page" : undefined}
              onClick={({ currentTarget }) =>
                currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()
              }
            >
              {each.name}
            </Link>
          </li>
        ))}
      </ul>
      {value && (
        <NameForm
          key={shown?.id}
          name={shown?.name ?? ""}
          label={shown ? "Name of this view" : "Save this view as"}
          action={shown ? "Rename" : "Save"}
          onSave={(name) =>
            shown ? change("PATCH", shown.id, { name }) : change("POST", "", { name, query })
          }
        />
      )}
      {shown && (
        <Button look="quiet" onClick={() => void change("DELETE", shown.id)}>
          Delete this view
        </Button>
      )}
      {failure !== undefined && <Notice>{explain(failure)}</Notice>}
    </div>
  );
}

interface FormProps {
  name: string;
  label: string;
  action: string;
  onSave: (name: string) => Promise<void>;
}

function NameForm({ name, label, action, onSave }: FormProps) {
  const [typed, setTyped] = useState(name);
  const [busy, setBusy] = useState(false);
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy || typed.trim() === "") return;
    setBusy(true);
    await onSave(typed.trim());
    setBusy(false);
  }
  return (
    <form className="saved-views-form" onSubmit={(event) => void submit(event)}>
      <Field label={label}>
        {(control) => (
          <input
            {...control}
            maxLength={VIEW_LIMITS.name}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <Button type="submit" aria-disabled={busy}>
        {action}
      </Button>
    </form>
  );
}
