import { formatView, type View, withoutLapsed } from "../../../shared/view.ts";
import { urlOf } from "../../base-path.ts";
import { callApi } from "../../session/session-store.ts";
import { actInBackground } from "../../session/use-action.ts";
import { localToday } from "../../ui/format.ts";
import { download, downloadText } from "../../ui/page.ts";

const exportUrl = (view: View) =>
  urlOf(`/api/domains.csv?${formatView(withoutLapsed(view))}&today=${localToday()}`);

export function ExportLink({ view }: { view: View }) {
  return (
    <a className="button" href={exportUrl(view)} download>
      Export
    </a>
  );
}

export function exportView(view: View): void {
  download(exportUrl(view));
}

const TIMEOUT_MS = 60_000;

/** Downloads domains as CSV. Their ids are too many for a link. */
export function exportSelection(ids: readonly string[]): Promise<void> {
  return actInBackground("Nothing was exported.", async () => {
    const options = { method: "POST", body: { ids }, parse: String, timeout: TIMEOUT_MS };
    const csv = await callApi("/api/domains.csv", options);
    // Spreadsheets know UTF-8 by this mark, which decoding removed.
    downloadText(`\ufeff${csv}`, `domains-${localToday()}.csv`, "text/csv");
  });
}
