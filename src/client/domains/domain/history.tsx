import { useCallback, useEffect, useState } from "react";
import { Link } from "wouter";
import type { Change, ChangePage } from "../../../shared/domain.ts";
import { fieldInWords } from "../../../shared/fields.ts";
import { isRecord } from "../../../shared/parse.ts";
import { filterValueInWords } from "../../../shared/filter.ts";
import { Failure } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { formatDateTime, formatValue } from "../../ui/format.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { listChanges } from "../domains-api.ts";
import { MANUAL } from "./expiry.tsx";
import "./history.css";

export function History({ id }: { id: string }) {
  const [page, setPage] = useState<ChangePage>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);

  const load = useCallback(
    (after: string | null) => {
      listChanges(id, after)
        .then(({ items, next }) => {
          setError(undefined);
          return setPage((now) => ({ items: [...((after && now?.items) || []), ...items], next }));
        })
        .catch(setError)
        .finally(() => setBusy(false));
    },
    [id],
  );
  useEffect(() => load(null), [load]);

  function loadMore(after: string) {
    if (busy) return;
    setBusy(true);
    load(after);
  }

  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      {page ? (
        <ol className="history">
          {page.items.map((change) => (
            <ChangeItem key={change.id} change={change} />
          ))}
        </ol>
      ) : (
        error === undefined && <Skeleton lines={3} label="Loading the history…" />
      )}
      {error !== undefined && <Failure error={error} onRetry={() => load(page?.next ?? null)} />}
      {page?.next && error === undefined && (
        <Button aria-disabled={busy} onClick={() => loadMore(page.next ?? "")}>
          Show older changes
        </Button>
      )}
    </section>
  );
}

function ChangeItem({ change: { at, by, action, fields, import: importId } }: { change: Change }) {
  return (
    <li>
      {fields.length > 0 && action === "edited" ? (
        <ul className="history-fields">
          {fields.map(({ field, before, after }) => (
            <li key={field}>
              <span className="history-field">{fieldInWords(field)}</span>{" "}
              <del>{formatChange(field, before)}</del> <span aria-hidden="true">→</span>
              <span className="unseen"> changed to </span> <ins>{formatChange(field, after)}</ins>
            </li>
          ))}
        </ul>
      ) : (
        <p className="history-action">{action}</p>
      )}
      <small>
        <time dateTime={at}>{formatDateTime(at)}</time> by {by}
        {importId !== undefined && (
          <>
            {", "}
            <Link href={`/domains/import?id=${encodeURIComponent(importId)}&step=result`}>
              from an import
            </Link>
          </>
        )}
      </small>
    </li>
  );
}

function formatChange(field: string, value: unknown): string {
  if (field === "decision") return filterValueInWords("decision", String(value ?? "-"));
  if (!isRecord(value) || value.date === undefined) return formatValue(value);
  const source = value.source === MANUAL ? "set by you" : `from ${String(value.source)}`;
  const conflict = value.conflict === true ? ", conflicting dates" : "";
  return `${formatValue(value)} (${source}${conflict})`;
}
