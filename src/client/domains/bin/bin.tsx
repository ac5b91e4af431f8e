import { Link } from "wouter";
import {
  type BinItem,
  type BinPage,
  parseBinPage,
  parseBinRestored,
} from "../../../shared/operations.ts";
import { sortName } from "../../../shared/search.ts";
import { ConfirmButton } from "../../session/action-dialog.tsx";
import { Loaded, usePages } from "../../register/resource.tsx";
import { Screen } from "../../register/screen.tsx";
import { callApi, hasRole } from "../../session/session-store.ts";
import { actInBackground, useAction } from "../../session/use-action.ts";
import { UndoButton } from "../../register/change-entry.tsx";
import { notifyUndoable, registerChanged, WAYS } from "../../register/undo.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { formatDate, formatDateTime, formatDomainCount } from "../../ui/format.ts";
import { notify } from "../../ui/notifications.ts";
import "../../common.ts";
import "../../common-editing.ts";

const sortKey = ({ name, unicode }: BinItem) => sortName(name, unicode);

/** Screen `/domains/bin`: restores what was deleted in the last 30 days. */
export default function Bin() {
  return (
    <Screen className="bin" above="/domains" lines={6}>
      <Deletions />
    </Screen>
  );
}

function Deletions() {
  return (
    <Loaded of={usePages("/api/bin", parseBinPage)} lines={6} more="Show more">
      {(page) => <Content {...page} />}
    </Loaded>
  );
}

function Content({ items, total }: BinPage) {
  if (total === 0) {
    return (
      <Empty heading="The bin is empty">
        <p>Deleted domains stay here for 30 days.</p>
        <Link href="/domains" className="button">
          All domains
        </Link>
      </Empty>
    );
  }
  // What was deleted together follows each other.
  const groups = Map.groupBy(items, ({ operation, deletedAt }) => operation ?? deletedAt);
  return (
    <>
      <div className="head">
        <div>
          <p className="note">{formatDomainCount(total)}, kept for 30 days.</p>
        </div>
        {hasRole("editor") && (
          <ConfirmButton
            label="Empty the bin"
            heading="Empty the bin?"
            action="Empty the bin"
            busyAction="Emptying…"
            onConfirm={async () => {
              const options = { method: "DELETE", query: { expectedCount: total } } as const;
              // After a conflict, the question has the new number.
              await callApi("/api/bin", options).finally(registerChanged);
            }}
          >
            {formatDomainCount(total)} and all you knew of {total === 1 ? "it" : "them"} will be
            gone for good. You can’t undo this.
          </ConfirmButton>
        )}
      </div>
      {[...groups].map(([key, deleted]) => (
        <Deletion key={key} items={deleted} />
      ))}
    </>
  );
}

function Deletion({ items }: { items: readonly BinItem[] }) {
  const sorted = items.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  const [first] = sorted;
  if (!first) return null;
  const { operation, deletedAt, deletedBy, fileName, until, unicode } = first;
  return (
    // By its first domain, as others may be of the same minute.
    <section aria-label={`Deleted on ${formatDateTime(deletedAt)}: ${unicode}`}>
      <div className="head">
        <div>
          <h2>{fileName === null ? `Deleted by ${deletedBy}` : `Removed with ${fileName}`}</h2>
          <p className="note">
            <time dateTime={deletedAt}>{formatDateTime(deletedAt)}</time>, gone for good after{" "}
            <time dateTime={until}>{formatDate(until)}</time>
          </p>
        </div>
        {operation !== null && items.length > 1 && hasRole("editor") && (
          // The operation may have deleted more than are shown.
          <UndoButton operations={[operation]} way="restore">
            Restore all of them
          </UndoButton>
        )}
      </div>
      <ul className="list">
        {sorted.map((item) => (
          <li key={item.id} className="row">
            <span>{item.unicode}</span>
            {hasRole("editor") && <RestoreButton item={item} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function RestoreButton({ item: { id, unicode } }: { item: BinItem }) {
  const { run: restore, isBusy } = useAction(() =>
    actInBackground(WAYS.restore.failed, async () => {
      const options = { method: "POST", body: { ids: [id] }, parse: parseBinRestored };
      const { restored, operation } = await callApi("/api/bin/restore", options);
      if (restored > 0) notifyUndoable(`Restored ${unicode}.`, operation);
      else notify({ text: `Not restored: ${unicode} has been added again since.` });
      registerChanged();
    }),
  );
  return (
    <Button
      look="quiet"
      size="small"
      aria-label={`Restore ${unicode}`}
      aria-disabled={isBusy}
      onClick={() => void restore()}
    >
      Restore
    </Button>
  );
}
