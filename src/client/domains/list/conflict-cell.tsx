import { sourceInWords } from "../../../shared/checks.ts";
import { type Domain, type Expiry, MANUAL } from "../../../shared/domain.ts";
import { Button } from "../../ui/button.tsx";
import { formatDay } from "../../ui/format.ts";

/** Dates that a row has room for; the domain's page has all. */
const MAX_DATES = 2;

interface Props {
  domain: Domain;
  expires: Expiry;
  onSettle: (domain: Domain, day: string) => void;
}

/** The dates that the sources of a domain disagree on, each with a button that settles for it. */
export function ConflictCell({ domain, expires, onSettle }: Props) {
  const others = expires.alternatives.filter(({ date }) => date !== expires.date);
  return (
    <span className="conflict-dates">
      {[expires, ...others].slice(0, MAX_DATES).map(({ date, source }) => (
        <Button key={date} onClick={() => onSettle(domain, date)}>
          <span className="unseen">Use </span>
          {formatDay(date, "medium")}
          <small>{source === MANUAL ? "you" : sourceInWords(source)}</small>
          <span className="unseen"> for {domain.unicode}</span>
        </Button>
      ))}
    </span>
  );
}
