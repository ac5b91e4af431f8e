import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Import } from "../../import-contract.ts";
import { takePendingImport } from "../../session/pending-import.ts";
import { Button } from "../../ui/button.tsx";
import { DropZone } from "../../ui/drop-zone.tsx";
import { Field } from "../../ui/field.tsx";
import { EarlierImports } from "./earlier-imports.tsx";
import { keepPasted, readPasted } from "./pasted-names.ts";
import { Sending } from "./sending.tsx";

/** What pasted text is called in the list of imports. */
const PASTED = "Pasted names.txt";

/** First step: a file or a list of names, and what was imported before. */
export function StartStep({ onImported }: { onImported: (added: Import) => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [pasted, setPasted] = useState(readPasted);
  const [empty, setEmpty] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const sources = useRef<HTMLDivElement>(null);

  function send(chosen: File) {
    setFile(chosen);
    setAttempt((before) => before + 1);
  }

  const sendPending = useEffectEvent(() => {
    const waiting = takePendingImport();
    if (waiting) send(waiting);
  });
  useEffect(() => queueMicrotask(() => sendPending()), []);

  function stop() {
    setFile(null);
    sources.current?.querySelector("input")?.focus();
  }

  function paste(text: string) {
    setPasted(text);
    keepPasted(text);
  }

  function take(added: Import) {
    if (file?.name === PASTED) keepPasted("");
    onImported(added);
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const none = pasted.trim() === "";
    setEmpty(none);
    if (!none) send(new File([pasted], PASTED, { type: "text/plain" }));
  }

  return (
    <>
      {file && (
        <Sending
          key={attempt}
          file={file}
          onTaken={take}
          onRetry={() => send(file)}
          onStop={stop}
        />
      )}
      <div className="import-sources" ref={sources}>
        <DropZone
          label="Drop a file here, or choose one"
          hint="The export of any registrar, as CSV or text"
          onFile={send}
        />
        <form className="import-paste" onSubmit={submit}>
          <Field
            label="Or paste names"
            hint="One to a line, or rows copied from a table"
            error={empty ? "Paste at least one name, such as example.com." : undefined}
          >
            {(control) => (
              <textarea
                {...control}
                rows={4}
                value={pasted}
                spellCheck={false}
                autoCapitalize="none"
                onChange={({ target }) => paste(target.value)}
              />
            )}
          </Field>
          <Button type="submit">Read these names</Button>
        </form>
      </div>
      <EarlierImports />
    </>
  );
}
