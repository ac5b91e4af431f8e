import { useState } from "react";
import { sourceInWords } from "../../../shared/checks.ts";
import {
  DECISIONS,
  type Domain,
  type DomainDetail,
  MANUAL,
  type Observation,
} from "../../../shared/domain.ts";
import { FIELDS } from "../../../shared/fields.ts";
import { workOf } from "../../../shared/work.ts";
import { canPutOff, handledInWords } from "../../register/handled.ts";
import HandledDialog from "../../register/handled-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import DoneDialog from "../../register/done-dialog.tsx";
import { ExpiryDate } from "../../ui/expiry-date.tsx";
import { localToday } from "../../ui/today.ts";
import { formatDate, formatDateTime } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { CHOICES } from "../domain-values.ts";
import type { QuickChange } from "./use-quick-change.ts";
import "./expiry.css";
import "./sources.css";

interface Props {
  detail: DomainDetail;
  quick: QuickChange;
}

/**
 * What people open a domain for: the expiry date, what is to be done by then, what each source reports,
 * and the decision and auto-renew to go with it.
 */
export function Expiry({ detail, quick, leadDays }: Props & { leadDays: number }) {
  const { expires, expiryRule } = detail;
  const reason = RULES[expiryRule ?? 0];
  return (
    <section className="box expiry" aria-labelledby="expiry">
      <h2 id="expiry">{FIELDS.expires.label}</h2>
      <EffectiveExpiry detail={detail} quick={quick} />
      <ToDo detail={detail} quick={quick} leadDays={leadDays} />
      {expires?.conflict && (
        <Notice tone="warn">
          {expires.source === MANUAL
            ? "A source now reports another date. Yours is still used."
            : `Your sources give different dates. ${whyUsed(expires.source, expiryRule)}`}
        </Notice>
      )}
      {reason && <p className="note">{reason}</p>}
      {quick.problem?.expiry && <Notice>{quick.problem.text}</Notice>}
      {!isAlone(detail) && <Sources detail={detail} quick={quick} />}
      <div className="row expiry-choices">
        <QuickChoices domain={detail} quick={quick} />
        <Reminders domain={detail} />
      </div>
    </section>
  );
}

/** Why the date in use counts, by the rule of `decideExpiry`; the others need no word. */
const RULES: Readonly<Record<number, string>> = {
  2: "The registry added a year by itself when the domain expired. Nobody has confirmed a payment, so the date before that counts.",
  4: "The registry added a year by itself, but the registrar still reports the date before that, so it counts.",
  5: "The registry’s date moved before the expiry. That takes a payment, so it counts; the older report is out of date.",
  6: "The registry’s date moved when the domain expired, which it also does by itself. Until the registrar confirms the renewal, the date before that counts.",
  7: "The registry added a year and the time to take it back is over, so its date counts.",
  8: "The registrar has booked years that the registry adds later, so the registrar’s date counts.",
};

/** Why one of several dates counts; only rules 9 and 10 leave a conflict. */
function whyUsed(source: string, rule: number | null): string {
  const used = `The one from ${sourceInWords(source)} is used`;
  if (rule !== 10) return `${used}: it is the latest report from a registrar or an import.`;
  return source.startsWith("rdap:")
    ? `${used}: the registry’s date is newer than the other report.`
    : `${used}: it was reported after the registry’s date last changed.`;
}

/** Whether a single source reported the date in use, so that there is nothing to compare. */
function isAlone({ expires, observations }: DomainDetail): boolean {
  const [only, ...others] = observations;
  return others.length === 0 && (!only || !expires || only.date === expires.date);
}

/** What the decision asks for, with a button for when it is done. */
function ToDo({ detail, quick, leadDays }: Props & { leadDays: number }) {
  const [asking, setAsking] = useState(false);
  const { expires, autoRenew, doneFor, registrar, loginUrl } = detail;
  const work = workOf(detail, { today: localToday(), leadDays });
  if (work === null) {
    if (doneFor === null || doneFor !== expires?.date) return null;
    return (
      <Notice tone="calm">
        Done. Waiting for a new expiry date.
        <Button onClick={() => quick.change({ doneFor: null })}>Not done yet</Button>
      </Notice>
    );
  }
  const text = {
    expired: autoRenew
      ? "Expired although it should have renewed. Check it at the registrar."
      : "Expired. Renew it at the registrar, or drop it.",
    undecided: "It won’t renew automatically. Decide what to do below.",
    renew: "Renew it by hand: auto-renew isn’t on.",
    transfer: "Start the transfer.",
    "switch-off": "You want to drop it, but auto-renew is on. Turn that off at the registrar.",
  }[work];
  return (
    <Notice tone={work === "expired" ? "danger" : "warn"}>
      <b>{text}</b>
      {loginUrl && (
        <a className="button" href={loginUrl} target="_blank" rel="noreferrer">
          Go to {registrar}
          <span className="unseen"> (opens a new tab)</span>
        </a>
      )}
      {work === "switch-off" && (
        <Button onClick={() => quick.change({ autoRenew: false })}>Auto-renew is off now</Button>
      )}
      {(work === "expired" || work === "renew" || work === "transfer") && (
        <Button onClick={() => setAsking(true)}>Done</Button>
      )}
      {asking && (
        <DoneDialog
          domain={detail}
          isExpired={work === "expired"}
          onDone={(day) => {
            setAsking(false);
            quick.change(day === null ? { doneFor: expires?.date ?? null } : { expires: day });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Notice>
  );
}

/** The date in use. With a single source there is no table of sources, so its button is here. */
function EffectiveExpiry({ detail, quick }: Props) {
  const { expires, observations } = detail;
  const [only] = observations;
  return (
    <div className="expiry-day">
      <p>
        {expires ? <ExpiryDate day={expires.date} /> : <span className="unknown">Unknown</span>}
        <small>
          {!expires
            ? "No expiry date yet. Add one, or import a list that has it."
            : expires.source === MANUAL
              ? `Set by you on ${formatDate(expires.observedAt)}`
              : `From ${sourceInWords(expires.source)}, ${formatDate(expires.observedAt)}`}
        </small>
      </p>
      {only && isAlone(detail) && <PinButton look="quiet" observation={only} inUse quick={quick} />}
    </div>
  );
}

function Sources({ detail: { expires, observations }, quick }: Props) {
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
              </th>
              <td>
                {date ? <ExpiryDate day={date} /> : <span className="unknown">Withdrawn</span>}
              </td>
              <td data-label="Reported">{formatDate(observedAt)}</td>
              <td>
                <PinButton
                  look={expires?.conflict ? "plain" : "quiet"}
                  observation={observation}
                  inUse={inUse(observation)}
                  quick={quick}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface PinProps extends Pick<Props, "quick"> {
  /** Stands out only where there is something to decide. */
  look: "plain" | "quiet";
  observation: Observation;
  inUse: boolean;
}

/** Uses the date of a source from now on, or withdraws that choice. */
function PinButton({ look, observation: { source, date }, inUse, quick }: PinProps) {
  if (date === null) return null;
  const pinned = source === MANUAL;
  const label = pinned ? "Remove my choice" : inUse ? "Keep this date" : "Use this date";
  return (
    <Button
      look={look}
      aria-disabled={quick.wanted !== undefined}
      aria-label={
        pinned ? `${label} of ${date}` : `${label}: ${date} from ${sourceInWords(source)}`
      }
      onClick={() => quick.change({ expires: pinned ? null : date })}
    >
      {label}
    </Button>
  );
}

/** Saves the decision and auto-renew as soon as they are chosen. A refused choice is put back. */
function QuickChoices({ domain, quick }: { domain: Domain; quick: QuickChange }) {
  const { wanted, problem, change } = quick;
  const { decision, autoRenew } = { ...domain, ...wanted };
  return (
    <>
      <Choice
        field="decision"
        value={decision ?? ""}
        onChoose={(value) => change({ decision: DECISIONS.find((each) => each === value) ?? null })}
      />
      <Choice
        field="autoRenew"
        value={String(autoRenew ?? "")}
        onChoose={(value) => change({ autoRenew: value === "" ? null : value === "true" })}
      />
      {problem && !problem.expiry && <Notice>{problem.text}</Notice>}
    </>
  );
}

interface ChoiceProps {
  field: "decision" | "autoRenew";
  value: string;
  onChoose: (value: string) => void;
}

/** One button for each option: buttons, not radios, as arrow keys would save what they pass. */
function Choice({ field, value, onChoose }: ChoiceProps) {
  return (
    <fieldset className="choice">
      <legend>{FIELDS[field].label}</legend>
      {CHOICES[field].map(([option, label]) => (
        <Button
          key={option}
          aria-pressed={option === value}
          onClick={() => option === value || onChoose(option)}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  );
}

/** Who takes care of the expiry, and a way to be reminded later. */
function Reminders({ domain }: { domain: Domain }) {
  const [asking, setAsking] = useState(false);
  const { handled } = domain;
  const words = handledInWords(handled);
  if (!canPutOff(domain)) return null;
  return (
    <fieldset className="choice">
      <legend>{FIELDS.handled.label}</legend>
      {handled && words && (
        <small>
          {words} by {handled.by}, {formatDateTime(handled.at)}
        </small>
      )}
      <Button onClick={() => setAsking(true)}>{words ? "Change…" : "Remind me later…"}</Button>
      {asking && <HandledDialog of={domain} onClose={() => setAsking(false)} />}
    </fieldset>
  );
}
