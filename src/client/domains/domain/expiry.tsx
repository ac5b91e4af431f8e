import { DECISION_LABELS, type DomainInput, type Observation } from "../../../shared/domain.ts";
import type { DomainDetail } from "../../../shared/domain-detail.ts";
import { FIELDS } from "../../../shared/fields.ts";
import { MANUAL, parseSource, sourceInWords } from "../../../shared/source.ts";
import { expiryAdvice } from "../../../shared/advice.ts";
import { dueDay, reportedDates, workOf } from "../../../shared/work.ts";
import { ActionButton, useActionScreen } from "../../register/act-on-domains.tsx";
import { handledInWords, otherDatesInWords } from "../../register/expiry-words.ts";
import { actionsFor } from "../../register/domain-actions.ts";
import type { ChangeProblem } from "../../register/domain-change.ts";
import { hasRole } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { ExpiryDate } from "../../ui/expiry-date.tsx";
import { formatDate, formatDateTime, formatTime, localToday } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { OPTIONS } from "../form/field-kinds.tsx";
import "./expiry.css";
import "./sources.css";

interface Props {
  detail: DomainDetail;
  /** The values that are being saved, to be shown as if they were. */
  wanted: DomainInput | undefined;
}

interface ExpiryProps extends Props {
  problem: ChangeProblem | undefined;
  leadDays: number;
}

/** The expiry date, what to do by then, what each source reports, the decision and auto-renew. */
export function Expiry({ detail, wanted, problem, leadDays }: ExpiryProps) {
  const { expires, expiryRule } = detail;
  const due = dueDay(detail);
  const isOfDate = problem !== undefined && "expires" in problem.input;
  const reason = RULES[expiryRule ?? 0];
  return (
    <section className="box expiry" aria-labelledby="expiry">
      <h2 id="expiry">{FIELDS.expires.label}</h2>
      <EffectiveExpiry detail={detail} wanted={wanted} />
      <ToDo detail={detail} leadDays={leadDays} />
      {expires?.conflict && (
        <Notice tone="warn">
          {expires.source === MANUAL
            ? `A source now reports another date. Yours is still used${due === expires.date ? "." : ", but reminders and lists go by the earlier one until you choose."}`
            : `Your sources give different dates. ${whyUsed(expires.source, expiryRule)} Until you choose, reminders and lists go by the earliest.`}
        </Notice>
      )}
      {reason && <p className="note">{reason}</p>}
      {isOfDate && <Notice>{problem.text}</Notice>}
      {!isAlone(detail) && <Sources detail={detail} wanted={wanted} />}
      <div className="row expiry-choices">
        <QuickChoices detail={detail} wanted={wanted} />
        {problem && !isOfDate && <Notice>{problem.text}</Notice>}
        <Reminders detail={detail} />
      </div>
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

/** Why one of several dates counts. Only rules 9 and 10 leave a conflict. */
function whyUsed(source: string, rule: number | null): string {
  const used = `${sourceInWords(source)}’s date is used because`;
  if (rule !== 10) return `${used} it is the newest.`;
  return parseSource(source).kind === "registry"
    ? `${used} it is newer than the other report.`
    : `${used} it was reported after the registry’s last changed.`;
}

/** Whether a single source reported the date in use: nothing to compare. */
function isAlone({ expires, observations }: DomainDetail): boolean {
  const [only, ...others] = observations;
  return others.length === 0 && (!only || !expires || only.date === expires.date);
}

/** What the decision asks for, with a button for when it is done. */
function ToDo({ detail, leadDays }: { detail: DomainDetail; leadDays: number }) {
  const { change } = useActionScreen();
  const { doneFor, registrar, loginUrl } = detail;
  const work = workOf(detail, { today: localToday(), leadDays });
  const advice = work && expiryAdvice(detail, work === "expired");
  // What is in trouble is said of its findings.
  if (!work || !advice) {
    if (doneFor === null || doneFor !== dueDay(detail)) return null;
    return (
      <Notice tone="calm">
        Done. Waiting for a new expiry date.
        {hasRole("editor") && (
          <Button onClick={() => change(detail, { doneFor: null })}>Not done yet</Button>
        )}
      </Notice>
    );
  }
  const done = actionsFor(detail).find(
    (action) => /^(?:renewed|done)$/.test(action.id) && action.work?.includes(work),
  );
  return (
    <Notice tone={work === "expired" ? "danger" : "warn"}>
      <b>{advice.filter(Boolean).join(". ")}.</b>
      {(loginUrl || done) && (
        <div className="row">
          {loginUrl && (
            <a className="button" href={loginUrl} target="_blank" rel="noreferrer">
              Go to {registrar}
              <span className="unseen"> (opens a new tab)</span>
            </a>
          )}
          {done && (
            <ActionButton action={done} domain={detail}>
              {work === "switch-off" && "Auto-renew is off now"}
            </ActionButton>
          )}
        </div>
      )}
    </Notice>
  );
}

/** The day to act by. Its button is here if there is no table of sources. */
function EffectiveExpiry({ detail, wanted }: Props) {
  const { expires, observations } = detail;
  const [only] = observations;
  const [due] = expires ? reportedDates(expires) : [];
  return (
    <div className="expiry-day">
      <p>
        {due ? <ExpiryDate day={due.date} /> : <span className="unknown">Unknown</span>}
        <small>
          {!expires || !due
            ? "No expiry date yet. Add one, or import a list that has it."
            : due.date !== expires.date
              ? `From ${sourceInWords(due.source)}; ${otherDatesInWords(expires)}`
              : expires.source === MANUAL
                ? `Set by you on ${formatDate(expires.observedAt)}`
                : `From ${sourceInWords(expires.source)}, ${reportedAt(expires.observedAt)}`}
        </small>
      </p>
      {only && isAlone(detail) && (
        <PinButton look="quiet" observation={only} inUse detail={detail} wanted={wanted} />
      )}
    </div>
  );
}

/** When a source reported: the date, or the time if today. */
function reportedAt(instant: string): string {
  const date = formatDate(instant);
  const isToday = date === formatDate(new Date().toISOString());
  return isToday ? `today ${formatTime(instant)}` : date;
}

function Sources({ detail, wanted }: Props) {
  const { expires, observations } = detail;
  const inUse = ({ source, date }: Observation) =>
    source === expires?.source && date === expires.date;
  const sorted = observations.toSorted((a, b) => Number(inUse(b)) - Number(inUse(a)));
  return (
    <table className="table cards sources">
      <caption>Expiry dates by source</caption>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Date</th>
          <th scope="col">Reported</th>
          <th scope="col">
            <span className="unseen">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sorted.map((observation) => {
          const { source, date, observedAt } = observation;
          return (
            <tr key={source}>
              <th scope="row">
                {source === MANUAL ? "You" : sourceInWords(source)}
                {inUse(observation) && <small> In use</small>}
                {expires && date === dueDay(detail) && date !== expires.date && (
                  <small> Earliest, for reminders and lists</small>
                )}
              </th>
              <td>
                {date ? <ExpiryDate day={date} /> : <span className="unknown">Withdrawn</span>}
              </td>
              <td data-label="Reported">{reportedAt(observedAt)}</td>
              <td>
                <PinButton
                  look={expires?.conflict && !inUse(observation) ? "plain" : "quiet"}
                  observation={observation}
                  inUse={inUse(observation)}
                  detail={detail}
                  wanted={wanted}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface PinProps extends Props {
  /** Stands out only where there is something to decide. */
  look: "plain" | "quiet";
  observation: Observation;
  inUse: boolean;
}

/** Uses the date of a source from now on, or withdraws that choice. */
function PinButton({ look, observation: { source, date }, inUse, detail, wanted }: PinProps) {
  const { change } = useActionScreen();
  if (date === null || !hasRole("editor")) return null;
  const pinned = source === MANUAL;
  const label = pinned ? "Remove my choice" : inUse ? "Keep this date" : "Use this date";
  return (
    <Button
      look={look}
      aria-disabled={wanted !== undefined}
      aria-label={
        pinned ? `${label} of ${date}` : `${label}: ${date} from ${sourceInWords(source)}`
      }
      onClick={() => change(detail, { expires: pinned ? null : date })}
    >
      {label}
    </Button>
  );
}

/** Saves decision and auto-renew at once. Not radios: arrow keys would save what they pass. */
function QuickChoices({ detail, wanted }: Props) {
  const { change } = useActionScreen();
  const { decision = detail.decision, autoRenew = detail.autoRenew } = wanted ?? {};
  const shown = { ...detail, decision, autoRenew };
  const flag = String(autoRenew ?? "");
  if (!hasRole("editor")) {
    const [, words] = OPTIONS.flag.find(([option]) => option === flag) ?? [];
    return (
      <p>
        {FIELDS.decision.label}: {DECISION_LABELS[decision ?? "-"]} · {FIELDS.autoRenew.label}:{" "}
        {words}
      </p>
    );
  }
  return (
    <>
      <fieldset className="choice">
        <legend>{FIELDS.decision.label}</legend>
        {actionsFor(shown)
          .filter(({ group }) => group === "decision")
          .map((action) => (
            <ActionButton
              key={action.id}
              action={action}
              domain={shown}
              aria-pressed={action.isChosen?.(shown)}
            />
          ))}
      </fieldset>
      <fieldset className="choice">
        <legend>{FIELDS.autoRenew.label}</legend>
        {OPTIONS.flag.map(([option, label]) => (
          <Button
            key={option}
            aria-pressed={option === flag}
            onClick={() =>
              option === flag ||
              change(detail, { autoRenew: option === "" ? null : option === "true" })
            }
          >
            {label}
          </Button>
        ))}
      </fieldset>
    </>
  );
}

/** Who takes care of the expiry, and a way to be reminded later. */
function Reminders({ detail }: { detail: DomainDetail }) {
  const { handled } = detail;
  const words = handledInWords(handled);
  const action = actionsFor(detail).find(({ id }) => id === "handled");
  if (!action && !words) return null;
  return (
    <fieldset className="choice">
      <legend>{FIELDS.handled.label}</legend>
      {handled && words && (
        <small>
          {words} by {handled.by}, {formatDateTime(handled.at)}
        </small>
      )}
      {action && (
        <ActionButton action={action} domain={detail}>
          {words && "Change…"}
        </ActionButton>
      )}
    </fieldset>
  );
}
