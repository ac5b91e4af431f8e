import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import type { ImportRow, RowClass } from "../../shared/import.ts";
import { Failure } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { listRows } from "./import-api.ts";
import { PreviewRow } from "./preview-row.tsx";
import { rowClassTexts } from "./row-classes.ts";
import "./preview-rows.css";

/** One page of rows. Far from the visible part its rows are evicted and only their height stays. */
interface RowPage {
  /** The cursor that it was requested with. */
  after: string | null;
  count: number;
  rows: readonly ImportRow[] | null;
  /** Pixels that the rows took before they were evicted. */
  height: number;
}

interface LoadedPages {
  pages: readonly RowPage[];
  /** The cursor of the page after the last; null at the end. */
  next: string | null;
}

/**
 * The rows of one class. Pages near the visible part are fetched and far ones are evicted, so that
 * neither memory nor document grows with the file.
 */
export function PreviewRows({ id, shown, count }: { id: string; shown: RowClass; count: number }) {
  const { loaded, failed, load, evict } = useRowPages(id, shown);
  const { label, explanation } = rowClassTexts[shown];
  const { pages, next } = loaded ?? { pages: [], next: null };
  const starts = pages.map((_, at) => countRows(pages.slice(0, at)));
  const loadedRows = countRows(pages);

  return (
    <section className="preview-rows" aria-label={label}>
      <p>{count === 0 ? "None." : explanation}</p>
      {!loaded && !failed && count > 0 && <Skeleton lines={8} label="Loading rows…" />}
      {loadedRows > 0 && (
        <table className={`row-table of-${shown}`} aria-rowcount={count + 1} data-windowed="">
          <caption className="unseen">{label}</caption>
          <thead>
            <tr aria-rowindex={1}>
              {shown !== "missing" && <th scope="col">Line</th>}
              <th scope="col">Domain</th>
              {shown !== "missing" && (
                <th scope="col">{shown === "changed" ? "Changes" : "Details"}</th>
              )}
            </tr>
          </thead>
          {pages.map((page, at) => (
            <Page
              key={page.after}
              page={page}
              start={starts[at] ?? 0}
              onNear={load}
              onFar={evict}
            />
          ))}
        </table>
      )}
      {failed && <Failure error={failed.error} onRetry={() => void load(failed.after)} />}
      {next !== null && !failed && (
        <ShowMore
          label={`Show more (${loadedRows.toLocaleString()} of ${count.toLocaleString()})`}
          onMore={() => void load(next)}
        />
      )}
    </section>
  );
}

/** Loads the next page when pressed, or when it comes near. */
function ShowMore({ label, onMore }: { label: string; onMore: () => void }) {
  const button = useNearness<HTMLButtonElement>((near) => near && onMore());
  return (
    <Button ref={button} className="button preview-rows-more" onClick={onMore}>
      {label}
    </Button>
  );
}

/** One page, or a gap of its height. A page that has the focus is never evicted. */
function Page({
  page: { after, rows, height },
  start,
  onNear,
  onFar,
}: {
  page: RowPage;
  /** The number of rows before it. */
  start: number;
  onNear: (after: string | null) => Promise<void>;
  onFar: (after: string | null, height: number) => void;
}) {
  const body = useNearness<HTMLTableSectionElement>((near, element) => {
    if (near && !rows) void onNear(after);
    else if (!near && rows && !element.contains(document.activeElement)) {
      onFar(after, element.getBoundingClientRect().height);
    }
  });
  // Memoized, so that other pages do not render again when one is loaded or evicted.
  const content = useMemo(
    () => rows?.map((row, at) => <PreviewRow key={row.id} row={row} index={start + at} />),
    [rows, start],
  );
  return (
    <tbody ref={body}>
      {content ?? (
        <tr className="row-gap">
          <td colSpan={3} style={{ blockSize: height }}>
            Loading…
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Loads the rows of one class of an import, a page at a time. */
function useRowPages(id: string, shown: RowClass) {
  const [loaded, setLoaded] = useState<LoadedPages>();
  const [failed, setFailed] = useState<{ error: unknown; after: string | null }>();
  const controller = useRef(new AbortController());
  /** Cursors that are being requested. */
  const pending = useRef(new Set<string | null>());

  /** Loads the page of a cursor: the next one, or one that was evicted. */
  const load = useCallback(
    async (after: string | null) => {
      if (pending.current.has(after)) return;
      const { signal } = controller.current;
      pending.current.add(after);
      setFailed(undefined);
      try {
        const { items, next } = await listRows(id, { class: shown, after }, signal);
        const page = { after, count: items.length, rows: items, height: 0 };
        setLoaded((now) => putPage(now, page, next));
      } catch (error) {
        if (!signal.aborted) setFailed({ error, after });
      } finally {
        pending.current.delete(after);
      }
    },
    [id, shown],
  );

  useEffect(() => {
    controller.current = new AbortController();
    pending.current = new Set();
    void load(null);
    return () => controller.current.abort();
  }, [load]);

  const evict = useCallback((after: string | null, height: number) => {
    setLoaded((now) => now && changePage(now, after, { rows: null, height }));
  }, []);

  return { loaded, failed, load, evict };
}

function putPage(now: LoadedPages | undefined, page: RowPage, next: string | null): LoadedPages {
  if (!now) return { pages: [page], next };
  if (!now.pages.some(({ after }) => after === page.after)) {
    return { pages: [...now.pages, page], next };
  }
  return changePage(now, page.after, { rows: page.rows });
}

function changePage(now: LoadedPages, after: string | null, change: Partial<RowPage>): LoadedPages {
  const pages = now.pages.map((page) => (page.after === after ? { ...page, ...change } : page));
  return { ...now, pages };
}

function countRows(pages: readonly RowPage[]): number {
  return pages.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Reports whether an element is within one window height of the visible part of the page, whenever
 * that changes and after each render.
 */
function useNearness<T extends Element>(
  onChange: (near: boolean, element: T) => void,
): RefObject<T | null> {
  const observed = useRef<T>(null);
  const report = useEffectEvent(onChange);

  useEffect(() => {
    const element = observed.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => report(entries.at(-1)?.isIntersecting ?? true, element),
      { rootMargin: "100% 0px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  });

  return observed;
}
