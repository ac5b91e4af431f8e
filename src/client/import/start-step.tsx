import { useRef } from "react";
import { Link } from "wouter";
import { type Import, parseImportList } from "../../shared/import.ts";
import { urlOf } from "../base-path.ts";
import { ImportWays } from "../register/pending-import.tsx";
import { Loaded, useResource } from "../register/resource.tsx";
import { FormFailure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { formatNumber } from "../ui/format.ts";
import { Table } from "../ui/table.tsx";
import { formatTimeFromNow } from "../ui/time-from-now.ts";
import { importPath, IMPORTS, UndoImport } from "./import-actions.tsx";
import { stepHref } from "./steps.tsx";
import { UploadList, useUploads } from "./uploads.tsx";

/** First step: files or a pasted list, and the earlier imports. */
export function StartStep(props: {
  onImported: (added: Import) => void;
  onUndone: (undone: Import) => void;
}) {
  const uploads = useUploads(props.onImported);
  return (
    <>
      {/* When the button of an upload goes, the focus moves to what is here. */}
      <div className="stack">
        <UploadList {...uploads} />
        <ImportWays
          label="Drop files here, or choose them"
          hint="CSV, Excel, JSON or text from any registrar"
          pasteHint="One per line, or rows copied from a spreadsheet"
          rows={4}
          onFiles={uploads.add}
        >
          <Button type="submit">Continue</Button>
        </ImportWays>
      </div>
      <p>
        No export? Fill in the{" "}
        <a href={urlOf("/api/imports/template.csv")} download>
          CSV template
        </a>
        .
      </p>
      <EarlierImports onUndone={props.onUndone} />
    </>
  );
}

/** The latest imports: drafts to continue or discard, finished ones to undo. */
function EarlierImports({ onUndone }: { onUndone: (undone: Import) => void }) {
  const imports = useResource(IMPORTS, parseImportList);
  const heading = useRef<HTMLHeadingElement>(null);
  const { run: discard, error } = useAction(async (discarded: readonly Import[], path: string) => {
    await callApi(path, { method: "DELETE" });
    const left = imports.value?.items.filter((item) => !discarded.includes(item));
    imports.set({ items: left ?? [] });
    heading.current?.focus();
  });

  const items = imports.value?.items ?? [];
  const drafts = items.filter(({ state }) => state === "preview");
  if (imports.value && items.length === 0) return null;
  return (
    <section>
      <div className="row">
        <h3 ref={heading} tabIndex={-1}>
          Earlier imports
        </h3>
        {drafts.length > 1 && (
          <Button look="quiet" onClick={() => discard(drafts, `${IMPORTS}?state=preview`)}>
            Discard all drafts
          </Button>
        )}
      </div>
      <FormFailure error={error} />
      <Loaded of={imports} lines={3} label="Loading earlier imports…">
        {() => (
          <Table
            name="Earlier imports"
            rows={[...drafts, ...items.filter((item) => !drafts.includes(item))]}
            keyOf={({ id }) => id}
            columns={[
              {
                label: "File",
                show: ({ id, state, fileName }) =>
                  state === "preview" ? (
                    <Link href={stepHref(id, "columns")}>
                      Continue with the unfinished {fileName}
                    </Link>
                  ) : (
                    <Link href={stepHref(id, "result")}>{fileName}</Link>
                  ),
              },
              { label: "Domains", isObvious: true, show: countEffects },
              {
                label: "When",
                kind: "end",
                isObvious: true,
                show: ({ committedAt, createdAt, undoneAt }) =>
                  formatTimeFromNow(undoneAt ?? committedAt ?? createdAt),
              },
              {
                label: "Action",
                kind: "end",
                isObvious: true,
                show: (item) =>
                  item.state === "undone" ? (
                    "Undone"
                  ) : item.state === "committed" ? (
                    <UndoImport
                      label="Undo"
                      size="small"
                      aria-label={`Undo ${item.fileName}`}
                      done={item}
                      onUndone={onUndone}
                    />
                  ) : (
                    <Button
                      size="small"
                      aria-label={`Discard ${item.fileName}`}
                      onClick={() => discard([item], importPath(item.id))}
                    >
                      Discard
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}

function countEffects({ state, counts }: Import): string {
  const [added, updated] = state === "preview" ? ["new", "changed"] : ["added", "updated"];
  const effects = [
    counts.new > 0 && `${formatNumber(counts.new)} ${added}`,
    counts.changed > 0 && `${formatNumber(counts.changed)} ${updated}`,
  ];
  return effects.filter(Boolean).join(", ") || "–";
}
