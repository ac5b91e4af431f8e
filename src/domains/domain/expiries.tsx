import type { DomainDetail, Observation } from "../../contract.ts";
import { Button } from "../../ui/button.tsx";
import { Day } from "../../ui/day.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Quick } from "./use-quick-change.ts";
import "./expiries.css";

/** The source of what a person said: it outranks every other, and so pins the day. */
const MANUAL = "manual";

/** Every expiry that a source names, which of them counts, and a pin that decides it. */
export function Expiries({ detail, quick }: { detail: DomainDetail; quick: Quick }) {
  const { wished, problem, change } = quick;
  const { expires, observations } = detail;

  return (
    <section aria-labelledby="expiries">
      <h2 id="expiries">When it expires</h2>
      {expires?.conflict && (
        <Notice tone="warn">
          {expires.source === MANUAL
            ? "A source has named another day since you pinned one. Yours counts."
            : "The sources disagree. The newest counts."}
        </Notice>
      )}
      {problem?.pin && <Notice>{problem.text}</Notice>}
      {observations.length === 0 ? (
        <p className="unknown">No source names a day. Import a list that does, or edit the name.</p>
      ) : (
        <table className="expiries">
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">Day</th>
              <th scope="col">Said on</th>
              <th scope="col">
                <span className="unseen">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {observations.map((said) => (
              <Said
                key={said.source}
                said={said}
                counts={said.source === expires?.source}
                busy={wished !== undefined}
                onPin={(date) => change({ expires: date })}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Said({
  said: { source, date, observedAt },
  counts,
  busy,
  onPin,
}: {
  said: Observation;
  counts: boolean;
  busy: boolean;
  onPin: (date: string | null) => void;
}) {
  const pinned = source === MANUAL;
  return (
    <tr>
      <th scope="row">
        {pinned ? "You" : source}
        {counts && <small> counts</small>}
      </th>
      <td>{date ? <Day day={date} /> : <span className="unknown">withdrawn</span>}</td>
      <td>{new Date(observedAt).toLocaleDateString(undefined, { dateStyle: "medium" })}</td>
      <td>
        {date && (
          <Button
            aria-disabled={busy}
            aria-label={pinned ? `Unpin ${date}` : `Pin ${date} from ${source}`}
            onClick={() => onPin(pinned ? null : date)}
          >
            {pinned ? "Unpin" : "Pin"}
          </Button>
        )}
      </td>
    </tr>
  );
}
