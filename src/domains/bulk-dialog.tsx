import type { ReactNode } from "react";
import { type SubmitEvent, useState } from "react";
import type { BulkResult, BulkSelection } from "../register-contract.ts";
import { explain } from "../session/explain.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { namesInWords } from "./bulk-bar.tsx";
import { bulkTexts, readBulkForm, UNKNOWN } from "./bulk-values.ts";
import { labels } from "./domain-values.ts";
import { decisions } from "./domains-api.ts";
import { useBulkChange } from "./use-bulk-change.ts";

interface Props {
  select: BulkSelection;
  /** How many names that is, as far as is known here. */
  selected: number;
  onDone: (result: BulkResult) => void;
  onClose: () => void;
}

const KEEP = "leave as it is";

/** Edits many names at once. What is left alone stays as it is on each of them. */
export function BulkEditDialog({ select, selected, onDone, onClose }: Props) {
  const { busy, failure, count, change } = useBulkChange(select, onDone);
  const [nothing, setNothing] = useState(false);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const edit = readBulkForm(event.currentTarget);
    setNothing(edit === null);
    if (edit) void change(edit);
  }

  return (
    <Dialog heading={`Edit ${namesInWords(count ?? selected)}`} onClose={onClose}>
      <form className="domain-form" onSubmit={submit}>
        <div className="domain-fields">
          {bulkTexts.map((name) => (
            <div key={name}>
              <Field label={labels[name]}>
                {(control) => (
                  <input {...control} name={name} placeholder={KEEP} autoComplete="off" />
                )}
              </Field>
              <label className="check">
                <input type="checkbox" name="clear" value={name} />
                Make it unknown
              </label>
            </div>
          ))}
          {choice("decision", [...decisions.map((each) => [each, each]), [UNKNOWN, "open"]])}
          {choice("autoRenew", [
            ["true", "on"],
            ["false", "off"],
            [UNKNOWN, "unknown"],
          ])}
          <Field label="Add tags" hint="Separated by commas">
            {(control) => <input {...control} name="addTags" autoComplete="off" />}
          </Field>
          <Field label="Remove tags" hint="Separated by commas">
            {(control) => <input {...control} name="removeTags" autoComplete="off" />}
          </Field>
        </div>
        <div className="dialog-foot">
          {nothing && <Notice tone="warn">Change at least one field.</Notice>}
          <Outcome failure={failure} count={count} selected={selected} />
          <div className="dialog-actions">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" aria-disabled={busy}>
              {busy ? "Saving…" : `Save ${namesInWords(count ?? selected)}`}
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks before many names are deleted. */
export function BulkDeleteDialog({ select, selected, onDone, onClose }: Props) {
  const { busy, failure, count, change } = useBulkChange(select, onDone);
  const names = namesInWords(count ?? selected);
  return (
    <Dialog heading={`Delete ${names}?`} onClose={onClose}>
      <div className="domain-form">
        <p>They leave the register, and cannot be brought back. Nothing happens at a registrar.</p>
        <Outcome failure={failure} count={count} selected={selected} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            aria-disabled={busy}
            onClick={() => void change({ kind: "delete" })}
          >
            {busy ? "Deleting…" : `Delete ${names}`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Outcome({
  failure,
  count,
  selected,
}: {
  failure: unknown;
  count: number | undefined;
  selected: number;
}): ReactNode {
  if (failure !== undefined) return <Notice>{explain(failure)}</Notice>;
  if (count === undefined) return null;
  return (
    <Notice tone="warn">
      By now {namesInWords(count)} match, and not {selected.toLocaleString()}. Nothing was changed.
      Go on with those?
    </Notice>
  );
}

function choice(name: "decision" | "autoRenew", choices: readonly (readonly string[])[]) {
  return (
    <Field label={labels[name]}>
      {(control) => (
        <select {...control} name={name}>
          <option value="">{KEEP}</option>
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
