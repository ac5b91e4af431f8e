import { type ReactNode, type SubmitEvent, useRef, useState } from "react";
import { onPersonChange } from "../session/session-store.ts";
import { DropZone } from "../ui/drop-zone.tsx";
import { Field } from "../ui/field.tsx";
import { createStore } from "../ui/store.ts";
import { addUnsavedChanges } from "../ui/unsaved-changes.ts";

const PASTED_NAME = "Pasted domains.txt";

/**
 * Files on their way from home to the import screen, or to the server. They are in memory only, so
 * the page does not reload by itself meanwhile.
 */
export const pendingFiles = createStore<readonly File[]>([]);

/** Pasted text, held while its screen is left. */
export const pastedText = createStore("");

let release = () => {};
pendingFiles.watch(hold);
pastedText.watch(hold);
onPersonChange(() => {
  pendingFiles.set([]);
  pastedText.set("");
});

export function isPastedFile({ name }: File): boolean {
  return name === PASTED_NAME;
}

function hold(): void {
  release();
  const isHeld = pendingFiles.get().length > 0 || pastedText.get().trim() !== "";
  release = isHeld ? addUnsavedChanges() : () => {};
}

interface Props {
  /** The words of the zone for files. */
  label: string;
  hint: string;
  pasteHint: string;
  rows: number;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}

/** The ways to begin an import: files, or a pasted list, which becomes one. */
export function ImportWays({ label, hint, pasteHint, rows, onFiles, children }: Props) {
  const [isEmpty, setEmpty] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const text = box.current?.value ?? "";
    setEmpty(text.trim() === "");
    if (text.trim() === "") box.current?.focus();
    else onFiles([new File([text], PASTED_NAME, { type: "text/plain" })]);
  }

  return (
    <div className="ways">
      <DropZone label={label} hint={hint} onFiles={onFiles} />
      <form className="stack" onSubmit={submit}>
        <Field
          label="Or paste domains"
          hint={pasteHint}
          error={isEmpty ? "Paste at least one domain, for example example.com." : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              ref={box}
              rows={rows}
              defaultValue={pastedText.get()}
              spellCheck={false}
              autoCapitalize="none"
              onChange={({ target }) => pastedText.set(target.value)}
            />
          )}
        </Field>
        {children}
      </form>
    </div>
  );
}
