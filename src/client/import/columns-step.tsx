import { useRef, useState } from "react";
import {
  type ColumnMeaning,
  type DateOrder,
  type Import,
  type ImportColumn,
  type ImportCounts,
  type ImportQuestion,
  ROW_CLASSES,
} from "../../shared/import.ts";
import type { ImportInput } from "../../shared/import-input.ts";
import { failedResponse, Failure } from "../session/failure.tsx";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { formatCount, formatDate, formatNumber } from "../ui/format.ts";
import { useUnsavedChanges } from "../ui/unsaved-changes.ts";
import { readBrand } from "../ui/page.ts";
import {
  type ColumnMapping,
  initialMapping,
  isComplete,
  mapColumn,
  answeredDateQuestion,
} from "./column-mapping.ts";
import { ColumnTable } from "./column-table.tsx";
import { DefaultsForm, RegistrarQuestion, useDefaults } from "./defaults-form.tsx";
import { changeImport, importPath, readImport } from "./import-actions.tsx";
import { Question } from "./question.tsx";
import { rowClassTexts } from "./row-classes.ts";

interface Props {
  current: Import;
  onSaved: (saved: Import) => void;
  onNext: (next: Import) => void;
}

/** Second step: what the columns are imported as, how dates are written, and the defaults. */
export function ColumnsStep({ current, onSaved, onNext }: Props) {
  const { saving, error, edit, save } = useEdits(current.id, onSaved);
  const [initial] = useState(() => initialMapping(current));
  const [mapping, setMapping] = useState(initial);
  const [order, setOrder] = useState(current.dateOrder);
  const [asked, setAsked] = useState(() => {
    const answered = answeredDateQuestion(current);
    return answered ? [...current.ambiguous, answered] : current.ambiguous;
  });
  /** The preview was asked for while questions were open: they say so. */
  const [isReminded, setReminded] = useState(false);
  const questions = useRef<HTMLElement>(null);
  const unsent = mapping !== initial && !isComplete(mapping);
  useUnsavedChanges(unsent || saving || error !== undefined);

  // An answered question stays, so that the answer can be changed.
  const unnamed = mapping.meanings.includes("name") ? [] : [{ code: "no-name" as const }];
  const added = [...current.ambiguous, ...unnamed].filter(
    (question) => !asked.some((each) => questionKey(each) === questionKey(question)),
  );
  if (added.length > 0) setAsked([...asked, ...added]);

  const { meanings } = mapping;
  const shown = asked.filter((question) => {
    if (question.code === "date-order") return meanings[question.column] === "expires";
    return question.code !== "registrar" || !meanings.includes("registrar");
  });
  const asksRegistrar = shown.some(({ code }) => code === "registrar");
  const defaults = useDefaults(current, asksRegistrar, (changed) => edit({ defaults: changed }));
  const isOpen = (question: ImportQuestion): boolean => {
    if (question.code === "field") return mapping.unanswered.includes(question.field);
    if (question.code === "no-name") return !meanings.includes("name");
    return question.code === "registrar" ? defaults.isOpen : order === null;
  };
  const open = shown.filter(isOpen).length;
  const isAsked = (index: number) =>
    shown.some((each) => each.code === "field" && isOpen(each) && each.columns.includes(index));
  const isUnused = (index: number) =>
    isLeftOut(current.columns[index], meanings[index]) && !isAsked(index);
  const leftOut = meanings.filter((_, index) => isUnused(index)).length;

  function changeMapping(next: ColumnMapping) {
    setMapping(next);
    if (isComplete(next)) edit({ mapping: [...next.meanings] });
  }

  function changeColumn(column: number | null, meaning: ColumnMeaning) {
    changeMapping(mapColumn(mapping, column, meaning));
  }

  function changeOrder(next: DateOrder) {
    setOrder(next);
    edit({ dateOrder: next });
  }

  /** Keeps every column with values but without a meaning or a question. */
  function keepOthers() {
    const kept = meanings.map((meaning, index) => (isUnused(index) ? "custom" : meaning));
    changeMapping({ ...mapping, meanings: kept });
  }

  async function showPreview() {
    // A guessed registrar was not sent yet: its box has not lost the focus.
    const isUnsaved = defaults.report() || saving || error !== undefined;
    const latest = isUnsaved ? await save() : current;
    if (open === 0 && latest?.ambiguous.length === 0 && isComplete(mapping)) {
      onNext(latest);
      return;
    }
    setReminded(true);
    questions.current?.querySelector<HTMLElement>("fieldset.open input")?.focus();
  }

  return (
    <div className="stack">
      <p>{explainMapping(current)}</p>
      {shown.length > 0 && (
        <section className="stack" ref={questions} aria-label="Questions">
          {shown.map((question) =>
            question.code === "registrar" ? (
              <RegistrarQuestion key="registrar" defaults={defaults} isReminded={isReminded} />
            ) : (
              <Question
                key={questionKey(question)}
                question={question}
                columns={current.columns}
                meanings={meanings}
                order={order}
                open={isOpen(question)}
                isReminded={isReminded}
                onColumn={changeColumn}
                onOrder={changeOrder}
              />
            ),
          )}
        </section>
      )}
      <ColumnTable
        columns={current.columns}
        meanings={meanings}
        order={order}
        onChange={changeColumn}
      />
      {leftOut > 0 && (
        <p>
          {formatCount(leftOut, "column is", "columns are")} not imported.{" "}
          <Button onClick={keepOthers}>Keep as custom fields</Button>
        </p>
      )}
      <DefaultsForm defaults={defaults} />
      <div className="row bottom">
        {error !== undefined && <Failure error={error} onRetry={() => void save()} />}
        <Tally counts={current.counts} busy={saving} open={open} />
        <Button look="main" aria-disabled={open > 0} onClick={() => void showPreview()}>
          Preview
        </Button>
      </div>
    </div>
  );
}

/** Whether a column has values that nothing imports, and a header to name a custom field by. */
function isLeftOut(column: ImportColumn | undefined, meaning: ColumnMeaning | undefined): boolean {
  const { header = null, secret = true, samples = [] } = column ?? {};
  return meaning === "ignore" && !secret && header !== null && samples.length > 0;
}

function explainMapping({ format, remembered }: Import): string {
  if (remembered) return `The columns are matched as they were on ${formatDate(remembered)}.`;
  return format
    ? `${format} export recognised. The columns are matched for you.`
    : `${readBrand()} has matched the columns. Check them before you continue.`;
}

function questionKey(question: ImportQuestion): string {
  if (question.code === "field") return `field-${question.field}`;
  return question.code === "date-order" ? `dates-${question.column}` : question.code;
}

/** Sends edits one by one. Edits made meanwhile, or after a failure, go together. */
function useEdits(id: string, onSaved: (saved: Import) => void) {
  const unsaved = useRef<ImportInput>({});
  const running = useRef<Promise<Import | undefined>>(null);

  async function send(): Promise<Import> {
    try {
      let sent: ImportInput;
      let saved: Import;
      do {
        sent = unsaved.current;
        saved = await changeImport(importPath(id), { method: "PATCH", body: sent });
      } while (unsaved.current !== sent);
      unsaved.current = {};
      onSaved(saved);
      return saved;
    } catch (problem) {
      // After a commit in another tab, its result is shown.
      const conflict = failedResponse(problem).status === 409;
      if (conflict) await readImport(id).then(onSaved, () => undefined);
      throw problem;
    }
  }
  // A 401 counts too: the edits are still to be sent.
  const { run, isBusy: saving, error } = useAction(send, () => true);

  /** Resolves to the import once all edits are saved; undefined: that failed. */
  function save(): Promise<Import | undefined> {
    running.current ??= run().finally(() => {
      running.current = null;
    });
    return running.current;
  }

  function edit(input: ImportInput): void {
    unsaved.current = { ...unsaved.current, ...input };
    void save();
  }

  return { saving, error, edit, save };
}

/** @param open Open questions. The counts of rows mean nothing before they are answered. */
function Tally(props: { counts: ImportCounts; busy: boolean; open: number }) {
  const { counts, busy, open } = props;
  const request = open === 1 ? "Answer the question above" : "Answer the questions above";
  const totals = ROW_CLASSES.filter((name) => counts[name] > 0).map((name) => (
    <span key={name}>
      {formatNumber(counts[name])} {rowClassTexts[name].label.toLowerCase()}
    </span>
  ));
  const tally = totals.length > 0 ? totals : "No rows";
  return (
    <output className="row note" aria-busy={busy}>
      {open > 0 ? request : tally}
      {busy && <span className="unseen"> Updating…</span>}
    </output>
  );
}
