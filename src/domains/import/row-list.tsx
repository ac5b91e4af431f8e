import { useMemo } from "react";
import type { ImportRow, RowClass } from "../../import-contract.ts";
import { Failure } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { classWords } from "./import-words.ts";
import { PreviewRow } from "./preview-row.tsx";
import "./row-list.css";
import { useRows } from "./use-rows.ts";

/** The rows of one class, a page at a time. */
export function RowList({ id, shown, count }: { id: string; shown: RowClass; count: number }) {
  const { listed, error, loadingMore, loadMore, load } = useRows(id, shown);
  const { name, meaning } = classWords[shown];

  async function more() {
    const first = await loadMore();
    // The button goes with the last page: whoever pressed it goes on with the first new row.
    if (first && document.activeElement === document.body) {
      document.getElementById(`row-${first.id}`)?.focus();
    }
  }

  const pages = listed?.pages ?? [];
  const loaded = pages.reduce((sum, page) => sum + page.length, 0);
  return (
    <section className="row-list" aria-label={name}>
      <p>{count === 0 ? "No row of the file is of this kind." : meaning}</p>
      {!listed && error === undefined && count > 0 && <Skeleton lines={8} label="Loading rows…" />}
      {loaded > 0 && (
        <table className="row-table">
          <caption className="unseen">{name}</caption>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Name</th>
              <th scope="col">{shown === "changed" ? "What changes" : "What is said"}</th>
            </tr>
          </thead>
          {pages.map((rows) => (
            <RowPage key={rows[0]?.id} rows={rows} />
          ))}
        </table>
      )}
      {error !== undefined && <Failure error={error} onRetry={listed ? more : load} />}
      {listed?.next && error === undefined && (
        <Button className="button row-list-more" aria-disabled={loadingMore} onClick={more}>
          {loadingMore
            ? "Loading more rows…"
            : `Show more (${loaded.toLocaleString()} of ${count.toLocaleString()})`}
        </Button>
      )}
    </section>
  );
}

/** One page. What it shows is made once: those above are left alone when another comes below. */
function RowPage({ rows }: { rows: readonly ImportRow[] }) {
  const shown = useMemo(() => rows.map((row) => <PreviewRow key={row.id} row={row} />), [rows]);
  return <tbody>{shown}</tbody>;
}
