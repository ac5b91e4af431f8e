import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { type Domain, parseDomain } from "../../../shared/domain.ts";
import {
  IMPORT_LABELS,
  type ImportField,
  importFieldsOf,
  isField,
} from "../../../shared/fields.ts";
import { editDomain } from "../../register/domain-change.ts";
import { addDomain } from "../../register/domains-api.ts";
import { useSuggestions } from "../../register/suggestions.ts";
import { explain, failedResponse, fieldErrors } from "../../session/failure.tsx";
import { useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Table } from "../../ui/table.tsx";
import { DomainFields } from "./domain-fields.tsx";
import {
  changedFields,
  changedValues,
  checkValues,
  type DomainValues,
  type Draft,
  fillCurrency,
  mergeValues,
  storeDraft,
  toInput,
  toValues,
  type ValueErrors,
  valueInWords,
} from "./domain-values.ts";

interface Props {
  draft: Draft;
  /** `operation` undoes it; null: nothing changed. */
  onSaved: (domain: Domain, added: boolean, operation: string | null) => void;
  /** Receives an added domain while the dialog stays open for another; by default it closes. */
  onAnother?: (domain: Domain, operation: string | null) => void;
  /** Someone else deleted the domain, and it is not added again. */
  onGone: (domain: Domain) => void;
  onClose: () => void;
}

/** Adds or edits a domain. The draft survives a reload, a conflict and an expired session. */
export function DomainDialog(props: Props) {
  const { draft: initial, onSaved, onAnother, onGone, onClose } = props;
  const { facets, currency } = useSuggestions();
  const [draft, setDraft] = useState(initial);
  const [gone, setGone] = useState<Domain>();
  /** The last domain added while the dialog stays open, and what the form keeps of it. */
  const [added, setAdded] = useState<{ unicode: string; kept: DomainValues }>();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<ValueErrors>({});
  /** The controls that were edited since: their errors are about an older text. */
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const [newer, setNewer] = useState<Domain>();
  const { base, values } = draft;
  const opened = base === null && added ? added.kept : toValues(base);
  const dirty = changedValues(opened, values).length > 0;

  useEffect(() => storeDraft(dirty ? draft : null), [dirty, draft]);
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [errors]);

  function close() {
    storeDraft(null);
    if (gone) onGone(gone);
    else onClose();
  }

  async function save(wanted: Draft, another = false) {
    const { base: old, values: typed } = wanted;
    setNewer(undefined);
    setEdited(new Set());
    const faults = checkValues(typed, toValues(old));
    setErrors(faults);
    if (Object.keys(faults).length > 0) return;
    const input = toInput(typed, toValues(old));
    const isChanged = old === null || Object.keys(input).length > 0;
    try {
      const { operation, ...saved } = isChanged
        ? await (old ? editDomain(old, input) : addDomain(input))
        : { ...old, operation: null };
      storeDraft(null);
      if (!another || !onAnother) return onSaved(saved, old === null, operation);
      onAnother(saved, operation);
      // The next one is probably at the same place.
      const { registrar, account, owner } = typed;
      const kept = { ...toValues(null), registrar, account, owner };
      setAdded({ unicode: saved.unicode, kept });
      setGone(undefined);
      setDraft({ base: null, values: kept });
      form.current?.querySelector<HTMLElement>("[name=name]")?.focus();
    } catch (error) {
      const { status, problem } = failedResponse(error);
      const refused = toValueErrors(fieldErrors(error));
      if (old && status === 404) {
        // The draft stays, so that the domain can be added again.
        setGone(old);
        setDraft({ base: null, values: typed });
      } else if (status === 412 && problem?.current) setNewer(parseDomain(problem.current));
      else if (status !== 409 && Object.keys(refused).length > 0) setErrors(refused);
      else {
        if (problem?.existing) setErrors({ name: explain(error) });
        throw error;
      }
    }
  }
  const { run, isBusy, error: failure } = useAction(save);
  const existing = failedResponse(failure).problem?.existing;
  const taken = typeof existing === "string" && existing;

  function rebase(current: Domain): Draft {
    const merged = mergeValues(toValues(base), values, toValues(current));
    return { base: current, values: merged };
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    void run(draft);
  }

  const change = (name: ImportField, value: string) => {
    setEdited((now) => new Set([...now, name]));
    setDraft({ base, values: fillCurrency({ ...values, [name]: value }, name, currency) });
  };
  const standing: ValueErrors = Object.fromEntries(
    Object.entries(errors).filter(([name]) => !edited.has(name)),
  );

  return (
    <Dialog
      heading={base ? `Edit ${base.unicode}` : "Add a domain"}
      isDirty={dirty}
      hasDraft
      onClose={close}
    >
      {newer ? (
        <ConflictView
          before={toValues(base)}
          mine={values}
          saved={toValues(newer)}
          onSaveMine={() => {
            setDraft(rebase(newer));
            void run(rebase(newer));
          }}
          onUseSaved={() => {
            storeDraft(null);
            onSaved(newer, false, null);
          }}
          onKeepEditing={() => {
            setDraft(rebase(newer));
            setNewer(undefined);
          }}
        />
      ) : (
        <form ref={form} className="stack" noValidate onSubmit={submit}>
          <DomainFields values={values} errors={standing} facets={facets} onChange={change} />
          <div className="dialog-foot">
            {failure !== undefined && !taken && <Notice>{explain(failure)}</Notice>}
            {taken && !edited.has("name") && (
              <Notice tone="calm">
                <Link href={`/domains/${encodeURIComponent(taken)}`} onClick={close}>
                  Open {values.name}
                </Link>
              </Notice>
            )}
            {gone && (
              <Notice tone="warn">
                Someone deleted {gone.unicode} while you were editing. Add it again?
              </Notice>
            )}
            <output>{added && !dirty && `Added ${added.unicode}.`}</output>
            <DialogActions>
              {onAnother && !base && (
                <Button aria-disabled={isBusy} onClick={() => void run(draft, true)}>
                  Save and add another
                </Button>
              )}
              <Button type="submit" look="main" aria-disabled={isBusy}>
                {isBusy ? "Saving…" : base ? "Save" : "Add"}
              </Button>
            </DialogActions>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function ConflictView(props: {
  before: DomainValues;
  mine: DomainValues;
  saved: DomainValues;
  onSaveMine: () => void;
  onUseSaved: () => void;
  onKeepEditing: () => void;
}) {
  const { before, mine, saved } = props;
  const changedHere = new Set(changedFields(before, mine).flatMap(importFieldsOf));
  const changed = new Set([mine, saved].flatMap((each) => changedValues(before, each)));
  return (
    <div className="stack conflict-view">
      <Notice tone="warn">
        Someone else saved this domain while you were editing. Your changes are not lost.
      </Notice>
      <Table
        columns={[
          { label: "Field", show: (name) => IMPORT_LABELS[name] },
          { label: "Saved version", show: (name) => valueInWords(name, saved) },
          {
            label: "Your version",
            show: (name) => (changedHere.has(name) ? valueInWords(name, mine) : <i>not changed</i>),
          },
        ]}
        rows={[...changed]}
        keyOf={(name) => name}
      />
      <p>Saving yours changes only the fields that you edited.</p>
      <DialogActions cancel={null}>
        {/* First, as it gets the focus: a second, impatient Enter loses nothing. */}
        <Button onClick={props.onKeepEditing}>Keep editing</Button>
        <Button onClick={props.onUseSaved}>Use the saved version</Button>
        <Button look="main" onClick={props.onSaveMine}>
          Save mine
        </Button>
      </DialogActions>
    </div>
  );
}

function toValueErrors(refused: Record<string, string>): ValueErrors {
  const errors: ValueErrors = {};
  for (const [pointer, detail] of Object.entries(refused)) {
    const [field = "", part = ""] = pointer.split("/");
    const parts = isField(field) ? importFieldsOf(field) : [];
    // Parts of an amount have controls of their own, such as `/soldPrice/currency`.
    const name = parts.find((each) => each.toLowerCase().endsWith(part)) ?? parts[0];
    if (name !== undefined) errors[name] ??= detail;
  }
  return errors;
}
