import type { DomainDetail, Expiry as ExpiryFact } from "../../../shared/contract.ts";
import { ExpiryDate } from "../../ui/expiry-date.tsx";
import { Notice } from "../../ui/notice.tsx";
import { MANUAL, Pin } from "./pin.tsx";
import { QuickChoices } from "./quick-choices.tsx";
import { Sources } from "./sources.tsx";
import type { Quick } from "./use-quick-change.ts";
import "./expiry.css";

/**
 * What a name is looked up for: the day that it expires, who says so, who says otherwise, and what
 * is decided about it.
 */
export function Expiry({
  detail,
  quick,
  said,
}: {
  detail: DomainDetail;
  quick: Quick;
  /** What was just saved, in words. */
  said: string;
}) {
  const { problem } = quick;
  const { expires, observations } = detail;
  return (
    <section className="expiry" aria-labelledby="expiry">
      <h2 id="expiry">Expires</h2>
      <Effective detail={detail} quick={quick} />
      {expires?.conflict && (
        <Notice tone="warn">
          {expires.source === MANUAL
            ? "A source has named another day since you pinned one. Yours counts."
            : "The sources disagree. The newest counts."}
        </Notice>
      )}
      {problem?.pin && <Notice>{problem.text}</Notice>}
      {observations.length > 1 && <Sources detail={detail} quick={quick} />}
      <div className="expiry-choices">
        <QuickChoices domain={detail} quick={quick} />
        <output>{said}</output>
      </div>
    </section>
  );
}

/** The day that counts; with a single source there is nothing to compare, and its pin stands here. */
function Effective({ detail, quick }: { detail: DomainDetail; quick: Quick }) {
  const { expires, observations } = detail;
  const [only] = observations;
  return (
    <div className="expiry-day">
      <p>
        {expires ? <ExpiryDate day={expires.date} /> : <span className="unknown">unknown</span>}
        <small>
          {expires
            ? sourceInWords(expires)
            : "No source names a day. Import a list that does, or edit the name."}
        </small>
      </p>
      {only && observations.length === 1 && <Pin said={only} quick={quick} />}
    </div>
  );
}

function sourceInWords({ source, observedAt }: ExpiryFact): string {
  const who = source === MANUAL ? "You pinned it" : `${source} said so`;
  return `${who} on ${new Date(observedAt).toLocaleDateString(undefined, { dateStyle: "medium" })}`;
}
