import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Domain } from "../../../shared/contract.ts";
import { HttpError } from "../../http.ts";
import { explain } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ConflictView } from "./conflict-view.tsx";
import { LeaveNotice } from "./leave-notice.tsx";
import { DomainFields } from "./domain-fields.tsx";
import {
  changedValues,
  mergeValues,
  toValues,
  type ValueName,
  valueNames,
} from "../domain-values.ts";
import { type Draft, dropDraft, keepDraft } from "./draft.ts";
import { useSaveDomain } from "./use-save-domain.ts";

interface Props {
  draft: Draft;
  onSaved: (domain: Domain, added: boolean) => void;
  /** The name was deleted by somebody else, and is not to be added anew. */
  onGone: (domain: Domain) => void;
  onClose: () => void;
}

/** Adds a name, or edits one. What is typed survives a reload, a lost race and the end of a session. */
export function DomainDialog({ draft: given, onSaved, onGone, onClose }: Props) {
  const [draft, setDraft] = useState(given);
  const [leaving, setLeaving] = useState(false);
  const [gone, setGone] = useState<Domain>();
  const form = useRef<HTMLFormElement>(null);
  const { busy, failure, errors, newer, save, settle } = useSaveDomain();
  const { base, values } = draft;
  const dirty = changedValues(toValues(base), values).length > 0;

  useEffect(() => {
    if (dirty) keepDraft(draft);
  }, [dirty, draft]);
  useEffect(() => {
    const first = valueNames.find((name) => errors[name]);
    if (first) form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  }, [errors]);

  function close() {
    dropDraft();
    if (gone) onGone(gone);
    else onClose();
  }

  async function send(wanted: Draft) {
    setLeaving(false);
    const result = await save(wanted);
    if (!result) return;
    if (result === "gone") {
      // What was typed is not thrown away with the name: it can be added anew.
      setGone(wanted.base ?? undefined);
      setDraft({ base: null, values: wanted.values });
      return;
    }
    dropDraft();
    onSaved(result, wanted.base === null);
  }

  /** What was typed here, put upon what somebody else has saved meanwhile. */
  function merge(current: Domain): Draft {
    const merged = {
      base: current,
      values: mergeValues(toValues(base), values, toValues(current)),
    };
    setDraft(merged);
    settle();
    return merged;
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    void send(draft);
  }

  const leave = () => (dirty ? setLeaving(true) : close());
  const change = (name: ValueName, value: string) =>
    setDraft({ base, values: { ...values, [name]: value } });

  const question = leaving && <LeaveNotice onStay={() => setLeaving(false)} onDiscard={close} />;
  return (
    <Dialog heading={base ? `Edit ${base.unicode}` : "Add a name"} onClose={leave}>
      {newer ? (
        <ConflictView
          before={toValues(base)}
          mine={values}
          now={toValues(newer)}
          onKeepMine={() => void send(merge(newer))}
          onTakeTheirs={() => {
            dropDraft();
            onSaved(newer, false);
          }}
          onGoOn={() => merge(newer)}
        />
      ) : (
        <form ref={form} className="domain-form" noValidate onSubmit={submit}>
          <DomainFields values={values} errors={errors} onChange={change} />
          <div className="dialog-foot">
            {failure !== undefined && (
              <Notice>
                {explain(failure)}{" "}
                {failure instanceof HttpError && failure.status === 409 && (
                  <Link
                    href={`/domains?q=${encodeURIComponent(values.name.trim())}`}
                    onClick={close}
                  >
                    Show it
                  </Link>
                )}
              </Notice>
            )}
            {gone && (
              <Notice tone="warn">
                Somebody has deleted {gone.unicode} meanwhile. Add it anew, with what you typed?
              </Notice>
            )}
            {question}
            <div className="dialog-actions">
              <Button onClick={leave}>Cancel</Button>
              <Button type="submit" look="primary" aria-disabled={busy}>
                {busy ? "Saving…" : base ? "Save" : "Add"}
              </Button>
            </div>
          </div>
        </form>
      )}
      {newer && question}
    </Dialog>
  );
}
