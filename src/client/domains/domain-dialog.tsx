import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Domain } from "../../shared/domain.ts";
import type { ImportField } from "../../shared/fields.ts";
import { HttpError } from "../http.ts";
import { explain } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { ConflictView } from "./conflict-view.tsx";
import { DiscardNotice } from "./discard-notice.tsx";
import { DomainFields } from "./domain-fields.tsx";
import {
  changedValues,
  clearDraft,
  type Draft,
  mergeValues,
  storeDraft,
  toValues,
} from "./domain-values.ts";
import { useSaveDomain } from "./use-save-domain.ts";

interface Props {
  draft: Draft;
  onSaved: (domain: Domain, added: boolean) => void;
  /** The domain was deleted by someone else, and is not added again. */
  onGone: (domain: Domain) => void;
  onClose: () => void;
}

/** Adds or edits a domain. Typed text survives a reload, a conflicting edit and an expired session. */
export function DomainDialog({ draft: initial, onSaved, onGone, onClose }: Props) {
  const [draft, setDraft] = useState(initial);
  const [leaving, setLeaving] = useState(false);
  const [gone, setGone] = useState<Domain>();
  const form = useRef<HTMLFormElement>(null);
  const { busy, failure, errors, newer, save, reset } = useSaveDomain();
  const { base, values } = draft;
  const dirty = changedValues(toValues(base), values).length > 0;

  useEffect(() => {
    if (dirty) storeDraft(draft);
  }, [dirty, draft]);
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [errors]);

  function close() {
    clearDraft();
    if (gone) onGone(gone);
    else onClose();
  }

  async function saveDraft(wanted: Draft) {
    setLeaving(false);
    const result = await save(wanted);
    if (!result) return;
    if (result === "gone") {
      // The typed text stays, so that the domain can be added again with it.
      setGone(wanted.base ?? undefined);
      setDraft({ base: null, values: wanted.values });
      return;
    }
    clearDraft();
    onSaved(result, wanted.base === null);
  }

  /** Rebases the draft on a newer saved version. */
  function rebase(current: Domain): Draft {
    const rebased = {
      base: current,
      values: mergeValues(toValues(base), values, toValues(current)),
    };
    setDraft(rebased);
    reset();
    return rebased;
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    void saveDraft(draft);
  }

  const leave = () => (dirty ? setLeaving(true) : close());
  const change = (name: ImportField, value: string) =>
    setDraft({ base, values: { ...values, [name]: value } });

  const question = leaving && <DiscardNotice onStay={() => setLeaving(false)} onDiscard={close} />;
  return (
    <Dialog heading={base ? `Edit ${base.unicode}` : "Add a domain"} onClose={leave}>
      {newer ? (
        <ConflictView
          before={toValues(base)}
          mine={values}
          saved={toValues(newer)}
          onSaveMine={() => void saveDraft(rebase(newer))}
          onUseSaved={() => {
            clearDraft();
            onSaved(newer, false);
          }}
          onKeepEditing={() => rebase(newer)}
        />
      ) : (
        <form ref={form} className="domain-form" noValidate onSubmit={submit}>
          <DomainFields values={values} errors={errors} onChange={change} />
          <div className="dialog-foot">
            {failure !== undefined && <SaveFailure error={failure} onLeave={close} />}
            {gone && (
              <Notice tone="warn">
                Someone deleted {gone.unicode} while you were editing. Add it again?
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

function SaveFailure({ error, onLeave }: { error: unknown; onLeave: () => void }) {
  const existing = error instanceof HttpError ? error.problem?.existing : undefined;
  if (typeof existing !== "string") return <Notice>{explain(error)}</Notice>;
  return (
    <Notice>
      You already have this domain.{" "}
      <Link href={`/domains/${encodeURIComponent(existing)}`} onClick={onLeave}>
        Open it
      </Link>
    </Notice>
  );
}
