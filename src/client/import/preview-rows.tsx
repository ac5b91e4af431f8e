import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { type ImportRowPage, parseImportRowPage, type RowFilter } from "../../shared/import.ts";
import { useNear } from "../register/page-window.ts";
import { Loaded, useResource } from "../register/resource.tsx";
import { Button } from "../ui/button.tsx";
import { importPath } from "./import-actions.tsx";
import { type ChangeRows, PreviewRow } from "./preview-row.tsx";
import { rowClassTexts } from "./row-classes.ts";

interface PageStart {
  /** The cursor of the page; null for the first. */
  after: string | null;
  start: number;
}

interface Props {
  id: string;
  shown: RowFilter;
  count: number;
  onChange: ChangeRows;
}

/** The rows of one class. Pages load near the visible part; far from it they are evicted, to bound memory. */
export function PreviewRows({ id, shown, count, onChange }: Props) {
  const [pages, setPages] = useState<readonly PageStart[]>([{ after: null, start: 0 }]);
  // Rows that were left out stay in sight and can be taken in again.
  const [total] = useState(count);
  const { label, explanation } = rowClassTexts[shown];
  const isInFile = shown !== "missing";
  const canSkip = isInFile && shown !== "duplicate" && shown !== "invalid";

  function addPage(next: PageStart) {
    setPages((now) => (now.some(({ after }) => after === next.after) ? now : [...now, next]));
  }

  return (
    <section className="stack" aria-label={label}>
      <p className="note">
        {total === 0 ? "None." : explanation}{" "}
        {canSkip && total > 0 && (
          <Button
            look="quiet"
            onClick={() => void onChange({ skip: { class: shown }, skipped: shown !== "skipped" })}
          >
            {shown === "skipped" ? "Import all" : "Leave all out"}
          </Button>
        )}
      </p>
      {total > 0 && (
        <table
          className={isInFile ? "table cards preview" : "table cards"}
          aria-rowcount={total + 1}
        >
          <caption className="unseen">{label}</caption>
          <thead>
            <tr aria-rowindex={1}>
              {canSkip && (
                <th scope="col" className="pick">
                  <span className="unseen">Import</span>
                </th>
              )}
              {isInFile && (
                <th scope="col" className="line">
                  Line
                </th>
              )}
              <th scope="col">Domain</th>
              {isInFile && <th scope="col">{shown === "changed" ? "Changes" : "Details"}</th>}
            </tr>
          </thead>
          {pages.map((page) => (
            <Page
              key={page.after}
              id={id}
              shown={shown}
              from={page}
              onNext={addPage}
              onChange={canSkip ? onChange : null}
            />
          ))}
        </table>
      )}
    </section>
  );
}

interface PageProps extends Pick<Props, "id" | "shown"> {
  from: PageStart;
  onNext: (next: PageStart) => void;
  onChange: ChangeRows | null;
}

/** A page of rows, or a gap of its height. It is not evicted while it has the focus. */
function Page({ id, shown, from: { after, start }, onNext, onChange }: PageProps) {
  const [kept, setKept] = useState<ImportRowPage>();
  const body = useRef<HTMLTableSectionElement>(null);
  const { near, height } = useNear(body, after === null);
  // Loaded rows stay as they are, including those left out meanwhile.
  const query = new URLSearchParams({ class: shown, ...(after !== null && { after }) });
  const url = near && !kept ? `${importPath(id)}/rows?${query}` : null;
  const page = useResource(url, parseImportRowPage);
  if (page.value && !kept) setKept(page.value);
  if (!near && kept) setKept(undefined);
  const announceNext = useEffectEvent(onNext);

  useEffect(() => {
    if (kept?.next) announceNext({ after: kept.next, start: start + kept.items.length });
  }, [kept, start]);

  // Memoized, so that other pages do not render again when one is added.
  const content = useMemo(
    () =>
      kept?.items.map((row, at) => (
        <PreviewRow key={row.id} row={row} index={start + at} onChange={onChange} />
      )),
    [kept, start, onChange],
  );
  return (
    <tbody ref={body}>
      {content ?? (
        <tr className="gap">
          <td colSpan={4} style={{ blockSize: height }}>
            {near && (
              <Loaded of={page} lines={8} label="Loading rows…">
                {() => null}
              </Loaded>
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}
