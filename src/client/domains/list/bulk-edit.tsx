import { useEffect, useState } from "react";
import { fieldInWords, fieldsOf } from "../../../shared/fields.ts";
import { type Filter, parseFilter } from "../../../shared/filter.ts";
import * as p from "../../../shared/parse.ts";
import type { BulkOperation } from "../../../shared/register.ts";
import { splitTags } from "../../../shared/text.ts";
import { type BulkDialogProps, useBulkChange } from "../../register/dialogs/bulk-change.tsx";
import type { BulkTarget } from "../../register/domains-api.ts";
import { useSuggestions } from "../../register/suggestions.ts";
import { ActionDialog } from "../../session/action-dialog.tsx";
import { readStoredJson, store } from "../../session/session-storage.ts";
import { Check } from "../../ui/choice.tsx";
import { TextBox } from "../../ui/text-box.tsx";
import type { Options } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { renderControls } from "../form/domain-fields.tsx";
import {
  type DomainValues,
  findFaults,
  parseValues,
  setField,
  textsOf,
  toValues,
} from "../form/domain-values.ts";
import { readCustomText } from "../form/field-controls.tsx";
import { FORM_KIND_OF, RARE_FIELDS } from "../form/field-kinds.tsx";

const NO_CHANGE_LABEL = "No change";

/** Fields with the option "unknown". */
const CHOICES = fieldsOf("choice", "flag", "person");

/** Fields with a box that clears them. */
const CLEARABLE = fieldsOf("label", "expiry", "price", "notes");

type Clearable = (typeof CLEARABLE)[number];

const BULK_FIELDS = [...CHOICES, ...CLEARABLE];

type BulkField = (typeof BULK_FIELDS)[number];

/** The texts of the bulk form, empty for no change, and the fields to clear. */
interface BulkValues extends DomainValues {
  addTags: string;
  removeTags: string;
  clear: readonly Clearable[];
}

/** The option that makes a field unknown; the empty one does not change it. */
const UNKNOWN = "unknown";

const NO_CHANGE: BulkValues = {
  ...toValues(null),
  addTags: "",
  removeTags: "",
  clear: [],
};

function toBulkOperation(values: BulkValues): BulkOperation | null {
  const edit: Extract<BulkOperation, { kind: "edit" }> = { kind: "edit" };
  for (const field of BULK_FIELDS) {
    const texts = textsOf(values, field);
    if (values.clear.some((each) => each === field)) setField(edit, field, []);
    else if (texts[0]?.trim()) setField(edit, field, texts);
  }
  const addTags = splitTags(values.addTags);
  const removeTags = splitTags(values.removeTags);
  // A field without a text is removed.
  const custom = readCustomText(values.custom).filter(({ name }) => name.trim() !== "");
  if (custom.length > 0) {
    edit.custom = Object.fromEntries(custom.map(({ name, text: typed }) => [name.trim(), typed]));
  }
  if (addTags.length > 0) edit.addTags = addTags;
  if (removeTags.length > 0) edit.removeTags = removeTags;
  return Object.keys(edit).length > 1 ? edit : null;
}

interface BulkDraft {
  target: BulkTarget;
  values: BulkValues;
}

const DRAFT_KEY = "bulk-draft";

function storeBulkDraft(draft: BulkDraft | null): void {
  store(DRAFT_KEY, draft && JSON.stringify(draft));
}

export function readBulkDraft(filter: Filter): BulkDraft | null {
  const draft = readStoredJson(DRAFT_KEY, parseDraft);
  return JSON.stringify(draft?.target.filter) === JSON.stringify(filter) ? draft : null;
}

const parseDraft = p.object({
  target: p.object({
    filter: (json) => parseFilter(Object.entries(p.isRecord(json) ? json : {})).filter,
    ids: p.nullable(p.list(p.text)),
    count: p.number,
  }),
  values: (json) => {
    const { clear, addTags, removeTags, ...texts } = p.isRecord(json) ? json : {};
    const tags = { addTags: p.text(addTags), removeTags: p.text(removeTags) };
    return { ...parseValues(texts), ...tags, clear: p.list(p.oneOf(CLEARABLE))(clear) };
  },
});

/** Edits many domains. Fields left alone do not change; the draft survives a reload. */
export function BulkEditDialog(props: BulkDialogProps & { draft?: BulkDraft }) {
  const { target, draft, onDone, onClose } = props;
  const [values, setValues] = useState(draft?.values ?? NO_CHANGE);
  const [fault, setFault] = useState<string>();
  const { domains, outcome, change } = useBulkChange(
    target,
    (...done) => {
      storeBulkDraft(null);
      onDone(...done);
    },
    // Only a decision asks for the number: other fields are not filled in by accident.
    values.decision === "" ? 0 : undefined,
  );
  const { clear, ...texts } = values;
  const dirty = clear.length > 0 || Object.values(texts).some((text) => text.trim() !== "");

  useEffect(() => storeBulkDraft(dirty ? { target, values } : null), [dirty, target, values]);

  const operation = toBulkOperation(values);
  function check(): boolean {
    const [found] = Object.values(findFaults(values, NO_CHANGE, BULK_FIELDS));
    const text = found ?? (operation ? undefined : "Change at least one field.");
    setFault(text);
    return text === undefined;
  }

  return (
    <ActionDialog
      heading={`Edit ${domains}`}
      action={`Save ${domains}`}
      busyAction="Saving…"
      isDirty={dirty}
      hasDraft
      foot={
        <>
          {fault && <Notice tone="warn">{fault}</Notice>}
          {outcome}
        </>
      }
      check={check}
      onAction={() => operation && change(operation)}
      onClose={() => {
        storeBulkDraft(null);
        onClose();
      }}
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
      <div key={field} className={FORM_KIND_OF[field].isWide && "wide"}>
        {controls}
        <Check
          checked={values.clear.includes(clearable)}
          aria-label={`Clear ${fieldInWords(field)}`}
          onCheck={(on) => {
            const others = values.clear.filter((each) => each !== clearable);
            onChange({ ...values, clear: on ? [...others, clearable] : others });
          }}
        >
          Clear this field
        </Check>
      </div>
    );
  };
  const tags = (name: "addTags" | "removeTags", label: string) => (
    <TextBox
      label={label}
      hint="Separate with commas"
      value={values[name]}
      placeholder={NO_CHANGE_LABEL}
      autoComplete="off"
      onType={(typed) => set(name, typed)}
    />
  );
  return (
    <div className="field-grid">
      {CHOICES.filter(isUsual).map(render)}
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

/** Adds "no change" as the first option and moves "unknown" to the end. */
function toBulkOptions([unknown, ...known]: Options): Options {
  return [["", NO_CHANGE_LABEL], ...known, [UNKNOWN, unknown?.[1] ?? ""]];
}
