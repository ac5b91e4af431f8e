import {
  DECISIONS,
  type Domain,
  type DomainDetail,
  type DomainInput,
  type Observation,
} from "../../../shared/domain.ts";
import { FIELDS } from "../../../shared/fields.ts";
import { Button } from "../../ui/button.tsx";
import { ExpiryDate } from "../../ui/expiry-date.tsx";
import { formatDate } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { OptionList } from "../domain-fields.tsx";
import { CHOICES } from "../domain-values.ts";
import type { QuickChange } from "./use-quick-change.ts";
import "./expiry.css";
import "./sources.css";

/** The source of a date that a person entered. It overrides every other source. */
export const MANUAL = "manual";

interface Props {
  detail: DomainDetail;
  quick: QuickChange;
}

/**
 * What people open a domain's page for: the expiry date, what each source reports, and the decision
 * and auto-renew to go with it.
 */
export function Expiry({ detail, quick, message }: Props & { message: string }) {
  const { expires, observations } = detail;
  return (
    <section className="expiry" aria-labelledby="expiry">
      <h2 id="expiry">{FIELDS.expires.label}</h2>
      <EffectiveExpiry detail={detail} quick={quick} />
      {expires?.conflict && (
        <Notice tone="warn">
          {expires.source === MANUAL
            ? "A source now reports another date. Yours is still used."
            : "Your sources give different dates. The most recent one is used."}
        </Notice>
      )}
      {quick.problem?.expiry && <Notice>{quick.problem.text}</Notice>}
      {observations.length > 1 && <Sources detail={detail} quick={quick} />}
      <div className="expiry-choices">
        <QuickChoices domain={detail} quick={quick} />
        <output>{message}</output>
      </div>
    </section>
  );
}

/** The date in use. With a single source there is no table of sources, so its button is here. */
function EffectiveExpiry({ detail: { expires, observations }, quick }: Props) {
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
              : `From ${expires.source}, ${formatDate(expires.observedAt)}`}
        </small>
      </p>
      {only && observations.length === 1 && <PinButton observation={only} inUse quick={quick} />}
    </div>
  );
}

function Sources({ detail: { expires, observations }, quick }: Props) {
  const inUse = ({ source }: Observation) => source === expires?.source;
  const sorted = observations.toSorted((a, b) => Number(inUse(b)) - Number(inUse(a)));
  return (
    <table className="sources">
      <caption className="unseen">Expiry dates by source</caption>
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
                {source === MANUAL ? "You" : source}
                {inUse(observation) && <small> In use</small>}
              </th>
              <td>
                {date ? <ExpiryDate day={date} /> : <span className="unknown">Withdrawn</span>}
              </td>
              <td>{formatDate(observedAt)}</td>
              <td>
                <PinButton observation={observation} inUse={inUse(observation)} quick={quick} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface PinProps extends Pick<Props, "quick"> {
  observation: Observation;
  inUse: boolean;
}

/** Uses the date of a source from now on, or withdraws that choice. */
function PinButton({ observation: { source, date }, inUse, quick }: PinProps) {
  if (date === null) return null;
  const pinned = source === MANUAL;
  const label = pinned ? "Remove my choice" : inUse ? "Keep this date" : "Use this date";
  return (
    <Button
      aria-disabled={quick.wanted !== undefined}
      aria-label={pinned ? `${label} of ${date}` : `${label}: ${date} from ${source}`}
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
  const choice = (
    field: keyof typeof CHOICES,
    value: string,
    toInput: (value: string) => DomainInput,
  ) => (
    <label className="domain-choice">
      {FIELDS[field].label}{" "}
      <select
        className={value === "false" ? "control off" : "control"}
        value={value}
        onChange={({ target }) => change(toInput(target.value))}
      >
        <OptionList options={CHOICES[field]} />
      </select>
    </label>
  );
  return (
    <>
      {choice("decision", decision ?? "", (value) => ({
        decision: DECISIONS.find((each) => each === value) ?? null,
      }))}
      {choice("autoRenew", String(autoRenew ?? ""), (value) => ({
        autoRenew: value === "" ? null : value === "true",
      }))}
      {problem && !problem.expiry && <Notice>{problem.text}</Notice>}
    </>
  );
}
