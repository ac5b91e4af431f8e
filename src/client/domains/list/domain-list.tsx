import { Link } from "wouter";
import type { Domain } from "../../../shared/domain.ts";
import { isNarrowed } from "../../../shared/filter.ts";
import type { View } from "../../../shared/view.ts";
import { explain, Failure } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type Draft, EMPTY_DRAFT, toValues } from "../domain-values.ts";
import { type BulkDraft, type BulkTarget, NO_CHANGE } from "./bulk-edit.ts";
import type { Column } from "./columns.tsx";
import { DomainTable } from "./domain-table.tsx";
import { countRows } from "./listing.ts";
import { countSelected, EMPTY_SELECTION, type Selection } from "./selection.ts";
import { EDIT_SELECTED_ID } from "./shortcuts.tsx";
import type { useDomainList } from "./use-domain-list.ts";
import "./bulk-bar.css";

/** The dialog that is open over the list; at most one is. */
export type OpenDialog =
  | { kind: "edit"; draft: Draft }
  | { kind: "delete"; domain: Domain }
  | { kind: "bulk-edit"; draft: BulkDraft }
  | { kind: "bulk-delete"; target: BulkTarget };

interface Props {
  list: ReturnType<typeof useDomainList>;
  view: View;
  columns: readonly Column[];
  selection: Selection;
  /** The outcome of the last action. */
  message: string;
  onSelect: (selection: Selection) => void;
  onShow: (view: View) => void;
  onOpen: (dialog: OpenDialog) => void;
}

/** The list in any state: loading, empty, failed, out of date, or complete. */
export function DomainList(props: Props) {
  const { list, view, columns, selection, message, onSelect, onShow, onOpen } = props;
  const { listing, settled, failure } = list;

  if (!listing) {
    if (failure) return <Failure error={failure.error} onRetry={list.retry} />;
    return <Skeleton lines={10} label="Loading domains…" />;
  }

  const count = countRows(listing);
  const selected = countSelected(selection, listing.total);
  const ids = selection.all ? null : [...selection.ids];
  const found = isNarrowed(view.filter)
    ? `${formatDomainCount(listing.total)} found`
    : count > 0 && formatDomainCount(count);
  return (
    <div className="domains-list">
      <output className="domains-count">
        {message && <b>{message}</b>} <span>{settled ? found : failure ? "" : "Searching…"}</span>
      </output>
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
      {selected > 0 && (
        <BulkBar
          target={{ filter: view.filter, ids, count: selected }}
          total={listing.total}
          onSelect={onSelect}
          onOpen={onOpen}
        />
      )}
      {count > 0 && (
        <DomainTable
          listing={listing}
          columns={columns}
          view={view}
          busy={!settled && !failure}
          selection={selection}
          onSelect={onSelect}
          onShow={onShow}
          onVisibleRangeChange={list.onVisibleRangeChange}
          onEdit={(base) => onOpen({ kind: "edit", draft: { base, values: toValues(base) } })}
          onDelete={(domain) => onOpen({ kind: "delete", domain })}
        />
      )}
      {count === 0 && settled && <NoDomains view={view} onShow={onShow} onOpen={onOpen} />}
    </div>
  );
}

interface BarProps extends Pick<Props, "onSelect" | "onOpen"> {
  target: BulkTarget;
  /** How many domains match. */
  total: number;
}

/**
 * The number of selected domains and the bulk actions. It stays visible, and comes before the rows
 * in the markup, so that keyboard users need not go through all of them.
 */
function BulkBar({ target, total, onSelect, onOpen }: BarProps) {
  return (
    <section className="bulk-bar" aria-label="Selected domains">
      <div>
        <output>
          {target.ids ? "" : "All "}
          {formatDomainCount(target.count)} selected
        </output>
        <Button look="quiet" onClick={() => onSelect(EMPTY_SELECTION)}>
          Clear
        </Button>
      </div>
      {target.count < total && (
        <Button look="quiet" onClick={() => onSelect({ all: true })}>
          <span>
            Select all<span className="bulk-count"> {formatNumber(total)}</span>
            <span className="bulk-aside"> that match</span>
          </span>
        </Button>
      )}
      <div>
        <Button
          id={EDIT_SELECTED_ID}
          onClick={() => onOpen({ kind: "bulk-edit", draft: { target, values: NO_CHANGE } })}
        >
          <span>
            Edit<span className="bulk-what"> selected</span>
          </span>
        </Button>
        <Button onClick={() => onOpen({ kind: "bulk-delete", target })}>
          <span>
            Delete<span className="bulk-what"> selected</span>
          </span>
        </Button>
      </div>
    </section>
  );
}

function NoDomains({ view, onShow, onOpen }: Pick<Props, "view" | "onShow" | "onOpen">) {
  if (isNarrowed(view.filter)) {
    return (
      <Empty heading="No domains match your search and filters">
        <Button onClick={() => onShow({ ...view, filter: {} })}>Clear search and filters</Button>
      </Empty>
    );
  }
  return (
    <Empty heading="No domains yet">
      <p>Add your first domain, or import a list from your registrar.</p>
      <div className="domains-first">
        <Button onClick={() => onOpen({ kind: "edit", draft: EMPTY_DRAFT })}>
          Add the first domain
        </Button>
        <Link href="/domains/import" className="button">
          Import a list
        </Link>
      </div>
    </Empty>
  );
}
