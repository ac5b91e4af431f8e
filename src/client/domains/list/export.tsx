import { formatView, type View } from "../../../shared/view.ts";
import { actInBackground, useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { localToday } from "../../ui/today.ts";
import { exportDomains } from "../../register/domains-api.ts";

/** Downloads the view as a CSV file. */
export function ExportLink({ view }: { view: View }) {
  const path = `/api/domains.csv?${formatView(view)}&today=${localToday()}`;
  return (
    <a className="button" href={path} download>
      Export
    </a>
  );
}

/** Downloads the selected domains as a CSV file. Their ids are too many for the address of a link. */
export function ExportSelection({ ids }: { ids: readonly string[] }) {
  const { run, isBusy } = useAction(() =>
    actInBackground("Nothing was exported.", async () => {
      const url = URL.createObjectURL(await exportDomains(ids));
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
