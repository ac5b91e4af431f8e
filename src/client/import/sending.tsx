import { useEffect, useEffectEvent, useRef, useState } from "react";
import { HttpError } from "../http.ts";
import type { Import } from "../../shared/import-contract.ts";
import { explain } from "../session/explain.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { addImport } from "./import-api.ts";
import { sizeInWords } from "./size-in-words.ts";

interface Props {
  file: File;
  onTaken: (added: Import) => void;
  /** The server does not want it. */
  onRefused: () => void;
  onRetry: () => void;
  /** The file is given up. */
  onStop: () => void;
}

/** Sends a file once, and says how that goes; leaving calls it off. */
export function Sending({ file, onTaken, onRefused, onRetry, onStop }: Props) {
  const [sent, setSent] = useState(false);
  const [error, setError] = useState<unknown>();
  const take = useEffectEvent(onTaken);
  const fail = useEffectEvent((problem: unknown) => {
    setError(problem);
    // One that did not get there is still on its way: so it ends when the page is loaded anew.
    const { kind } = problem instanceof HttpError ? problem : {};
    if (kind !== "network" && kind !== "timeout") onRefused();
  });

  useEffect(() => {
    const leaving = new AbortController();
    addImport(file, leaving.signal, () => setSent(true))
      .then((added) => leaving.signal.aborted || take(added))
      .catch((problem: unknown) => {
        // With 401 the sign-in form comes, and the file is sent again after it.
        const signedOut = problem instanceof HttpError && problem.status === 401;
        if (!leaving.signal.aborted && !signedOut) fail(problem);
      });
    return () => leaving.abort();
  }, [file]);

  const what = `“${file.name}” (${sizeInWords(file.size)})`;
  return error === undefined ? (
    <Progress what={what} sent={sent} onStop={onStop} />
  ) : (
    <NotTaken what={what} error={error} onRetry={onRetry} onStop={onStop} />
  );
}

/**
 * The bar shows no share: a browser tells nobody how much of a `fetch` body it has sent, and a
 * made-up share would be a lie.
 */
function Progress({ what, sent, onStop }: { what: string; sent: boolean; onStop: () => void }) {
  return (
    <div className="import-sending">
      <output>{sent ? `Reading ${what}…` : `Sending ${what}…`}</output>
      <progress aria-label={sent ? "Reading the file" : "Sending the file"} />
      <Button onClick={onStop}>Cancel</Button>
    </div>
  );
}

function NotTaken({
  what,
  error,
  onRetry,
  onStop,
}: { what: string; error: unknown } & Pick<Props, "onRetry" | "onStop">) {
  const first = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    // The button that had the focus is gone, if it was there.
    if (document.activeElement === document.body) first.current?.focus();
  }, []);

  return (
    <Notice>
      <span>
        {what} was not taken. {explainFile(error)}
      </span>
      <Button ref={first} onClick={onStop}>
        Use something else
      </Button>
      <Button onClick={onRetry}>Try again</Button>
    </Notice>
  );
}

function explainFile(error: unknown): string {
  if (!(error instanceof HttpError) || error.status !== 413) return explain(error);
  const detail = error.problem?.detail ?? "";
  const readable = detail.replace(/\d+ bytes/, (bytes) => sizeInWords(Number.parseInt(bytes, 10)));
  return `It is larger than this server takes. ${readable}`.trim();
}
