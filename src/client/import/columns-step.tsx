import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { DateOrder, Import, ImportQuestion } from "../../shared/import-contract.ts";
import { explain } from "../session/explain.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import {
  choiceOf,
  chooseMeaning,
  chooseNone,
  type ColumnChoice,
  isAsked,
  isComplete,
  questionKey,
} from "./column-choice.ts";
import { ColumnTable } from "./column-table.tsx";
import { settledDates } from "./date-order.ts";
import { DefaultsForm } from "./defaults-form.tsx";
import { ImportTally } from "./import-tally.tsx";
import { dropAnswers, keepAnswers, keepOrder, readAnswers, readOrder } from "./kept-answers.ts";
import { Question } from "./question.tsx";
import type { ImportState } from "./use-import.ts";

interface Props {
  state: ImportState & { current: Import };
  onNext: (next: Import) => void;
}

/** Second step: what the columns mean, how dates are written, and what holds for every name. */
export function ColumnsStep({ state, onNext }: Props) {
  const { current, saving, error, edit } = state;
  const { id } = current;
  const [choice, setChoice] = useState(() => readAnswers(current) ?? choiceOf(current));
  const [asked, setAsked] = useState(() => [...current.ambiguous, ...settledDates(current)]);
  const [order, setOrder] = useState(() => readOrder(id) ?? current.dateOrder);
  const [unanswered, setUnanswered] = useState(false);
  const questions = useRef<HTMLElement>(null);

  // A question stays after it is answered, so that the answer can be seen and changed.
  const fresh = current.ambiguous.filter(
    (question) => !asked.some((each) => questionKey(each) === questionKey(question)),
  );
  if (fresh.length > 0) setAsked([...asked, ...fresh]);

  const complete = isComplete(choice);
  const isOpen = (question: ImportQuestion): boolean => {
    if (question.code === "field") return choice.open.includes(question.field);
    if (question.code === "no-name") return !choice.mapping.includes("name");
    return order === null;
  };
  const shown = asked.filter((question) => isAsked(question, choice));
  const open = shown.filter(isOpen).length;

  async function tell(next: ColumnChoice) {
    if (isComplete(next) && (await edit({ mapping: [...next.mapping] }))) dropAnswers(id, next);
  }

  // What was answered before a reload and never arrived is said again.
  const resume = useEffectEvent(() => {
    if (readAnswers(current)) void tell(choice);
    if (order && readOrder(id)) void tellOrder(order);
  });
  useEffect(() => {
    resume();
  }, []);

  function choose(next: ColumnChoice) {
    setChoice(next);
    keepAnswers(id, next);
    void tell(next);
  }

  async function tellOrder(next: DateOrder) {
    keepOrder(id, next);
    if ((await edit({ dateOrder: next })) && readOrder(id) === next) keepOrder(id, null);
  }

  function chooseOrder(next: DateOrder) {
    setOrder(next);
    void tellOrder(next);
  }

  async function goOn() {
    const latest: Import | null = saving || error !== undefined ? await edit({}) : current;
    if (latest?.ambiguous.length === 0 && complete) {
      onNext(latest);
      return;
    }
    setUnanswered(latest !== null);
    questions.current?.querySelector<HTMLElement>("fieldset.open input")?.focus();
  }

  return (
    <div className="import-columns">
      <p>
        <b>{current.fileName}</b>.{" "}
        {current.format
          ? `This is an export of ${current.format}: what its columns mean is known.`
          : "What its columns mean was concluded from their headers and cells. Correct what is wrong."}
      </p>
      {shown.length > 0 && (
        <section className="import-questions" ref={questions} aria-label="Questions">
          {shown.map((question) => (
            <Question
              key={questionKey(question)}
              question={question}
              columns={current.columns}
              mapping={choice.mapping}
              order={order}
              open={isOpen(question)}
              onColumn={(column, field) =>
                choose(
                  column === null
                    ? chooseNone(choice, field)
                    : chooseMeaning(choice, column, field),
                )
              }
              onOrder={chooseOrder}
            />
          ))}
        </section>
      )}
      <ColumnTable
        columns={current.columns}
        mapping={choice.mapping}
        order={order}
        onChoose={(column, meaning) => choose(chooseMeaning(choice, column, meaning))}
      />
      <DefaultsForm
        id={id}
        defaults={current.defaults}
        format={current.format}
        onChange={async (defaults) => (await edit({ defaults })) !== null}
      />
      <div className="import-foot">
        {error !== undefined && (
          <Notice>
            {explain(error)} <Button onClick={() => void edit({})}>Try again</Button>
          </Notice>
        )}
        {unanswered && open > 0 && <Notice tone="warn">Answer the questions above first.</Notice>}
        <ImportTally counts={current.counts} busy={saving} open={open > 0} />
        <Button look="primary" aria-disabled={open > 0} onClick={() => void goOn()}>
          Go on to the preview
        </Button>
      </div>
    </div>
  );
}
