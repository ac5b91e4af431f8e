import type { Day } from "../../../shared/day.ts";
import type { Domain } from "../../../shared/domain.ts";
import type { Settling } from "../../../shared/settling.ts";
import { parseSource } from "../../../shared/source.ts";
import { foldLabel } from "../../../shared/text.ts";

/** What each source of a conflict reports, the newest first; empty without a conflict. */
export function conflictingReports({ expires }: Domain): { date: Day; source: string }[] {
  if (!expires?.conflict) return [];
  // Of two that came at once, the one in use.
  return [expires, ...expires.alternatives].toSorted((one, other) =>
    other.observedAt.localeCompare(one.observedAt),
  );
}

/** The day that settles a conflict; undefined without one, or without this source. */
export function settledDay(
  domain: Domain,
  { by, source }: { by: Settling["by"]; source?: string | null | undefined },
): Day | undefined {
  const reports = conflictingReports(domain);
  const dates = reports.map(({ date }) => date).toSorted();
  const wanted = foldLabel((by === "source" ? source : domain.registrar) ?? "");
  switch (by) {
    case "newest":
      return reports[0]?.date;
    case "earliest":
      return dates[0];
    case "later":
      return dates.at(-1);
    default:
      // The registry and a registrar that is asked live or by an account are known by kind, others by name.
      return reports.find((each) => {
        const { kind } = parseSource(each.source);
        return (
          (by !== "source" && (kind === by || (by === "registrar" && kind === "account"))) ||
          (by !== "registry" && foldLabel(each.source) === wanted)
        );
      })?.date;
  }
}
