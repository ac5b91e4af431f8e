import { type MouseEvent, useRef, useState } from "react";
import { HttpError } from "../http.ts";
import { explain } from "../session/failure.tsx";
import { Notice } from "../ui/notice.tsx";
import { checkExport } from "./register-api.ts";

/** A backend of one's own that knows no HEAD here is simply asked for the file. */
const NO_HEAD = new Set([405, 501]);

/**
 * Downloads what the list shows. A browser would save a refusal as if it were the file: whether
 * there is one is asked first, and a session that has ended brings the sign-in form.
 */
export function ExportLink({ path }: { path: string }) {
  const [failure, setFailure] = useState<unknown>();
  const state = useRef<"idle" | "asking" | "granted">("idle");

  async function ask(event: MouseEvent<HTMLAnchorElement>) {
    const { currentTarget: link, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (state.current === "granted" || altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    if (state.current === "asking") return;
    state.current = "asking";
    setFailure(undefined);
    try {
      await checkExport(path).catch((error: unknown) => {
        if (!(error instanceof HttpError && NO_HEAD.has(error.status))) throw error;
      });
      state.current = "granted";
      link.click();
    } catch (error) {
      // With 401 the sign-in form comes: there is nothing to say.
      if (!(error instanceof HttpError && error.status === 401)) setFailure(error);
    } finally {
      state.current = "idle";
    }
  }

  return (
    <>
      <a className="button quiet" href={path} download onClick={ask}>
        Export
      </a>
      {failure !== undefined && <Notice>Nothing was exported. {explain(failure)}</Notice>}
    </>
  );
}
