import { Link } from "wouter";
import { explain, Failure } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { BulkBar } from "../bulk/bulk-bar.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { NO_CHANGE } from "../bulk/bulk-values.ts";
import type { Column } from "./columns.tsx";
import { DomainTable } from "./domain-table.tsx";
import { toValues } from "../domain-values.ts";
import { countRows } from "./listing.ts";
import type { OpenDialog } from "../register-dialog.tsx";
import { countSelected, type Selection } from "./selection.ts";
import type { useDomainList } from "./use-domain-list.ts";
import { isNarrowed, type View, viewToSearch } from "../filter/view.ts";

interface Props {
  list: ReturnType<typeof useDomainList>;
  view: View;
  columns: readonly Column[];
  selection: Selection;
  /** What was just done, in words. */
  said: string;
  onSelect: (selection: Selection) => void;
  onShow: (view: View) => void;
  onOpen: (dialog: OpenDialog) => void;
}

/** The rows, in whatever state they are: on their way, none, failed, out of date, or there. */
export function DomainList({ list, view, columns, selection, said, ...on }: Props) {
  const { listed, settled, failed } = list;
  const { onSelect, onShow, onOpen } = on;

  if (!listed) {
    if (failed) return <Failure error={failed.error} onRetry={list.retry} />;
    return <Skeleton lines={10} label="Loading names…" />;
  }

  const count = countRows(listed);
  const selected = countSelected(selection, listed.total);
  const names = () => ({
    search: viewToSearch(view),
    ids: selection.all ? null : [...selection.ids],
    selected,
  });
  const words = isNarrowed(view)
    ? `${formatDomainCount(listed.total)} found`
    : count > 0 && formatDomainCount(count);
  return (
    <div className="domains-list">
      <output className="domains-count">
        {said} {settled ? words : failed ? "" : "Searching…"}
      </output>
      {failed && (
        <div className="domains-failure">
          <Notice tone="warn">
            {failed.more
              ? "The rows here could not be loaded."
              : settled
                ? "These rows may be out of date."
                : "These rows do not answer what is asked now."}{" "}
            {explain(failed.error)} <Button onClick={list.retry}>Try again</Button>
          </Notice>
        </div>
      )}
      <BulkBar
        selection={selection}
        selected={selected}
        total={listed.total}
        onSelect={onSelect}
        onEdit={() => onOpen({ editingMany: { names: names(), values: NO_CHANGE } })}
        onDelete={() => onOpen({ deletingMany: names() })}
      />
      {count > 0 && (
        <DomainTable
          listing={listed}
          columns={columns}
          view={view}
          busy={!settled && !failed}
          selection={selection}
          onSelect={onSelect}
          onShow={onShow}
          onLook={list.want}
          onEdit={(domain) => onOpen({ form: { base: domain, values: toValues(domain) } })}
          onDelete={(deleting) => onOpen({ deleting })}
        />
      )}
      {count === 0 && settled && <Nothing view={view} onShow={onShow} onOpen={onOpen} />}
    </div>
  );
}

function Nothing({ view, onShow, onOpen }: Pick<Props, "view" | "onShow" | "onOpen">) {
  if (isNarrowed(view)) {
    return (
      <Empty heading="Nothing matches">
        <p>There are names in the register, but none like this.</p>
        <Button onClick={() => onShow({ ...view, q: "", filters: {} })}>Show every name</Button>
      </Empty>
    );
  }
  return (
    <Empty heading="No names yet">
      <p>Add the first domain that you own: its name is enough. Or bring a registrar’s list.</p>
      <div className="domains-first">
        <Button onClick={() => onOpen({ form: { base: null, values: toValues(null) } })}>
          Add the first name
        </Button>
        <Link href="/domains/import" className="button">
          Import a list
        </Link>
      </div>
    </Empty>
  );
}
