import { type MouseEvent, useRef, useState } from "react";
import { formatView, type View } from "../../../shared/view.ts";
import { explain, failedResponse } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { localToday } from "../../ui/today.ts";
import { Notice } from "../../ui/notice.tsx";
import { notify } from "../../ui/notifications.ts";
import { checkExport, exportDomains } from "../../register/domains-api.ts";

/**
 * Downloads the view as a CSV file. A browser would save an error response as if it were the file,
 * so a HEAD request comes first; an expired session then shows the sign-in form.
 */
export function ExportLink({ view }: { view: View }) {
  const path = `/api/domains.csv?${formatView(view)}&today=${localToday()}`;
  const [failure, setFailure] = useState<unknown>();
  const state = useRef<"idle" | "checking" | "granted">("idle");

  async function onClick(event: MouseEvent<HTMLAnchorElement>) {
    const { currentTarget: link, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (state.current === "granted" || altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    if (state.current === "checking") return;
    state.current = "checking";
    setFailure(undefined);
    try {
      await checkExport(path).catch((error: unknown) => {
        // A backend of one's own may not support HEAD: then the file is requested without a check.
        const { status = 0 } = failedResponse(error);
        if (![405, 501].includes(status)) throw error;
      });
      state.current = "granted";
      link.click();
    } catch (error) {
      // After a 401 the sign-in form replaces this screen until the session is renewed.
      if (failedResponse(error).status !== 401) setFailure(error);
    } finally {
      state.current = "idle";
    }
  }

  return (
    <>
      <a className="button" href={path} download onClick={onClick}>
        Export
      </a>
      {failure !== undefined && <Notice>Nothing was exported. {explain(failure)}</Notice>}
    </>
  );
}

/** Downloads the selected domains as a CSV file. Their ids are too many for the address of a link. */
export function ExportSelection({ ids }: { ids: readonly string[] }) {
  const [busy, setBusy] = useState(false);

  async function download() {
    if (busy) return;
    setBusy(true);
    try {
      const url = URL.createObjectURL(await exportDomains(ids));
      const link = document.createElement("a");
      Object.assign(link, { href: url, download: `domains-${localToday()}.csv` }).click();
      URL.revokeObjectURL(url);
    } catch (error) {
      notify({ text: `Nothing was exported. ${explain(error)}` });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button aria-disabled={busy} onClick={() => void download()}>
      Export
    </Button>
  );
}
