import { useMemo } from "react";
import type { RowClass } from "../../shared/import-contract.ts";
import { Failure } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { classWords } from "./import-words.ts";
import { PreviewRow } from "./preview-row.tsx";
import "./row-list.css";
import { useNearness } from "./use-nearness.ts";
import { type RowPage, useRows } from "./use-rows.ts";

/**
 * The rows of one class. A page that comes near is fetched, and one that is far is let go, so that
 * neither the memory nor the page grows with the file.
 */
export function RowList({ id, shown, count }: { id: string; shown: RowClass; count: number }) {
  const { listed, failed, read, letGo } = useRows(id, shown);
  const { name, meaning } = classWords[shown];
  const pages = listed?.pages ?? [];
  const next = listed?.next ?? null;
  const loaded = pages.reduce((sum, page) => sum + page.count, 0);
  const starts = pages.map((_, at) =>
    pages.slice(0, at).reduce((sum, page) => sum + page.count, 0),
  );

  return (
    <section className="row-list" aria-label={name}>
      <p>{count === 0 ? "No row of the file is of this kind." : meaning}</p>
      {!listed && !failed && count > 0 && <Skeleton lines={8} label="Loading rows…" />}
      {loaded > 0 && (
        <table className={`row-table of-${shown}`} aria-rowcount={count + 1} data-windowed="">
          <caption className="unseen">{name}</caption>
          <thead>
            <tr aria-rowindex={1}>
              {shown !== "missing" && <th scope="col">Line</th>}
              <th scope="col">Name</th>
              {shown !== "missing" && (
                <th scope="col">{shown === "changed" ? "What changes" : "What is said"}</th>
              )}
            </tr>
          </thead>
          {pages.map((page, at) => (
            <Page
              key={page.after}
              page={page}
              start={starts[at] ?? 0}
              onNear={read}
              onFar={letGo}
            />
          ))}
        </table>
      )}
      {failed && <Failure error={failed.error} onRetry={() => void read(failed.after)} />}
      {next !== null && !failed && (
        <More
          words={`Show more (${loaded.toLocaleString()} of ${count.toLocaleString()})`}
          onMore={() => void read(next)}
        />
      )}
    </section>
  );
}

/** The way to the next page; it is gone by itself once it is near. */
function More({ words, onMore }: { words: string; onMore: () => void }) {
  const button = useNearness<HTMLButtonElement>((near) => near && onMore());
  return (
    <Button ref={button} className="button row-list-more" onClick={onMore}>
      {words}
    </Button>
  );
}

interface PageProps {
  page: RowPage;
  /** How many rows come before. */
  start: number;
  onNear: (after: string | null) => Promise<void>;
  onFar: (after: string | null, height: number) => void;
}

/**
 * One page, or as much room as it takes. What has the focus is never let go. What it shows is made
 * once: other pages are left alone when one comes or goes.
 */
function Page({ page, start, onNear, onFar }: PageProps) {
  const { after, rows, height } = page;
  const body = useNearness<HTMLTableSectionElement>((near, element) => {
    if (near && !rows) void onNear(after);
    else if (!near && rows && !element.contains(document.activeElement)) {
      onFar(after, element.getBoundingClientRect().height);
    }
  });
  const shown = useMemo(
    () => rows?.map((row, at) => <PreviewRow key={row.id} row={row} index={start + at} />),
    [rows, start],
  );
  return (
    <tbody ref={body}>
      {shown ?? (
        <tr className="row-gap">
          <td colSpan={3} style={{ blockSize: height }}>
            Loading…
          </td>
        </tr>
      )}
    </tbody>
  );
}
