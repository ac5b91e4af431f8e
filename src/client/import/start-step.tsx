import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Import } from "../../shared/import-contract.ts";
import { isPasted, keepPasted, readPasted, toPastedFile } from "../session/pasted-names.ts";
import {
  dropPendingImport,
  keepPendingImport,
  readLostImport,
  readPendingImport,
  restorePendingImport,
} from "../session/pending-import.ts";
import { Button } from "../ui/button.tsx";
import { DropZone } from "../ui/drop-zone.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { EarlierImports } from "./earlier-imports.tsx";
import { Sending } from "./sending.tsx";

/** First step: a file or a list of names, and what was imported before. */
export function StartStep({ onImported }: { onImported: (added: Import) => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [pasted, setPasted] = useState(readPasted);
  const [empty, setEmpty] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [lost, setLost] = useState<string | null>(null);
  const sources = useRef<HTMLDivElement>(null);

  function send(chosen: File) {
    setFile(chosen);
    setLost(null);
    setAttempt((before) => before + 1);
    keepPendingImport(chosen);
  }

  // Whoever leaves while a file is on its way finds it on its way again.
  const resume = useEffectEvent(() => {
    const waiting = readPendingImport();
    if (waiting && waiting !== file) send(waiting);
    else if (!file) setLost(readLostImport());
  });
  useEffect(() => {
    let here = true;
    void restorePendingImport().then(() => here && resume());
    return () => void (here = false);
  }, []);

  function stop() {
    dropPendingImport();
    setFile(null);
    sources.current?.querySelector("input")?.focus();
  }

  function paste(text: string) {
    setPasted(text);
    keepPasted(text);
  }

  function take(added: Import) {
    dropPendingImport();
    if (file && isPasted(file)) keepPasted("");
    onImported(added);
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const none = pasted.trim() === "";
    setEmpty(none);
    if (!none) send(toPastedFile(pasted));
  }

  return (
    <>
      {file && (
        <Sending
          key={attempt}
          file={file}
          onTaken={take}
          onRefused={dropPendingImport}
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
