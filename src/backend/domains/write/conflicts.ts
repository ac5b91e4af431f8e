import type { Day } from "../../../shared/day.ts";
import type { Domain } from "../../../shared/domain.ts";
import { type Conflicts, type Settling, SETTLING_RULES } from "../../../shared/settling.ts";
import { parseSource } from "../../../shared/source.ts";
import { foldLabel } from "../../../shared/text.ts";
import { chunks } from "../../database/bulk-rows.ts";
import type { Database, Job } from "../../database/database.ts";
import { EVERYTHING } from "../../http/route.ts";
import type { ParsedSelection } from "../input.ts";
import { selectIds } from "../list/list-domains.ts";
import { readDomains } from "../list/read-domains.ts";

/** Domains that are read at a time, so that others are answered in between. */
const READ_SIZE = 100;

/** Some conflicts after another, as reading all may take longer than a database has for one reading. */
export async function listConflicts(
  database: Pick<Database, "readMany">,
  selection: ParsedSelection,
): Promise<Conflicts> {
  const ids = await database.readMany(readConflictIds, selection);
  const found = new Map<string, Conflicts["settlings"][number]>();
  for (const batch of chunks(ids, READ_SIZE)) {
    for (const { by, source, isChange } of await database.readMany(readConflicts, batch)) {
      const key = `${SETTLING_RULES.indexOf(by)} ${foldLabel(source ?? "")}`;
      const { domains, changes } = found.get(key) ?? { domains: 0, changes: 0 };
      const counts = { domains: domains + 1, changes: changes + Number(isChange) };
      found.set(key, { by, source, ...counts });
    }
  }
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { domains: ids.length, settlings: sorted.map(([, settling]) => settling) };
}

export const readConflictIds: Job<ParsedSelection, string[]> = {
  name: "select conflicts",
  run: (sql, selection) => selectIds(sql, selection, true),
};

/** A way to settle the conflict of a domain, and whether it would change the day. */
type Settled = { by: Settling["by"]; source: string | null; isChange: boolean };

/** What settles the conflicts of some domains. */
export const readConflicts: Job<readonly string[], Settled[]> = {
  name: "list conflicts",
  run: async (sql, ids) => (await readDomains(sql, ids, EVERYTHING)).flatMap(listSettled),
};

function listSettled(domain: Domain): Settled[] {
  const named = conflictingReports(domain).filter(
    ({ source }) => !["registry", "registrar"].includes(parseSource(source).kind),
  );
  const sources = new Map(named.map(({ source }) => [foldLabel(source), source]));
  return SETTLING_RULES.flatMap((by) =>
    (by === "source" ? [...sources.values()] : [null]).flatMap((source) => {
      const day = settledDay(domain, { by, source });
      return day === undefined ? [] : { by, source, isChange: day !== domain.expires?.date };
    }),
  );
}

/** What each source of a conflict reports, the newest first; empty without a conflict. */
function conflictingReports({ expires }: Domain): { date: Day; source: string }[] {
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
