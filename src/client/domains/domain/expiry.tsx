import { expiryAdvice } from "../../../shared/advice.ts";
import { daysBetween } from "../../../shared/day.ts";
import type { DomainInput } from "../../../shared/domain.ts";
import type { DomainDetail } from "../../../shared/domain-detail.ts";
import { FIELDS } from "../../../shared/fields.ts";
import { MANUAL, sourceInWords } from "../../../shared/source.ts";
import { dueDay, isLapsed, type Work, workOf } from "../../../shared/work.ts";
import { ActionButton, useActionScreen } from "../../register/act-on-domains.tsx";
import { actionsFor, isHeldByRegistrar } from "../../register/domain-actions.ts";
import { ActionItems } from "../form/action-items.tsx";
import type { ChangeProblem } from "../../register/domain-change.ts";
import { hasRole } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import {
  formatDay,
  formatRelative,
  formatShortDay,
  formatTimeOrDay,
  localToday,
} from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { OPTIONS } from "../form/field-kinds.tsx";

interface AnswerProps {
  detail: DomainDetail;
  problem: ChangeProblem | undefined;
  leadDays: number;
}

/** The date and the days to it, in a sentence what is wrong, and what can be done. */
export function ExpirySummary({ detail, problem, leadDays }: AnswerProps) {
  const today = localToday();
  const due = dueDay(detail);
  const work = workOf(detail, { today, leadDays });
  const [cause, rest] = sentenceOf(detail, work);
  return (
    <section className="answer" aria-label={FIELDS.expires.label}>
      <div>
        <p className="large">
          {due === null ? (
            <b>No date</b>
          ) : (
            <>
              <b>
                <time dateTime={due}>{formatShortDay(due)}</time>
              </b>{" "}
              <span className="note">{daysInWords(daysBetween(today, due))}</span>
            </>
          )}
        </p>
        {(cause || rest) && (
          <p>
            {cause && <span className="cause">{cause}.</span>} {rest && `${rest}.`}
          </p>
        )}
      </div>
      <Steps detail={detail} work={work} />
      {problem && <Notice>{problem.text}</Notice>}
    </section>
  );
}

/** In a sentence; from a year on in years. */
function daysInWords(days: number): string {
  const years = Math.round(days / 365.25);
  return Math.abs(days) < 365 ? formatRelative(days, "day") : formatRelative(years, "year");
}

/** What is wrong and what to do about it, without full stops; empty if there is nothing to say. */
function sentenceOf(
  detail: DomainDetail,
  work: Work | null,
): readonly [cause: string, rest: string] {
  const { expires, doneFor, autoRenew, findings, registrar } = detail;
  if (detail.archivedOn !== null) return ["", ""];
  if (isLapsed(detail, localToday())) return ["", "Dropped and no longer registered"];
  const isOver = work === "expired";
  const urgent = findings.find(({ severity }) => severity === "critical");
  const advice = work && expiryAdvice(detail, isOver);
  if (urgent && !isOver) {
    const label = urgent.label.replace("the registrar", (words) => registrar ?? words);
    return [label, urgent.advice.replace(/\.$/, "")];
  }
  if (advice) return advice;
  if (doneFor !== null && doneFor === dueDay(detail)) return ["", "Done. Waiting for a new date"];
  if (!expires) return ["", "Add a date, or import a list that has it"];
  return ["", autoRenew && detail.decision !== "drop" ? "Renews by itself" : ""];
}

/** The likely next step, filled; the others, and in a menu the rest. */
function Steps({ detail, work }: { detail: DomainDetail; work: Work | null }) {
  const { change } = useActionScreen();
  const { doneFor, registrar, loginUrl } = detail;
  const actions = actionsFor(detail);
  const isHeld = isHeldByRegistrar(detail);
  const goes = loginUrl !== null && (work !== null || isHeld);
  const offered = actions.filter(
    ({ id, work: kinds }) =>
      // In the menu.
      id !== "handled" &&
      id !== "transfer" &&
      (work === null ? isHeld && id === "drop" : kinds?.includes(work) === true),
  );
  const isDone = doneFor !== null && doneFor === dueDay(detail);
  return (
    <div className="row">
      {goes && (
        <a className="button main" href={loginUrl} target="_blank" rel="noreferrer">
          Go to {registrar}
          <span className="unseen"> (opens a new tab)</span>
        </a>
      )}
      {offered.map((action, at) => (
        <ActionButton
          key={action.id}
          action={action}
          domain={detail}
          look={at === 0 && !goes ? "main" : "plain"}
        >
          {action.id === "done" && work === "switch-off" && "Auto-renew is off now"}
        </ActionButton>
      ))}
      {isDone && hasRole("editor") && (
        <Button onClick={() => change(detail, { doneFor: null })}>Not done yet</Button>
      )}
      {actions.length > 0 && (
        <Dropdown label="⋯" name={`More for ${detail.unicode}`}>
          <Choices detail={detail} />
        </Dropdown>
      )}
    </div>
  );
}

/** Saves decision and auto-renew at once. Not radios: arrow keys would save what they pass. */
function Choices({ detail }: { detail: DomainDetail }) {
  const { change } = useActionScreen();
  const flag = String(detail.autoRenew ?? "");
  const actions = actionsFor(detail).filter(({ id }) => id !== "edit");
  const groups = Map.groupBy(actions, ({ group }) => group);
  return (
    <div className="menu">
      <fieldset>
        <legend>{FIELDS.decision.label}</legend>
        <ActionItems domain={detail} actions={groups.get("decision")} />
      </fieldset>
      <hr />
      <fieldset>
        <legend>{FIELDS.autoRenew.label}</legend>
        {OPTIONS.flag.map(([option, label]) => (
          <Button
            key={option}
            look="quiet"
            aria-pressed={option === flag}
            onClick={() => {
              if (option !== flag)
                change(detail, { autoRenew: option === "" ? null : option === "true" });
            }}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <hr />
      <ActionItems domain={detail} actions={groups.get("edit")} />
      <ActionItems domain={detail} actions={groups.get("delete")} />
    </div>
  );
}

interface DatesProps {
  detail: DomainDetail;
  /** The values that are being saved. */
  wanted: DomainInput | undefined;
}

/** What each source reports; one of them is in use. */
export function Dates({ detail, wanted }: DatesProps) {
  const { change } = useActionScreen();
  const { expires, expiryRule, observations } = detail;
  if (observations.length === 0) return null;
  const due = dueDay(detail);
  const isConflict = expires?.conflict ?? false;
  const used =
    observations.find(
      ({ source, date }) => date === due && (isConflict || source === expires?.source),
    ) ?? observations.find(({ date }) => date === due);
  const byUse = observations.toSorted(
    (a, b) =>
      Number(b === used) - Number(a === used) || (a.date ?? "9").localeCompare(b.date ?? "9"),
  );
  const reason = isConflict ? "Until you choose, the earlier date counts." : RULES[expiryRule ?? 0];
  return (
    <section aria-labelledby="dates">
      <h2 id="dates">Dates</h2>
      <ul className="list lines">
        {byUse.map((observation) => {
          const { source, date, observedAt } = observation;
          const isUsed = observation === used;
          const isPinned = source === MANUAL;
          return (
            <li key={source}>
              <span className="tick">{isUsed && <span aria-label="In use">✓</span>}</span>
              <span className="date">
                {date === null ? "Withdrawn" : <time dateTime={date}>{formatShortDay(date)}</time>}
              </span>
              <span className="note">
                {isPinned ? "By hand" : sourceInWords(source)} · {formatTimeOrDay(observedAt)}
              </span>
              {/* Uses the date from now on, or withdraws that choice. */}
              {date !== null && hasRole("editor") && (isConflict || !isUsed || isPinned) && (
                <Button
                  look="quiet"
                  aria-disabled={wanted !== undefined}
                  aria-label={
                    isPinned
                      ? `Remove the choice of ${formatDay(date)}`
                      : `Use ${formatDay(date)} from ${sourceInWords(source)}`
                  }
                  onClick={() => change(detail, { expires: isPinned ? null : date })}
                >
                  {isPinned ? "Remove" : "Use"}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {reason && <p className="note">{reason}</p>}
    </section>
  );
}

/** Why the date in use counts, by the rule of `decideExpiry`. Other rules need no explanation. */
const RULES: Readonly<Record<number, string>> = {
  2: "The registry added a year by itself when the domain expired. No one has confirmed a payment, so the date before that counts.",
  4: "The registry added a year by itself, but the registrar still reports the date before that, so it counts.",
  5: "The registry’s date moved before the expiry. That takes a payment, so it counts; the older report is out of date.",
  6: "The registry’s date moved when the domain expired, which it also does by itself. Until the registrar confirms the renewal, the date before that counts.",
  7: "The registry added a year and the time to take it back is over, so its date counts.",
  8: "The registrar has booked years that the registry adds later, so the registrar’s date counts.",
};
