import { Suspense } from "react";
import { Link } from "wouter";
import { type Domain, parseDomainPage } from "../../../shared/domain.ts";
import { isNarrowed } from "../../../shared/filter.ts";
import { explain, Failure } from "../../session/failure.tsx";
import { hasRole } from "../../session/session-store.ts";
import { type BulkTarget, listUrl } from "../../register/domains-api.ts";
import { useResource } from "../../register/resource.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { lazyCode } from "../../ui/lazy-code.ts";
import { Notice, Skeleton } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/format.ts";
import { withoutLapsed } from "../../../shared/view.ts";
import { useRoom } from "./room.ts";
import type { Draft } from "../domain-values.ts";
import type { BulkChange, BulkQuestion } from "./bulk-actions.ts";
import type { BulkDraft } from "./bulk-edit.ts";
import { DomainTable, type TableProps } from "./domain-table.tsx";
import type { useDomainList } from "./use-domain-list.ts";

/** Loaded with the dialogs, while the rows are. */
const BulkBar = lazyCode(async () => {
  const code = await import("./list-dialogs.tsx");
  return { default: code.BulkBar };
});

/** The open dialog. A draft was typed before a reload. */
export type OpenDialog =
  | { kind: "edit"; domain: Domain | null; draft?: Draft }
  | { kind: "delete"; domain: Domain }
  | { kind: "bulk"; question: BulkQuestion; target: BulkTarget; draft?: BulkDraft };

type OwnProps = "listing" | "cards" | "busy" | "onVisibleRangeChange" | "readIds";
interface Props extends Omit<TableProps, OwnProps> {
  list: ReturnType<typeof useDomainList>;
  onAdd: () => void;
  onOpenDialog: (dialog: OpenDialog) => void;
  bulk: BulkChange;
}

/** The list in any state: loading, empty, failed, out of date, or complete. */
export function DomainList({ list, onAdd, onOpenDialog, bulk, ...table }: Props) {
  const { view, selection, onSelection, onShow } = table;
  const { listing, settled, failure } = list;
  // Measured before the rows come, so that they are rendered once.
  const { frame, room } = useRoom(table.columns);

  if (!listing || !room) {
    return (
      <div ref={frame} className="stack">
        {failure && <Failure error={failure.error} onRetry={list.retry} />}
        {!failure && <Skeleton lines={10} label="Loading domains…" />}
      </div>
    );
  }

  const count = listing.total;
  return (
    <div ref={frame} className="stack">
      {failure && (
        <div className="domains-failure">
          <Notice tone="warn">
            {failure.partial
              ? "The rows here could not be loaded."
              : settled
                ? "These rows may be out of date."
                : "These rows are from your previous search."}{" "}
            {explain(failure.error)} <Button onClick={list.retry}>Try again</Button>
          </Notice>
        </div>
      )}
      {(selection.all ? count : selection.ids.size) > 0 && (
        <Suspense fallback={null}>
          <BulkBar
            {...{ listing, view: withoutLapsed(view), selection, onSelection }}
            onAsk={(question, target) => onOpenDialog({ kind: "bulk", question, target })}
            bulk={bulk}
          />
        </Suspense>
      )}
      {count > 0 && (
        <DomainTable
          {...table}
          {...room}
          listing={listing}
          busy={!settled && !failure}
          onVisibleRangeChange={list.onVisibleRangeChange}
          readIds={list.readIds}
        />
      )}
      {count === 0 && settled && <NoDomains view={view} onShow={onShow} onAdd={onAdd} />}
    </div>
  );
}

function NoDomains({ view, onShow, onAdd }: Pick<Props, "view" | "onShow" | "onAdd">) {
  if (isNarrowed(view.filter)) {
    return (
      <Empty heading="No domains match your search and filters">
        <Button onClick={() => onShow({ ...view, filter: {} })}>Clear search and filters</Button>
      </Empty>
    );
  }
  return <EmptyRegister onAdd={onAdd} />;
}

const LAPSED = "lapsed=true";

/** No domains at all, or only lapsed ones, which the list leaves out. */
function EmptyRegister({ onAdd }: Pick<Props, "onAdd">) {
  const { value, error } = useResource(listUrl(LAPSED, 1, 0), parseDomainPage);
  if (!value && error === undefined) return null;
  const lapsed = value?.total ?? 0;
  return (
    <Empty
      heading={lapsed > 0 ? `Nothing here but ${formatNumber(lapsed)} lapsed` : "No domains yet"}
    >
      {lapsed === 0 && (
        <p>
          {hasRole("editor")
            ? "Add your first domain, or import a list from your registrar."
            : "An owner or an editor adds them."}
        </p>
      )}
      <div className="row">
        {lapsed > 0 && (
          <Link href={`/domains?${LAPSED}`} className="button">
            Show what has lapsed
          </Link>
        )}
        {hasRole("editor") && (
          <>
            <Button onClick={onAdd}>{lapsed > 0 ? "Add a domain" : "Add the first domain"}</Button>
            <Link href="/domains/import" className="button">
              Import a list
            </Link>
            {hasRole("owner") && (
              <Link href="/registrars/connect" className="button">
                Connect a registrar
              </Link>
            )}
          </>
        )}
        <Link href="/domains/bin" className="button quiet">
          Bin
        </Link>
      </div>
    </Empty>
  );
}
