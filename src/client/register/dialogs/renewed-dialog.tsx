import { useState } from "react";
import { type Day, isDay } from "../../../shared/day.ts";
import { type Domain, parseDomainPage } from "../../../shared/domain.ts";
import { renewedDay } from "../../../shared/renewal.ts";
import { DEFAULT_SORT, formatView } from "../../../shared/view.ts";
import { dueDay } from "../../../shared/work.ts";
import { ActionDialog } from "../../session/action-dialog.tsx";
import { DayBox, dayFault } from "../../ui/day-box.tsx";
import {
  formatCount,
  formatDay,
  formatDomainCount,
  formatNumber,
  localToday,
} from "../../ui/format.ts";
import { listUrl } from "../domains-api.ts";
import { Loaded, useResource } from "../resource.tsx";
import { type BulkDialogProps, useBulkChange } from "./bulk-change.tsx";
import "../../common-editing.ts";

/** Domains whose new date can be changed here; more would be too many to check. */
const MAX_SHOWN = 100;

interface Props extends BulkDialogProps {
  /** The loaded domains of a target that lists ids. */
  domains?: readonly Domain[];
}

/** Shows the new dates of domains that were renewed, to be changed, and saves them together. */
export default function RenewedDialog({ target, domains, onDone, onClose }: Props) {
  const [dates, setDates] = useState<Readonly<Record<string, string>>>({});
  const [isChecked, setChecked] = useState(false);
  const view = formatView({ filter: target.filter, sort: DEFAULT_SORT });
  const page = useResource(domains ? null : listUrl(String(view), MAX_SHOWN, 0), parseDomainPage);
  const rows = (domains ?? page.value?.items)?.slice(0, MAX_SHOWN);
  const renewed = (rows ?? []).flatMap((domain) => {
    const due = dueDay(domain);
    const usual = renewedDay(domain, localToday());
    return due && usual ? [{ ...domain, due, day: dates[domain.id] ?? usual }] : [];
  });
  const kept = (rows?.length ?? 0) - renewed.length;
  const more = rows ? target.count - rows.length : 0;
  const bulk = useBulkChange(target, onDone, target.count - kept);

  function check(form: HTMLFormElement): boolean {
    setChecked(true);
    const wrong = renewed.findIndex(({ day, due }) => faultOf(day, due) !== undefined);
    if (wrong >= 0) form.querySelectorAll<HTMLElement>(".control")[wrong]?.focus();
    return wrong < 0;
  }

  function save() {
    const shown = renewed.map(({ id, day }) => [id, day] as const);
    return bulk.change({ kind: "renewed", dates: Object.fromEntries(shown) });
  }

  return (
    <ActionDialog
      heading={`Mark ${formatDomainCount(bulk.changing)} as renewed`}
      action={rows && "Mark as renewed"}
      isDirty={Object.keys(dates).length > 0}
      foot={
        <>
          {more > 0 && (
            <p>
              {formatNumber(more)} more move by their renewal period, or by a year if none is known.
            </p>
          )}
          {kept > 0 && (
            <p>{formatCount(kept, "is", "are")} left out (to drop, sold or without a date).</p>
          )}
          {rows && bulk.outcome}
        </>
      }
      check={check}
      onAction={save}
      onClose={onClose}
    >
      <Loaded of={{ ...page, value: rows }} lines={5}>
        {() => (
          <>
            <p className="note">Check the new expiry dates.</p>
            <div className="field-grid">
              {renewed.map(({ id, unicode, due, renewal, day }) => (
                <DayBox
                  key={id}
                  label={unicode}
                  hint={`Expires ${formatDay(due, "medium")}. Renewed for ${formatCount(renewal?.years ?? 1, "year")}`}
                  error={isChecked ? faultOf(day, due) : undefined}
                  value={day}
                  onChange={(typed) => setDates({ ...dates, [id]: typed })}
                />
              ))}
            </div>
          </>
        )}
      </Loaded>
    </ActionDialog>
  );
}

function faultOf(day: string, due: Day): string | undefined {
  if (isDay(day) && day > due) return undefined;
  return dayFault(day) ?? `Enter a date after ${formatDay(due)}.`;
}
