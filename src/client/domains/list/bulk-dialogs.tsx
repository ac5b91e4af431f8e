import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import type { Day } from "../../../shared/day.ts";
import { DECISION_LABELS, type Decision } from "../../../shared/domain.ts";
import type { BulkOperation, BulkResult } from "../../../shared/register.ts";
import { fieldInWords, fieldsOf } from "../../../shared/fields.ts";
import type { Facet } from "../../../shared/facets.ts";
import { foldLabel, LIMITS, splitTags } from "../../../shared/text.ts";
import { ActionDialog } from "../../session/action-dialog.tsx";
import { useAction } from "../../session/use-action.ts";
import { FormDialog, type FormField } from "../../register/form.tsx";
import { Loaded } from "../../register/resource.tsx";
import { useFacets, useSuggestions } from "../../register/suggestions.ts";
import { Check } from "../../ui/choice.tsx";
import { Field, type Options } from "../../ui/field.tsx";
import { formatCount, formatDomainCount } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { DeleteConfirmation } from "../form/delete-dialog.tsx";
import { renderControls } from "../form/domain-fields.tsx";
import { KIND_OF, RARE_FIELDS } from "../form/field-kinds.tsx";
import { useBulkChange } from "../../register/dialogs/bulk-change.tsx";
import { type BulkTarget, changeDomains, toBulkSelection } from "../../register/domains-api.ts";
import { findDomains } from "../listing.ts";
import type { Renamed } from "./bulk-actions.ts";
import { useList } from "./list-context.ts";
import {
  type BulkDraft,
  type BulkField,
  type BulkValues,
  CLEARABLE,
  type Clearable,
  findFault,
  isFilledIn,
  storeBulkDraft,
  toBulkOperation,
  UNKNOWN,
} from "./bulk-edit.ts";

const NO_CHANGE_LABEL = "No change";

interface Props {
  onDone: (result: BulkResult, op: BulkOperation) => void;
  onClose: () => void;
}

type QuestionProps = Props & { target: BulkTarget };

/** Edits many domains. Fields left alone do not change; the draft survives a reload. */
export function BulkEditDialog({ draft, onDone, onClose }: Props & { draft: BulkDraft }) {
  const { target } = draft;
  const [values, setValues] = useState(draft.values);
  const [fault, setFault] = useState<string | null>(null);
  const { domains, outcome, change } = useBulkChange(
    target,
    (...done) => {
      storeBulkDraft(null);
      onDone(...done);
    },
    // Only a decision asks for the number: other fields are not filled in by accident.
    values.decision === "" ? 0 : undefined,
  );
  const dirty = isFilledIn(values);

  useEffect(() => storeBulkDraft(dirty ? { target, values } : null), [dirty, target, values]);

  function discard() {
    storeBulkDraft(null);
    onClose();
  }

  function check(): boolean {
    const found = findFault(values);
    setFault(found);
    return found === null;
  }

  function save() {
    const operation = toBulkOperation(values);
    return operation && change(operation);
  }

  return (
    <ActionDialog
      heading={`Edit ${domains}`}
      action={`Save ${domains}`}
      busyAction="Saving…"
      isDirty={dirty}
      foot={
        <>
          {fault && <Notice tone="warn">{fault}</Notice>}
          {outcome}
        </>
      }
      check={check}
      onAction={save}
      onClose={discard}
    >
      <BulkFields values={values} onChange={setValues} />
    </ActionDialog>
  );
}

const isUsual = (field: BulkField) => !RARE_FIELDS.includes(field);
const RARE_FLAGS = fieldsOf("flag").filter((field) => !isUsual(field));

interface FieldsProps {
  values: BulkValues;
  onChange: (values: BulkValues) => void;
}

function BulkFields({ values, onChange }: FieldsProps) {
  const { facets } = useSuggestions();
  const set = (name: string, value: string) => onChange({ ...values, [name]: value });
  const render = (field: BulkField) => {
    const clearable = CLEARABLE.find((each) => each === field);
    const controls = renderControls(
      field,
      { values, facets, onChange: set },
      {
        hint: field === "notes" ? "Replaces the notes of all of them" : undefined,
        placeholder: NO_CHANGE_LABEL,
        toOptions: toBulkOptions,
      },
    );
    // A field that cannot be cleared may have no control, such as the person.
    if (!clearable) return controls;
    return (
      <div key={field} className={KIND_OF[field].isWide && "wide"}>
        {controls}
        <Clear field={clearable} values={values} onChange={onChange} />
      </div>
    );
  };
  const tags = (name: "addTags" | "removeTags", label: string) => (
    <Field label={label} hint="Separate with commas">
      {(control) => (
        <input
          {...control}
          value={values[name]}
          placeholder={NO_CHANGE_LABEL}
          autoComplete="off"
          onChange={({ target }) => set(name, target.value)}
        />
      )}
    </Field>
  );
  return (
    <div className="field-grid">
      {fieldsOf("choice", "flag", "person").filter(isUsual).map(render)}
      {tags("addTags", "Add tags")}
      {tags("removeTags", "Remove tags")}
      {CLEARABLE.map(render)}
      <details className="wide">
        <summary>More</summary>
        <div className="field-grid">{RARE_FLAGS.map(render)}</div>
      </details>
      <div className="wide">
        {renderControls(
          "custom",
          { values, facets, onChange: set },
          { hint: "Leave a text empty to remove that field. Fields that you don’t name stay." },
        )}
      </div>
    </div>
  );
}

function Clear({ field, values, onChange }: FieldsProps & { field: Clearable }) {
  const toggle = (isChecked: boolean) =>
    CLEARABLE.filter((each) => (each === field ? isChecked : values.clear.includes(each)));
  return (
    <Check
      checked={values.clear.includes(field)}
      aria-label={`Clear ${fieldInWords(field)}`}
      onCheck={(on) => onChange({ ...values, clear: toggle(on) })}
    >
      Clear this field
    </Check>
  );
}

/** Adds "no change" as the first option and moves "unknown" to the end. */
function toBulkOptions([unknown, ...known]: Options): Options {
  return [["", NO_CHANGE_LABEL], ...known, [UNKNOWN, unknown?.[1] ?? ""]];
}

export function BulkDeleteDialog({ target, onDone, onClose }: QuestionProps) {
  const { domains, outcome, change } = useBulkChange(target, onDone);
  return (
    <DeleteConfirmation
      what={domains}
      action={`Delete ${domains}`}
      onAction={() => change({ kind: "delete" })}
      onClose={onClose}
    >
      {outcome}
    </DeleteConfirmation>
  );
}

export function BulkDecideDialog(props: QuestionProps & { decision: Decision | null }) {
  const { target, decision, onDone, onClose } = props;
  const { listing } = useList();
  const { domains, outcome, change } = useBulkChange(target, onDone);
  const known = findDomains(listing, target.ids ?? []);
  const decided = Map.groupBy(known, (domain) => domain.decision);
  const counts = [...decided].filter(([before]) => before !== null && before !== decision);
  const words = counts.map(
    ([before, { length }]) =>
      `${formatCount(length, "is", "are")} marked ${DECISION_LABELS[before ?? "-"]}`,
  );
  const isKnown = target.ids?.length === known.length;
  const replaced = isKnown && (words.length > 0 ? `${words.join(", ")}.` : "Nothing was decided.");
  const action = `Mark ${domains} ${DECISION_LABELS[decision ?? "-"]}`;
  return (
    <ActionDialog
      heading={`${action}?`}
      action={action}
      busyAction="Saving…"
      onAction={() => change({ kind: "edit", decision })}
      onClose={onClose}
    >
      <p>{replaced || "This replaces what was decided for them before."}</p>
      {outcome}
    </ActionDialog>
  );
}

export function BulkArchiveDialog(props: QuestionProps & { archivedOn: Day | null }) {
  const { target, archivedOn, onDone, onClose } = props;
  const { domains, outcome, change } = useBulkChange(target, onDone);
  const action = archivedOn === null ? `Bring ${domains} back` : `Archive ${domains}`;
  return (
    <ActionDialog
      heading={`${action}?`}
      action={action}
      busyAction="Saving…"
      onAction={() => change({ kind: "edit", archivedOn })}
      onClose={onClose}
    >
      {archivedOn && <p>They leave lists, totals, reminders and checks. Their history stays.</p>}
      {outcome}
    </ActionDialog>
  );
}

const DONE: readonly (readonly [label: string, op: BulkOperation])[] = [
  ["Auto-renew is off at the registrar", { kind: "edit", autoRenew: false }],
  ["All is done: wait for a new expiry date", { kind: "done" }],
];

export function BulkDoneDialog({ target, onDone, onClose }: QuestionProps) {
  const [counts, setCounts] = useState<readonly number[]>();
  const [chosen, setChosen] = useState<BulkOperation>();
  const foretold = counts?.[DONE.findIndex(([, op]) => op === chosen)] ?? 0;
  const { changing, outcome, change } = useBulkChange(target, onDone, foretold);
  const reading = useAction(async () => {
    const select = toBulkSelection(target);
    const told = await Promise.all(
      DONE.map(([, op]) => changeDomains({ select, op }, "bulk/foretell")),
    );
    setCounts(told.map(({ changed }) => changed));
  });
  const reload = () => void reading.run();
  const read = useEffectEvent(reload);
  useEffect(() => read(), []);

  return (
    <ActionDialog
      heading="What is done?"
      action={changing > 0 ? `Done for ${formatDomainCount(changing)}` : "Done"}
      busyAction="Saving…"
      foot={outcome}
      onAction={() => chosen && change(chosen)}
      onClose={onClose}
    >
      <Loaded of={{ value: counts, error: reading.error, reload }} lines={2}>
        {(known) =>
          DONE.map(([label, op], at) => (
            <Check
              key={label}
              type="radio"
              name="done"
              required
              disabled={known[at] === 0}
              onCheck={() => setChosen(op)}
            >
              <span>
                {label} <small>{known[at] ? formatDomainCount(known[at]) : "no changes"}</small>
              </span>
            </Check>
          ))
        }
      </Loaded>
    </ActionDialog>
  );
}

export function BulkTagDialog({ target, onDone, onClose }: QuestionProps) {
  const { domains, outcome, change } = useBulkChange(target, onDone, 0);
  const { value: facets } = useFacets();
  return (
    <NameDialog
      heading={`Tag ${domains}`}
      action="Add tags"
      label="Add tags"
      hint="Separate with commas"
      used={facets?.tags}
      onSend={async (typed) => {
        const addTags = splitTags(typed);
        if (addTags.length > 0) await change({ kind: "edit", addTags });
      }}
      onClose={onClose}
    >
      {outcome}
    </NameDialog>
  );
}

/** Gives an account, an owner or a tag another name in all its domains; one in use merges the two. */
export function BulkRenameDialog(props: QuestionProps & Renamed) {
  const { target, field, from, onDone, onClose } = props;
  const { domains, outcome, change } = useBulkChange(target, onDone, 0);
  const [typed, setTyped] = useState("");
  const { value: facets } = useFacets();
  const others = facets?.[`${field}s`].filter(({ value }) => value !== from);
  const into = others?.find(({ value }) => foldLabel(value) === foldLabel(typed))?.value;
  return (
    <NameDialog
      heading={`Rename ${from}`}
      action={into === undefined ? `Rename for ${domains}` : `Merge ${domains} into ${into}`}
      label="New name"
      hint="The name of another one merges the two"
      used={others}
      maxLength={LIMITS.label}
      onChange={({ target: { value } }) => setTyped(value)}
      onSend={async (name) => {
        const to = into ?? name.trim();
        const edit = field === "tag" ? { addTags: [to], removeTags: [from] } : { [field]: to };
        if (to !== "") await change({ kind: "edit", ...edit });
      }}
      onClose={onClose}
    >
      {outcome}
    </NameDialog>
  );
}

interface NameProps extends Omit<FormField, "name"> {
  heading: string;
  action: string;
  used: readonly Facet[] | undefined;
  onSend: (typed: string) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

function NameDialog({ heading, action, used, onSend, onClose, children, ...box }: NameProps) {
  return (
    <FormDialog
      heading={heading}
      label={heading}
      action={action}
      fields={[{ ...box, name: "typed", list: "bulk-names", required: true }]}
      onSend={({ typed = "" }) => onSend(typed)}
      onClose={onClose}
    >
      <datalist id="bulk-names">
        {used?.map(({ value }) => (
          <option key={value}>{value}</option>
        ))}
      </datalist>
      {children}
    </FormDialog>
  );
}
