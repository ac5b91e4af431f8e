import { type SubmitEvent, useState } from "react";
import { type Day, isDay } from "../../shared/day.ts";
import { type Domain, parseDomainPage } from "../../shared/domain.ts";
import type { BulkResult } from "../../shared/register.ts";
import { DEFAULT_SORT, formatView } from "../../shared/view.ts";
import { renewedDay } from "../../shared/renewal.ts";
import { dueDay } from "../../shared/work.ts";
import { explain } from "../session/failure.tsx";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { DayBox, dayFault } from "../ui/day-box.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { formatDay, formatDomainCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { formatNumber } from "../ui/number.ts";
import { localToday } from "../ui/today.ts";
import { useBulkChange } from "./bulk-change.tsx";
import { type BulkTarget, listUrl } from "./domains-api.ts";
import { Loaded } from "./loaded.tsx";
import { useResource } from "./resource.ts";
import "../common-editing.ts";

/** Domains whose new date can be changed here; more than this nobody goes through. */
const MAX_SHOWN = 100;

interface Props {
  target: BulkTarget;
  /** Of a target that lists ids, those that are loaded. */
  domains?: readonly Domain[];
  onDone: (result: BulkResult) => void;
  onClose: () => void;
}

/** Shows when some domains expire that were renewed, each date to be changed, and saves that at once. */
export default function RenewedDialog({ target, domains, onDone, onClose }: Props) {
  const [dates, setDates] = useState<Readonly<Record<string, string>>>({});
  const view = formatView({ filter: target.filter, sort: DEFAULT_SORT });
  const page = useResource(domains ? null : listUrl(String(view), MAX_SHOWN, 0), parseDomainPage);
  const bulk = useBulkChange(target, onDone);
  const form = (rows: readonly Domain[]) => (
    <RenewedForm
      rows={rows.slice(0, MAX_SHOWN)}
      bulk={bulk}
      dates={dates}
      onDate={(id, day) => setDates({ ...dates, [id]: day })}
    />
  );
  return (
    <Dialog
      heading={`Mark ${bulk.domains} as renewed`}
      isDirty={Object.keys(dates).length > 0}
      onClose={onClose}
    >
      {domains ? (
        form(domains)
      ) : (
        <Loaded of={page} lines={5}>
          {({ items }) => form(items)}
        </Loaded>
      )}
    </Dialog>
  );
}

interface FormProps {
  rows: readonly Domain[];
  bulk: ReturnType<typeof useBulkChange>;
  /** What was typed, by the ids of domains. */
  dates: Readonly<Record<string, string>>;
  onDate: (id: string, day: string) => void;
}

function RenewedForm({ rows, bulk, dates, onDate }: FormProps) {
  const [isChecked, setChecked] = useState(false);
  const { run, isBusy, error } = useAction(bulk.change);
  const renewed = rows.flatMap((domain) => {
    const due = dueDay(domain);
    const usual = renewedDay(domain, localToday());
    return due && usual ? [{ ...domain, due, day: dates[domain.id] ?? usual }] : [];
  });
  const kept = rows.length - renewed.length;
  const more = bulk.count - rows.length;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setChecked(true);
    const wrong = renewed.findIndex(({ day, due }) => faultOf(day, due) !== undefined);
    if (wrong >= 0) {
      event.currentTarget.querySelectorAll<HTMLElement>(".control")[wrong]?.focus();
    } else {
      const shown = renewed.map(({ id, day }) => [id, day] as const);
      void run({ kind: "renewed", dates: Object.fromEntries(shown) });
    }
  }

  return (
    <form className="stack" onSubmit={submit}>
      <p className="note">Check the new expiry dates.</p>
      <div className="field-grid">
        {renewed.map(({ id, unicode, due, renewal, day }) => (
          <Field
            key={id}
            label={unicode}
            hint={`Until now ${formatDay(due, "medium")}, renews for ${inYears(renewal?.years ?? 1)}`}
            error={isChecked ? faultOf(day, due) : undefined}
          >
            {(control) => (
              <DayBox {...control} value={day} onChange={(value) => onDate(id, value)} />
            )}
          </Field>
        ))}
      </div>
      <div className="dialog-foot">
        {more > 0 && (
          <p>
            {formatNumber(more)} more move by their renewal period, or by a year where none is
            known.
          </p>
        )}
        {kept > 0 && (
          <p>
            {formatDomainCount(kept)} {kept === 1 ? "stays as it is" : "stay as they are"}: sold, to
            be dropped or without an expiry date.
          </p>
        )}
        {bulk.outcome}
        {error !== undefined && <Notice>{explain(error)}</Notice>}
        <DialogActions>
          <Button type="submit" look="primary" aria-disabled={isBusy}>
            Mark as renewed
          </Button>
        </DialogActions>
      </div>
    </form>
  );
}

function inYears(years: number): string {
  return years === 1 ? "1 year" : `${years} years`;
}

function faultOf(day: string, due: Day): string | undefined {
  if (isDay(day) && day > due) return undefined;
  return dayFault(day) ?? `Enter a date after ${formatDay(due)}.`;
}
