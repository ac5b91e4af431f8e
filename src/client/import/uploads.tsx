import { useEffect, useEffectEvent, useState } from "react";
import { Link } from "wouter";
import { type Import, parseUpload } from "../../shared/import.ts";
import { explain, failedResponse } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { isPastedFile, pastedText, pendingFiles } from "../register/pending-import.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { formatCount, formatNumber } from "../ui/format.ts";
import { changeImport, IMPORTS } from "./import-actions.tsx";
import { firstStepHref } from "./steps.tsx";

/** The imports of the files that were chosen together last, since the page was loaded. */
let together: ReadonlySet<string> = new Set();

export function wereChosenTogether(id: string, other: string): boolean {
  return id !== other && together.has(id) && together.has(other);
}

/** A file that becomes an import: waiting, uploading, being read, added, or refused. */
interface Upload {
  /** Distinguishes uploads of the same file. */
  id: number;
  file: File;
  isStored: boolean;
  added: Import | null;
  error: unknown;
}

/** Uploads files one by one, as long as the screen is there. `onDone` gets the first import of all. */
export function useUploads(onDone: (first: Import) => void) {
  // Files from the home screen.
  const [uploads, setUploads] = useState(() => pendingFiles.get().map(toUpload));
  const running = uploads.find(isRunning)?.file;
  const finish = useEffectEvent(onDone);

  useEffect(() => {
    pendingFiles.set(uploads.filter(isPending).map(({ file }) => file));
    const added = uploads.flatMap((upload) => upload.added ?? []);
    if (!added[0] || added.length < uploads.length) return;
    together = new Set(added.map(({ id }) => id));
    finish(added[0]);
  }, [uploads]);

  useEffect(() => {
    if (!running) return undefined;
    const update = (changed: Partial<Upload>) =>
      setUploads((now) =>
        now.map((each) => (each.file === running ? { ...each, ...changed } : each)),
      );
    const controller = new AbortController();
    addImport(running, controller.signal, () => update({ isStored: true }))
      .then((added) => {
        if (isPastedFile(running)) pastedText.set("");
        return update({ added });
      })
      .catch((error: unknown) => {
        // After a 401, the file is uploaded again once the person has signed in.
        const signedOut = failedResponse(error).status === 401;
        if (!controller.signal.aborted && !signedOut) update({ error });
      });
    return () => controller.abort();
  }, [running]);

  return {
    uploads,
    add: (files: readonly File[]) =>
      setUploads((now) => [
        ...now.filter((each) => each.added ?? isPending(each)),
        ...files.map(toUpload),
      ]),
    /** After the others, so that no running upload is aborted. */
    retry: (file: File) =>
      setUploads((now) => [...now.filter((each) => each.file !== file), toUpload(file)]),
    remove: (file: File) => setUploads((now) => now.filter((each) => each.file !== file)),
  };
}

export function UploadList({ uploads, retry, remove }: ReturnType<typeof useUploads>) {
  const running = uploads.find(isRunning);
  if (uploads.length === 0) return null;
  return (
    <ul className="list" aria-label="Uploads">
      {uploads.map((upload) => {
        const { id, file, isStored, added, error } = upload;
        const title = `“${file.name}” (${formatBytes(file.size)})`;
        return (
          <li key={id}>
            {error !== undefined ? (
              <Notice>
                <span>
                  {title} could not be imported. {explainUpload(error)}
                </span>
                <Button onClick={() => remove(file)}>Choose another file</Button>
                <Button onClick={() => retry(file)}>Try again</Button>
              </Notice>
            ) : (
              <div className="row">
                <output>
                  {added && `${title} is ready.`}
                  {!added && upload !== running && `${title} is waiting.`}
                  {upload === running && `${isStored ? "Reading" : "Uploading"} ${title}…`}
                </output>
                {added && (
                  <Link
                    href={firstStepHref(added)}
                    className="button"
                    aria-label={`Review ${file.name}`}
                  >
                    Review
                  </Link>
                )}
                {/* Indeterminate: browsers do not report how much of a `fetch` body has been sent. */}
                {upload === running && <progress aria-label={`Importing ${file.name}`} />}
                {!added && <Button onClick={() => remove(file)}>Cancel</Button>}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Uploads a file and starts an import. `onStored`: the server has it and begins to read it. */
async function addImport(file: File, signal: AbortSignal, onStored: () => void): Promise<Import> {
  const body = new FormData();
  body.append("file", file);
  const options = { method: "POST", body, signal, parse: parseUpload };
  const { uploadId } = await callApi("/api/upload/post", options);
  onStored();
  return changeImport(IMPORTS, { method: "POST", body: { uploadId }, signal });
}

let lastId = 0;

function toUpload(file: File): Upload {
  lastId += 1;
  return { id: lastId, file, isStored: false, added: null, error: undefined };
}

function isRunning({ added, error }: Upload): boolean {
  return added === null && error === undefined;
}

/** A refused file is not uploaded again by itself. */
function isPending(upload: Upload): boolean {
  return isRunning(upload) || failedResponse(upload.error).status === 0;
}

function explainUpload(error: unknown): string {
  const { status, problem } = failedResponse(error);
  if (status !== 413) return explain(error);
  const limit = /(\d+) bytes/.exec(problem?.detail ?? "")?.[1];
  if (limit === undefined) return "It is larger than this server accepts.";
  return `This server accepts files of up to ${formatBytes(Number(limit))}.`;
}

/** Formats a number of bytes in decimal units, such as `812 bytes` or `1.2 MB`. */
function formatBytes(bytes: number): string {
  if (bytes < 1000) return formatCount(bytes, "byte");
  const [unit, size] = bytes < 1_000_000 ? (["kB", 1000] as const) : (["MB", 1_000_000] as const);
  return `${formatNumber(Math.round((bytes / size) * 10) / 10)} ${unit}`;
}
