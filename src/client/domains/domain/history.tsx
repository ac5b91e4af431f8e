import { useCallback, useEffect, useState } from "react";
import { Link } from "wouter";
import type { Change, ChangePage } from "../../../shared/contract.ts";
import { Failure } from "../../session/failure.tsx";
import { fieldInWords } from "../../../shared/fields.ts";
import { parseRecord } from "../../../shared/parse-json.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { formatDay } from "../../ui/format.ts";
import { formatRenewal } from "../../ui/money.ts";
import { parseRenewal } from "../../../shared/domain-json.ts";
import { listChanges } from "./detail-api.ts";
import { MANUAL } from "./pin.tsx";
import "./history.css";

/** What happened to a name, newest first, a page at a time. */
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

  function more(after: string | null) {
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
        <Button aria-disabled={busy} onClick={() => busy || more(page.next)}>
          Show older changes
        </Button>
      )}
    </section>
  );
}

function ChangeItem({ change: { at, by, action, fields, import: id } }: { change: Change }) {
  return (
    <li>
      {fields.length > 0 && action === "edited" ? (
        <ul className="history-fields">
          {fields.map(({ field, before, after }) => (
            <li key={field}>
              <span className="history-field">{fieldInWords(field)}</span>{" "}
              <del>{valueInWords(field, before)}</del> <span aria-hidden="true">→</span>
              <span className="unseen"> becomes </span> <ins>{valueInWords(field, after)}</ins>
            </li>
          ))}
        </ul>
      ) : (
        <p>{action}</p>
      )}
      <small>
        <time dateTime={at}>
          {new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
        </time>{" "}
        by {by}
        {id !== undefined && (
          <>
            {", "}
            <Link href={`/domains/import?id=${encodeURIComponent(id)}&step=result`}>
              through an import
            </Link>
          </>
        )}
      </small>
    </li>
  );
}

/** A value as history kept it. Values of fields that are gone since are shown as they are. */
function valueInWords(field: string, value: unknown): string {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) {
    return "unknown";
  }
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value !== "object") return String(value);
  if (field === "renewal") return formatRenewal(parseRenewal(value));
  const { date, source, conflict } = parseRecord(value);
  if (date === undefined) return JSON.stringify(value);
  const note = conflict === true ? ", sources disagree" : "";
  return `${formatDay(String(date))} (${source === MANUAL ? "you" : String(source)}${note})`;
}
