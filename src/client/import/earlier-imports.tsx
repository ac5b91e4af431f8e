import { useRef } from "react";
import { Link } from "wouter";
import { type Import, parseImportList } from "../../shared/import.ts";
import { Loaded, useResource } from "../register/resource.tsx";
import { FormFailure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { formatCount, formatDateTime, formatNumber } from "../ui/format.ts";
import { importPath, IMPORTS, UndoButton } from "./import-actions.tsx";
import { stepHref } from "./steps.tsx";
import "./earlier-imports.css";

/** The latest imports: drafts to continue or discard, finished ones to undo. */
export function EarlierImports({ onUndone }: { onUndone: (undone: Import) => void }) {
  const imports = useResource(IMPORTS, parseImportList);
  const heading = useRef<HTMLHeadingElement>(null);
  const { run: discard, error } = useAction(async (discarded: readonly Import[], path: string) => {
    await callApi(path, { method: "DELETE" });
    const left = imports.value?.items.filter((item) => !discarded.includes(item));
    imports.set({ items: left ?? [] });
    heading.current?.focus();
  });

  const renderItem = (item: Import) => (
    <li key={item.id}>
      <span className="earlier-import">
        <Link href={stepHref(item.id, item.state === "preview" ? "columns" : "result")}>
          {item.fileName}
        </Link>
        <small>{describe(item)}</small>
      </span>
      <span className="tag">{stateLabels[item.state]}</span>
      {item.state === "preview" && (
        <Button
          look="quiet"
          aria-label={`Discard ${item.fileName}`}
          onClick={() => discard([item], importPath(item.id))}
        >
          Discard
        </Button>
      )}
      {item.state === "committed" && (
        <UndoButton
          label="Undo"
          look="quiet"
          aria-label={`Undo ${item.fileName}`}
          done={item}
          onUndone={onUndone}
        />
      )}
    </li>
  );

  if (imports.value?.items.length === 0) return null;
  return (
    <section className="earlier-imports">
      <h3 ref={heading} tabIndex={-1}>
        Earlier imports
      </h3>
      <FormFailure error={error} />
      <Loaded of={imports} lines={3} label="Loading earlier imports…">
        {({ items }) => {
          const drafts = items.filter(({ state }) => state === "preview");
          const finished = items.filter(({ state }) => state !== "preview");
          return (
            <>
              {drafts.length > 0 && (
                <details className="import-drafts">
                  <summary>{formatCount(drafts.length, "unfinished draft")}</summary>
                  <Button look="quiet" onClick={() => discard(drafts, `${IMPORTS}?state=preview`)}>
                    Discard all
                  </Button>
                  <ul className="list earlier-imports-list">{drafts.map(renderItem)}</ul>
                </details>
              )}
              <ul className="list earlier-imports-list">{finished.map(renderItem)}</ul>
            </>
          );
        }}
      </Loaded>
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
