import { useRef, useState } from "react";
import { Link } from "wouter";
import type { Import } from "../../shared/import.ts";
import { Failure } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { formatNumber } from "../ui/number.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { Tag } from "../ui/tag.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { discardDrafts, discardImport, listImports } from "./import-api.ts";
import { stepHref } from "./steps.tsx";
import { UndoButton } from "./undo-button.tsx";
import "./earlier-imports.css";

/** The latest imports. Drafts, which are folded, can be continued or discarded, finished ones undone. */
export function EarlierImports({ onUndone }: { onUndone: (undone: Import) => void }) {
  const { value: items, error, reload, setValue: setItems } = useLoaded(listImports);
  const [failure, setFailure] = useState<unknown>();
  const heading = useRef<HTMLHeadingElement>(null);
  const drafts = items?.filter(({ state }) => state === "preview") ?? [];
  const finished = items?.filter(({ state }) => state !== "preview") ?? [];

  async function discard(discarded: readonly Import[], request: () => Promise<unknown>) {
    setFailure(undefined);
    try {
      await request();
      setItems((now) => now?.filter((item) => !discarded.includes(item)));
      heading.current?.focus();
    } catch (reason) {
      setFailure(reason);
    }
  }

  function retry() {
    setFailure(undefined);
    reload();
  }

  const renderItem = (item: Import) => (
    <li key={item.id}>
      <span className="earlier-import">
        <Link href={stepHref(item.id, item.state === "preview" ? "columns" : "result")}>
          {item.fileName}
        </Link>
        <small>{describe(item)}</small>
      </span>
      <Tag>{stateLabels[item.state]}</Tag>
      {item.state === "preview" && (
        <Button
          look="quiet"
          aria-label={`Discard ${item.fileName}`}
          onClick={() => discard([item], () => discardImport(item.id))}
        >
          Discard
        </Button>
      )}
      {item.state === "committed" && (
        <UndoButton
          look="quiet"
          aria-label={`Undo ${item.fileName}`}
          done={item}
          onUndone={onUndone}
        >
          Undo
        </UndoButton>
      )}
    </li>
  );

  if (items?.length === 0) return null;
  const problem = failure ?? error;
  return (
    <section className="earlier-imports">
      <h3 ref={heading} tabIndex={-1}>
        Earlier imports
      </h3>
      {problem !== undefined && <Failure error={problem} onRetry={retry} />}
      {!items && problem === undefined && <Skeleton lines={3} label="Loading earlier imports…" />}
      {drafts.length > 0 && (
        <details>
          <summary>
            {formatNumber(drafts.length)} unfinished {drafts.length === 1 ? "draft" : "drafts"}
          </summary>
          <Button look="quiet" onClick={() => discard(drafts, discardDrafts)}>
            Discard all
          </Button>
          <ul className="list earlier-imports-list">{drafts.map(renderItem)}</ul>
        </details>
      )}
      <ul className="list earlier-imports-list">{finished.map(renderItem)}</ul>
    </section>
  );
}

const stateLabels = { preview: "Draft", committed: "Imported", undone: "Undone" } as const;

function describe({ state, createdAt, committedAt, undoneAt, counts }: Import): string {
  const times = [
    formatDateTime(committedAt ?? createdAt),
    undoneAt && `undone ${formatDateTime(undoneAt)}`,
  ];
  const [added, updated] = state === "preview" ? ["new", "changed"] : ["added", "updated"];
  const effects = `${formatNumber(counts.new)} ${added}, ${formatNumber(counts.changed)} ${updated}`;
  return [...times, effects].filter(Boolean).join(" · ");
}
