import type { Expiry } from "../../shared/domain.ts";
import { reportedDates } from "../../shared/work.ts";
import { ExpiryDate } from "../ui/expiry-date.tsx";
import { otherDatesInWords } from "./other-dates.ts";

/** The day to act by, and in a conflict who reports another. */
export function DueDate({ expires }: { expires: Expiry | null }) {
  if (expires === null) return <span className="unknown">Unknown</span>;
  const [due = expires] = reportedDates(expires);
  return (
    <>
      <ExpiryDate day={due.date} />
      {expires.conflict && <small>{otherDatesInWords(expires)}</small>}
    </>
  );
}
