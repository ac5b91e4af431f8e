import type { Day } from "../../../shared/day.ts";
import { DECISION_LABELS, type Decision } from "../../../shared/domain.ts";
import type { BulkOperation } from "../../../shared/register.ts";
import type { Role } from "../../../shared/session.ts";
import type { View } from "../../../shared/view.ts";
import { type BulkTarget, MAX_UNTYPED } from "../../register/domains-api.ts";
import { callApi, hasRole } from "../../session/session-store.ts";
import { actInBackground } from "../../session/use-action.ts";
import { localToday } from "../../ui/format.ts";
import { download, downloadText } from "../../ui/page.ts";
import { exportUrl } from "./view-address.ts";

/** A value of a filter that all its domains can be given another name for. */
export type Renamed = { field: "account" | "owner" | "tag"; from: string };

/** The dialog that a bulk change needs: its kind, the decision to confirm, or what is renamed. */
export type BulkQuestion =
  | "edit"
  | "tag"
  | "handle"
  | "renewed"
  | "done"
  | "settle"
  | "delete"
  | { decision: Decision | null }
  | { archivedOn: Day | null }
  | Renamed;

interface BulkScreen {
  view: View;
  target: BulkTarget;
  ask: (question: BulkQuestion) => void;
  change: (op: BulkOperation) => void;
}

export interface BulkAction {
  /** A key, if the label changes. */
  id?: string;
  label: string;
  role: Role;
  /** Offered only then. */
  needs?: "checks";
  run: (screen: BulkScreen) => void;
}

/** Changes a few domains at once; for more, asks for their number. */
const changeTo = (
  label: string,
  edit: () => { decision: Decision | null } | { archivedOn: Day | null },
): BulkAction => ({
  label,
  role: "editor",
  run: ({ target, ask, change }) =>
    target.count > MAX_UNTYPED ? ask(edit()) : change({ kind: "edit", ...edit() }),
});

const decide = (decision: Decision | null) =>
  changeTo(DECISION_LABELS[decision ?? "-"], () => ({ decision }));

const askFor = (label: string, question: BulkQuestion): BulkAction => ({
  label,
  role: "editor",
  run: ({ ask }) => ask(question),
});

const SETTLE = askFor("Use the date from…", "settle");
const LIKELY = [
  decide("keep"),
  decide("drop"),
  askFor("Renewed…", "renewed"),
  askFor("Done…", "done"),
];
const EDIT = askFor("Edit…", "edit");
const OTHERS: readonly BulkAction[] = [
  askFor("Tag…", "tag"),
  askFor("Remind me later…", "handle"),
  decide("transfer"),
  decide("watch"),
  decide(null),
  {
    label: "Check now",
    role: "editor",
    needs: "checks",
    run: ({ change }) => change({ kind: "check" }),
  },
  {
    label: "Export",
    role: "limited",
    run: ({ view, target: { ids } }) =>
      void (ids ? exportSelection(ids) : download(exportUrl(view))),
  },
];
const ARCHIVE = changeTo("Archive", () => ({ archivedOn: localToday() }));
const BRING_BACK = changeTo("Bring back", () => ({ archivedOn: null }));
const DELETE = askFor("Delete…", "delete");

/** The actions that a person has for the domains selected in a view, the likely ones first. */
export function bulkActionsFor({ filter }: View, checksOn: boolean): readonly BulkAction[] {
  const first = filter.expires?.includes("conflict")
    ? [SETTLE, ...LIKELY, EDIT]
    : [...LIKELY, EDIT, SETTLE];
  const mayBeArchived = filter.change ?? filter.import;
  const archived = filter.archived?.join() ?? (mayBeArchived ? "any" : "proposed");
  const archive = [
    ...(archived === "true" ? [] : [ARCHIVE]),
    ...(archived === "proposed" ? [] : [BRING_BACK]),
  ];
  const [likely, rest] = filter.archived ? [archive, []] : [[], archive];
  return [...likely, ...first, ...OTHERS, ...rest, DELETE].filter(
    ({ role, needs }) => hasRole(role) && (needs !== "checks" || checksOn),
  );
}

/** For 20,000 domains. */
const EXPORT_TIMEOUT_MS = 60_000;

/** Downloads domains as CSV. Their ids are too many for a link. */
function exportSelection(ids: readonly string[]): Promise<void> {
  return actInBackground("Nothing was exported.", async () => {
    const options = { method: "POST", body: { ids }, parse: String, timeout: EXPORT_TIMEOUT_MS };
    const csv = await callApi("/api/domains.csv", options);
    // Spreadsheets know UTF-8 by this mark, which decoding removed.
    downloadText(`\ufeff${csv}`, `domains-${localToday()}.csv`, "text/csv");
  });
}
