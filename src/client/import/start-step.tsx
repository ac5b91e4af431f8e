import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { HttpError } from "../http.ts";
import type { Import } from "../../shared/import.ts";
import { explain } from "../session/failure.tsx";
import {
  isPastedFile,
  readPastedText,
  readPendingImport,
  setPastedText,
  setPendingImport,
  toPastedFile,
} from "../session/pending-import.ts";
import { Button } from "../ui/button.tsx";
import { DropZone } from "../ui/drop-zone.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { EarlierImports } from "./earlier-imports.tsx";
import { addImport } from "./import-api.ts";

/** First step: a file or a pasted list, and the earlier imports. */
export function StartStep({ onImported }: { onImported: (added: Import) => void }) {
  // The home screen leaves its file here, and an upload that was cut off by leaving starts again.
  const [file, setFile] = useState(readPendingImport);
  const [pasted, setPasted] = useState(readPastedText);
  const [empty, setEmpty] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const sources = useRef<HTMLDivElement>(null);

  function upload(chosen: File) {
    setFile(chosen);
    setAttempt((before) => before + 1);
    setPendingImport(chosen);
  }

  function cancel() {
    setPendingImport(null);
    setFile(null);
    sources.current?.querySelector("input")?.focus();
  }

  function paste(text: string) {
    setPasted(text);
    setPastedText(text);
  }

  function finish(added: Import) {
    setPendingImport(null);
    if (file && isPastedFile(file)) setPastedText("");
    onImported(added);
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const isEmpty = pasted.trim() === "";
    setEmpty(isEmpty);
    if (!isEmpty) upload(toPastedFile(pasted));
  }

  return (
    <>
      {file && (
        // When the pressed button goes, the focus moves to the next one in this element.
        <div>
          <Upload
            key={attempt}
            file={file}
            onDone={finish}
            onRetry={() => upload(file)}
            onCancel={cancel}
          />
        </div>
      )}
      <div className="import-sources" ref={sources}>
        <DropZone
          label="Drop a file here, or choose one"
          hint="A CSV or text export from any registrar"
          onFile={upload}
        />
        <form className="import-paste" onSubmit={submit}>
          <Field
            label="Or paste domains"
            hint="One per line, or rows copied from a spreadsheet"
            error={empty ? "Paste at least one domain, for example example.com." : undefined}
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
          <Button type="submit">Continue</Button>
        </form>
      </div>
      <EarlierImports />
    </>
  );
}

/** Uploads a file once and shows the progress or the failure. Leaving the screen aborts it. */
function Upload({
  file,
  onDone,
  onRetry,
  onCancel,
}: {
  file: File;
  onDone: (added: Import) => void;
  onRetry: () => void;
  onCancel: () => void;
}) {
  const [uploaded, setUploaded] = useState(false);
  const [error, setError] = useState<unknown>();
  const finish = useEffectEvent(onDone);

  useEffect(() => {
    const controller = new AbortController();
    addImport(file, controller.signal, () => setUploaded(true))
      .then((added) => controller.signal.aborted || finish(added))
      .catch((problem: unknown) => {
        // With 401 the sign-in form comes, and the file is uploaded again after it.
        const signedOut = problem instanceof HttpError && problem.status === 401;
        if (controller.signal.aborted || signedOut) return;
        setError(problem);
        const unanswered =
          problem instanceof HttpError &&
          (problem.kind === "network" || problem.kind === "timeout");
        // A file that the server refused is not uploaded again by itself.
        if (!unanswered) setPendingImport(null);
      });
    return () => controller.abort();
  }, [file]);

  const title = `“${file.name}” (${formatBytes(file.size)})`;
  if (error !== undefined) {
    return (
      <Notice>
        <span>
          {title} could not be imported. {explainUpload(error)}
        </span>
        <Button onClick={onCancel}>Choose another file</Button>
        <Button onClick={onRetry}>Try again</Button>
      </Notice>
    );
  }
  return (
    <div className="import-upload">
      <output>{uploaded ? `Reading ${title}…` : `Uploading ${title}…`}</output>
      {/* Indeterminate: browsers do not report how much of a `fetch` body has been sent. */}
      <progress aria-label={uploaded ? "Reading the file" : "Uploading the file"} />
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  );
}

function explainUpload(error: unknown): string {
  if (!(error instanceof HttpError) || error.status !== 413) return explain(error);
  const limit = /(\d+) bytes/.exec(error.problem?.detail ?? "")?.[1];
  if (limit === undefined) return "It is larger than this server accepts.";
  return `This server accepts files of up to ${formatBytes(Number(limit))}.`;
}

/** Formats a number of bytes in decimal units, such as `812 bytes` or `1.2 MB`. */
function formatBytes(bytes: number): string {
  const [unit, size] =
    bytes < 1000
      ? (["byte", 1] as const)
      : bytes < 1_000_000
        ? (["kilobyte", 1000] as const)
        : (["megabyte", 1_000_000] as const);
  return (bytes / size).toLocaleString(undefined, {
    style: "unit",
    unit,
    unitDisplay: size === 1 ? "long" : "short",
    maximumFractionDigits: 1,
  });
}
