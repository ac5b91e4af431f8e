import { type ComponentProps, useEffect, useState } from "react";
import { type Import, parseImport } from "../../shared/import.ts";
import { urlOf } from "../base-path.ts";
import type { HttpOptions } from "../http.ts";
import { ConfirmButton } from "../session/action-dialog.tsx";
import { callApi } from "../session/session-store.ts";
import type { Button } from "../ui/button.tsx";
import { formatCount, formatDomainCount } from "../ui/format.ts";

export const IMPORTS = "/api/imports";
/** For calls that work through a whole file. */
const IMPORT_TIMEOUT_MS = 300_000;

export function importPath(id: string): string {
  return `${IMPORTS}/${encodeURIComponent(id)}`;
}

export function changeImport(path: string, options: HttpOptions<Import>): Promise<Import> {
  return callApi(path, { timeout: IMPORT_TIMEOUT_MS, parse: parseImport, ...options });
}

export function readImport(id: string): Promise<Import> {
  return callApi(importPath(id), { parse: parseImport });
}

export function LeftOutLink({ done: { id, counts } }: { done: Import }) {
  if (counts.duplicate + counts.invalid + counts.skipped === 0) return null;
  return (
    <p>
      <a href={urlOf(`/api/imports/${id}/left-out.csv`)} download>
        Download the rows that were left out
      </a>
    </p>
  );
}

interface UndoProps extends ComponentProps<typeof Button> {
  label: string;
  done: Import;
  onUndone: (undone: Import) => void;
}

export function UndoImport({ label, done: { fileName, id }, onUndone, ...button }: UndoProps) {
  return (
    <ConfirmButton
      {...button}
      label={label}
      heading={`Undo ${fileName}?`}
      action="Undo import"
      busyAction="Undoing…"
      onConfirm={async () =>
        onUndone(await changeImport(`${importPath(id)}/undo`, { method: "POST" }))
      }
    >
      <UndoEffects id={id} />
    </ConfirmButton>
  );
}

/** What an undo would do now: `This removes 53 domains. 29 domains keep edits made since then.` */
function UndoEffects({ id }: { id: string }) {
  const [undo, setUndo] = useState<Import["undo"]>();
  useEffect(() => {
    const foretold = changeImport(`${importPath(id)}/undo/foretell`, { method: "POST" });
    foretold.then((read) => setUndo(read.undo)).catch(() => undefined);
  }, [id]);
  if (!undo) return "Edits made since then stay.";
  const { removed, restored, kept } = undo;
  const effects = [
    removed > 0 && `removes ${formatDomainCount(removed)}`,
    restored > 0 && `restores ${formatDomainCount(restored)}`,
  ].filter(Boolean);
  const effect = `This ${effects.join(" and ") || "changes nothing"}.`;
  if (kept.length === 0) return effect;
  return `${effect} ${formatCount(kept.length, "domain keeps", "domains keep")} edits made since then.`;
}
