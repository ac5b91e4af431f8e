import { useRef, useState } from "react";
import type { ImportField } from "../../shared/fields.ts";
import {
  type DateOrder,
  type Import,
  type ImportCounts,
  type ImportQuestion,
  ROW_CLASSES,
} from "../../shared/import.ts";
import { explain } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { useUnsavedChanges } from "../unsaved-changes.ts";
import {
  type ColumnMapping,
  initialMapping,
  isComplete,
  isRelevant,
  mapColumn,
  questionKey,
  unmapField,
} from "./column-mapping.ts";
import { ColumnTable } from "./column-table.tsx";
import { answeredDateQuestion } from "./date-order.ts";
import { DefaultsForm } from "./defaults-form.tsx";
import { Question } from "./question.tsx";
import { rowClassTexts } from "./row-classes.ts";
import type { ImportState } from "./use-import.ts";

interface Props {
  state: ImportState & { current: Import };
  onNext: (next: Import) => void;
}

/** Second step: what the columns are imported as, how dates are written, and the defaults. */
export function ColumnsStep({ state, onNext }: Props) {
  const { current, saving, error, edit } = state;
  const [initial] = useState(() => initialMapping(current));
  const [mapping, setMapping] = useState(initial);
  const [order, setOrder] = useState(current.dateOrder);
  const [asked, setAsked] = useState(() => {
    const answered = answeredDateQuestion(current);
    return answered ? [...current.ambiguous, answered] : current.ambiguous;
  });
  const questions = useRef<HTMLElement>(null);
  const unsent = mapping !== initial && !isComplete(mapping);
  useUnsavedChanges(unsent || saving || error !== undefined);

  // A question stays after it is answered, so that the answer can be seen and changed.
  const unnamed = mapping.meanings.includes("name") ? [] : [{ code: "no-name" as const }];
  const added = [...current.ambiguous, ...unnamed].filter(
    (question) => !asked.some((each) => questionKey(each) === questionKey(question)),
  );
  if (added.length > 0) setAsked([...asked, ...added]);

  const isOpen = (question: ImportQuestion): boolean => {
    if (question.code === "field") return mapping.unanswered.includes(question.field);
    if (question.code === "no-name") return !mapping.meanings.includes("name");
    return order === null;
  };
  const shown = asked.filter((question) => isRelevant(question, mapping));
  const open = shown.filter(isOpen).length;

  function changeMapping(next: ColumnMapping) {
    setMapping(next);
    if (isComplete(next)) void edit({ mapping: [...next.meanings] });
  }

  function answerField(column: number | null, field: ImportField) {
    changeMapping(column === null ? unmapField(mapping, field) : mapColumn(mapping, column, field));
  }

  function changeOrder(next: DateOrder) {
    setOrder(next);
    void edit({ dateOrder: next });
  }

  async function showPreview() {
    const latest: Import | null = saving || error !== undefined ? await edit({}) : current;
    if (latest?.ambiguous.length === 0 && isComplete(mapping)) {
      onNext(latest);
      return;
    }
    questions.current?.querySelector<HTMLElement>("fieldset.open input")?.focus();
  }

  return (
    <div className="import-columns">
      <p>
        <b>{current.fileName}</b>.{" "}
        {current.format
          ? `${current.format} export recognised. The columns are matched for you.`
          : "We matched the columns automatically. Check them before you continue."}
      </p>
      {shown.length > 0 && (
        <section className="import-questions" ref={questions} aria-label="Questions">
          {shown.map((question) => (
            <Question
              key={questionKey(question)}
              question={question}
              columns={current.columns}
              meanings={mapping.meanings}
              order={order}
              open={isOpen(question)}
              onColumn={answerField}
              onOrder={changeOrder}
            />
          ))}
        </section>
      )}
      <ColumnTable
        columns={current.columns}
        meanings={mapping.meanings}
        order={order}
        onChange={(column, meaning) => changeMapping(mapColumn(mapping, column, meaning))}
      />
      <DefaultsForm
        defaults={current.defaults}
        format={current.format}
        onChange={(defaults) => void edit({ defaults })}
      />
      <div className="import-foot">
        {error !== undefined && (
          <Notice>
            {explain(error)} <Button onClick={() => void edit({})}>Try again</Button>
          </Notice>
        )}
        <Tally counts={current.counts} busy={saving} open={open} />
        <Button look="primary" aria-disabled={open > 0} onClick={() => void showPreview()}>
          Preview
        </Button>
      </div>
    </div>
  );
}

/** The number of rows of each class, as the file is read so far. */
function Tally({
  counts,
  busy,
  open,
}: {
  counts: ImportCounts;
  busy: boolean;
  /** The number of open questions: the counts mean nothing before they are answered. */
  open: number;
}) {
  const request = open === 1 ? "Answer the question above" : "Answer the questions above";
  const totals = ROW_CLASSES.filter((name) => counts[name] > 0).map((name) => (
    <span key={name}>
      {counts[name].toLocaleString()} {rowClassTexts[name].label.toLowerCase()}
    </span>
  ));
  const tally = totals.length > 0 ? totals : "No rows";
  return (
    <output className="import-tally" aria-busy={busy}>
      {open > 0 ? request : tally}
      {busy && <span className="unseen"> Updating…</span>}
    </output>
  );
}
