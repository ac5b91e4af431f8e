import { useRef, useState } from "react";
import { Link } from "wouter";
import type { Import } from "../../shared/import.ts";
import { Failure } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { Tag } from "../ui/tag.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { discardImport, listImports } from "./import-api.ts";
import { stepHref } from "./steps.tsx";
import { UndoButton } from "./undo-button.tsx";
import "./earlier-imports.css";

/** The latest imports. Drafts can be continued or discarded, finished ones undone. */
export function EarlierImports() {
  const { value: items, error, reload, setValue: setItems } = useLoaded(listImports);
  const [failure, setFailure] = useState<unknown>();
  const heading = useRef<HTMLHeadingElement>(null);

  async function discard({ id }: Import) {
    setFailure(undefined);
    try {
      await discardImport(id);
      setItems((now) => now?.filter((item) => item.id !== id));
      heading.current?.focus();
    } catch (reason) {
      setFailure(reason);
    }
  }

  function retry() {
    setFailure(undefined);
    reload();
  }

  if (items?.length === 0) return null;
  const problem = failure ?? error;
  return (
    <section className="earlier-imports">
      <h3 ref={heading} tabIndex={-1}>
        Earlier imports
      </h3>
      {problem !== undefined && <Failure error={problem} onRetry={retry} />}
      {!items && problem === undefined && <Skeleton lines={3} label="Loading earlier imports…" />}
      <ul className="earlier-imports-list">
        {items?.map((item) => (
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
                onClick={() => discard(item)}
              >
                Discard
              </Button>
            )}
            {item.state === "committed" && (
              <UndoButton
                look="quiet"
                aria-label={`Undo ${item.fileName}`}
                done={item}
                onUndone={(undone) =>
                  setItems((now) => now?.map((each) => (each.id === item.id ? undone : each)))
                }
              >
                Undo
              </UndoButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const stateLabels = { preview: "Draft", committed: "Imported", undone: "Undone" } as const;

function describe({ state, createdAt, committedAt, undoneAt, counts }: Import): string {
  const time = formatDateTime(undoneAt ?? committedAt ?? createdAt);
  const [added, updated] = state === "preview" ? ["new", "changed"] : ["added", "updated"];
  return `${time} · ${counts.new.toLocaleString()} ${added}, ${counts.changed.toLocaleString()} ${updated}`;
}
