import type { Day } from "../../../shared/day.ts";
import { DECISION_LABELS, type Decision } from "../../../shared/domain.ts";
import type { BulkOperation } from "../../../shared/register.ts";
import type { Role } from "../../../shared/session.ts";
import type { View } from "../../../shared/view.ts";
import HandledDialog from "../../register/dialogs/handled-dialog.tsx";
import { type BulkTarget, MAX_UNTYPED } from "../../register/domains-api.ts";
import { callApi, hasRole } from "../../session/session-store.ts";
import { actInBackground } from "../../session/use-action.ts";
import { formatDomainCount, localToday } from "../../ui/format.ts";
import { download, downloadText } from "../../ui/page.ts";
import {
  BulkArchiveDialog,
  BulkDecideDialog,
  BulkDeleteDialog,
  BulkDoneDialog,
  BulkRenewedDialog,
  BulkSettleDialog,
  BulkTagDialog,
} from "./bulk-dialogs.tsx";
import { BulkEditDialog } from "./bulk-edit.tsx";
import type { BulkDialog } from "./list-context.ts";
import { exportUrl } from "./view-address.ts";

interface BulkScreen {
  view: View;
  target: BulkTarget;
  ask: (dialog: BulkDialog) => void;
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
  dialog: BulkDialog,
): BulkAction => ({
  label,
  role: "editor",
  run: ({ target, ask, change }) =>
    target.count > MAX_UNTYPED ? ask(dialog) : change({ kind: "edit", ...edit() }),
});

const decide = (decision: Decision | null) =>
  changeTo(
    DECISION_LABELS[decision ?? "-"],
    () => ({ decision }),
    (props) => <BulkDecideDialog {...props} decision={decision} />,
  );

const archive = (label: string, archivedOn: () => Day | null) =>
  changeTo(
    label,
    () => ({ archivedOn: archivedOn() }),
    (props) => <BulkArchiveDialog {...props} archivedOn={archivedOn()} />,
  );

const askFor = (label: string, dialog: BulkDialog): BulkAction => ({
  label,
  role: "editor",
  run: ({ ask }) => ask(dialog),
});

const SETTLE = askFor("Use the date from…", BulkSettleDialog);
const LIKELY = [
  decide("keep"),
  decide("drop"),
  askFor("Renewed…", BulkRenewedDialog),
  askFor("Done…", BulkDoneDialog),
];
const EDIT = askFor("Edit…", BulkEditDialog);
const OTHERS: readonly BulkAction[] = [
  askFor("Tag…", BulkTagDialog),
  {
    label: "Remind me later…",
    role: "editor",
    run: ({ target, ask, change }) =>
      ask(({ onClose }) => (
        <HandledDialog
          of={formatDomainCount(target.count)}
          onChoose={(until) => change({ kind: "handle", until })}
          onClose={onClose}
        />
      )),
  },
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
const ARCHIVE = archive("Archive", localToday);
const BRING_BACK = archive("Bring back", () => null);
const DELETE = askFor("Delete…", BulkDeleteDialog);

/** The actions that a person has for the domains selected in a view, the likely ones first. */
export function bulkActionsFor({ filter }: View, checksOn: boolean): readonly BulkAction[] {
  const first = filter.expires?.includes("conflict")
    ? [SETTLE, ...LIKELY, EDIT]
    : [...LIKELY, EDIT, SETTLE];
  const mayBeArchived = filter.change ?? filter.import;
  const archived = filter.archived?.join() ?? (mayBeArchived ? "any" : "proposed");
  const archiving = [
    ...(archived === "true" ? [] : [ARCHIVE]),
    ...(archived === "proposed" ? [] : [BRING_BACK]),
  ];
  const [likely, rest] = filter.archived ? [archiving, []] : [[], archiving];
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
