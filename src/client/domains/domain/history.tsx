import { Link } from "wouter";
import { type Change, parseChangePage } from "../../../shared/changes.ts";
import { MANUAL, sourceInWords } from "../../../shared/source.ts";
import { fieldInWords } from "../../../shared/fields.ts";
import { isRecord } from "../../../shared/parse.ts";
import { filterValueInWords } from "../../../shared/filter.ts";
import { Loaded, usePages } from "../../register/resource.tsx";
import { UndoButton } from "../../register/change-entry.tsx";
import { RequireRole } from "../../session/gate.tsx";
import { hasRole } from "../../session/session-store.ts";
import { formatValue } from "../../register/format-value.ts";
import { formatDateTime, formatDay } from "../../ui/format.ts";

const PAGE_SIZE = 20;

/** Changes of a domain, newest first. Those still in effect can be undone. */
export function History({ id }: { id: string }) {
  const changes = usePages(`/api/domains/${id}/history?limit=${PAGE_SIZE}`, parseChangePage);
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <Loaded of={changes} lines={3} label="Loading the history…" more="Show older changes">
        {({ items, next }) => {
          const standing = standingChanges(items);
          return (
            <ol className="list">
              {items.map((change, index) => {
                const isFirst = next === null && index === items.length - 1;
                const isStanding = standing.has(change.id);
                return <ChangeItem key={change.id} {...{ change, isFirst, isStanding }} />;
              })}
            </ol>
          );
        }}
      </Loaded>
    </section>
  );
}

/** Ids of changes that left a value which a field still has. */
function standingChanges(changes: readonly Change[]): Set<string> {
  const now = new Map<string, string>();
  const standing = new Set<string>();
  for (const { id, action, fields } of changes) {
    for (const { field, before, after } of fields) {
      const value = JSON.stringify(after);
      if (!now.has(field)) now.set(field, value);
      const stands = now.get(field) === value && JSON.stringify(before) !== value;
      if (stands && action !== "deleted") standing.add(id);
    }
  }
  return standing;
}

function ChangeItem(props: { change: Change; isFirst: boolean; isStanding: boolean }) {
  const { isFirst, isStanding } = props;
  const { at, by, action, fields, import: importId, fileName, operation } = props.change;
  const isEdit = action === "edited";
  // A domain added after a deletion came back from the bin.
  const did = action === "added" && !isFirst ? "restored" : action;
  const what = isEdit ? fields.map(({ field }) => fieldInWords(field)).join(", ") : did;
  return (
    <li className="row">
      <div>
        {isEdit && fields.length > 0 ? (
          <ul>
            {fields.map(({ field, before, after }) => (
              <li key={field}>
                <span className="note">{fieldInWords(field)}</span>{" "}
                <del>{formatChange(field, before)}</del> <span aria-hidden="true">→</span>
                <span className="unseen"> changed to </span> <ins>{formatChange(field, after)}</ins>
              </li>
            ))}
          </ul>
        ) : (
          <p className="history-action">{did}</p>
        )}
        <small>
          <time dateTime={at}>{formatDateTime(at)}</time> by {sourceInWords(by)}
          {importId !== undefined && (
            <>
              {", "}
              <RequireRole least="editor" or={fileName ?? "from an import"}>
                <Link href={`/domains/import?id=${encodeURIComponent(importId)}&step=result`}>
                  {fileName ?? "from an import"}
                </Link>
              </RequireRole>
            </>
          )}
        </small>
      </div>
      {operation !== undefined && isStanding && hasRole("editor") && (
        <UndoButton
          operations={[operation]}
          way="undo"
          look="quiet"
          size="small"
          aria-label={`Undo: ${what}, ${formatDateTime(at)}`}
        />
      )}
    </li>
  );
}

function formatChange(field: string, value: unknown): string {
  if (field === "decision") return filterValueInWords("decision", String(value ?? "-"));
  if (field === "handled") return formatHandled(value);
  if (field === "person" && value === null) return "unassigned";
  if (field === "archivedOn" && value === null) return "not archived";
  if (!isRecord(value) || value.date === undefined) return formatValue(value);
  const source =
    value.source === MANUAL ? "set by hand" : `from ${sourceInWords(String(value.source))}`;
  const conflict = value.conflict === true ? ", conflicting dates" : "";
  return `${formatValue(value)} (${source}${conflict})`;
}

function formatHandled(value: unknown): string {
  if (!isRecord(value)) return "as usual";
  return typeof value.until === "string" ? `off until ${formatDay(value.until)}` : "acknowledged";
}
