import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Import } from "../../import-contract.ts";
import { holdPage } from "../../session/hold-page.ts";
import { keepPendingImport, takePendingImport } from "../../session/pending-import.ts";
import { Button } from "../../ui/button.tsx";
import { DropZone } from "../../ui/drop-zone.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { keepTab, readTab } from "../../tab-store.ts";
import { EarlierImports } from "./earlier-imports.tsx";
import { keepPasted, readPasted } from "./pasted-names.ts";
import { Sending } from "./sending.tsx";

/** What pasted text is called in the list of imports. */
const PASTED = "Pasted names.txt";
/** Where this tab keeps the name of the file that is on its way. */
const SENDING = "import-sending";

/** First step: a file or a list of names, and what was imported before. */
export function StartStep({ onImported }: { onImported: (added: Import) => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [pasted, setPasted] = useState(readPasted);
  const [empty, setEmpty] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [lost, setLost] = useState<string | null>(null);
  const sources = useRef<HTMLDivElement>(null);
  /** The file that is on its way. */
  const sending = useRef<File>(null);

  function send(chosen: File) {
    setFile(chosen);
    setLost(null);
    setAttempt((before) => before + 1);
    sending.current = chosen;
    keepTab(SENDING, chosen.name === PASTED ? null : chosen.name);
  }

  function settle() {
    sending.current = null;
    keepTab(SENDING, null);
  }

  // Whoever leaves while a file is on its way finds it on its way again; only a reload loses it.
  const resume = useEffectEvent(() => {
    const waiting = takePendingImport();
    if (waiting && waiting !== file) send(waiting);
    else if (!file) setLost(readTab(SENDING));
  });
  useEffect(() => {
    const release = holdPage(() => sending.current !== null);
    queueMicrotask(() => resume());
    return () => {
      release();
      if (sending.current) keepPendingImport(sending.current);
    };
  }, []);

  function stop() {
    settle();
    setFile(null);
    sources.current?.querySelector("input")?.focus();
  }

  function paste(text: string) {
    setPasted(text);
    keepPasted(text);
  }

  function take(added: Import) {
    settle();
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
          onFailed={settle}
          onRetry={() => send(file)}
          onStop={stop}
        />
      )}
      {lost !== null && (
        <Notice tone="warn">
          “{lost}” was on its way when this page was left. Choose it once more, unless it is among
          the earlier imports.
        </Notice>
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
