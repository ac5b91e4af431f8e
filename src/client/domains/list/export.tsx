import { formatView, type View, withoutLapsed } from "../../../shared/view.ts";
import { callApi } from "../../session/session-store.ts";
import { actInBackground, useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { localToday } from "../../ui/today.ts";

/** Downloads the view as a CSV file. */
export function ExportLink({ view }: { view: View }) {
  const path = `/api/domains.csv?${formatView(withoutLapsed(view))}&today=${localToday()}`;
  return (
    <a className="button" href={path} download>
      Export
    </a>
  );
}

/** 20,000 domains take longer than one. */
const TIMEOUT_MS = 60_000;

/** Downloads the selected domains as a CSV file. Their ids are too many for the address of a link. */
export function ExportSelection({ ids }: { ids: readonly string[] }) {
  const { run, isBusy } = useAction(() =>
    actInBackground("Nothing was exported.", async () => {
      const options = { method: "POST", body: { ids }, parse: String, timeout: TIMEOUT_MS };
      const csv = await callApi("/api/domains.csv", options);
      // Decoding took the mark away by which spreadsheets know UTF-8.
      const url = URL.createObjectURL(new Blob([`\ufeff${csv}`], { type: "text/csv" }));
      const link = document.createElement("a");
      Object.assign(link, { href: url, download: `domains-${localToday()}.csv` }).click();
      URL.revokeObjectURL(url);
    }),
  );
  return (
    <Button aria-disabled={isBusy} onClick={run}>
      Export
    </Button>
  );
}
