import type { DomainDetail, Observation } from "../../../shared/contract.ts";
import { ExpiryDate } from "../../ui/expiry-date.tsx";
import { MANUAL, Pin } from "./pin.tsx";
import type { Quick } from "./use-quick-change.ts";
import "./sources.css";

/** Every day that a source names, the one that counts first, each with a pin that decides it. */
export function Sources({
  detail: { expires, observations },
  quick,
}: {
  detail: DomainDetail;
  quick: Quick;
}) {
  const counts = ({ source }: Observation) => source === expires?.source;
  const inOrder = observations.toSorted((a, b) => Number(counts(b)) - Number(counts(a)));
  return (
    <table className="sources">
      <caption className="unseen">Who says when it expires</caption>
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
        {inOrder.map((said) => (
          <Said key={said.source} said={said} counts={counts(said)} quick={quick} />
        ))}
      </tbody>
    </table>
  );
}

function Said({ said, counts, quick }: { said: Observation; counts: boolean; quick: Quick }) {
  const { source, date, observedAt } = said;
  return (
    <tr>
      <th scope="row">
        {source === MANUAL ? "You" : source}
        {counts && <small> counts</small>}
      </th>
      <td>{date ? <ExpiryDate day={date} /> : <span className="unknown">withdrawn</span>}</td>
      <td>{new Date(observedAt).toLocaleDateString(undefined, { dateStyle: "medium" })}</td>
      <td>
        <Pin said={said} quick={quick} />
      </td>
    </tr>
  );
}
