import { useState } from "react";
import { addDays, type Day, isDay } from "../../../shared/day.ts";
import { type Domain, parseSavedDomain } from "../../../shared/domain.ts";
import { dueDay } from "../../../shared/work.ts";
import { ActionDialog } from "../../session/action-dialog.tsx";
import { callApi } from "../../session/session-store.ts";
import { actInBackground } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { DayBox, dayFault } from "../../ui/day-box.tsx";
import { formatDay, localToday } from "../../ui/format.ts";
import { notifyUndoable, registerChanged } from "../undo.ts";
import "../../common-editing.ts";

/** How long reminders stay away by default. */
const SNOOZE_DAYS = 7;

interface Props {
  /** A domain, or in words how many. */
  of: Domain | string;
  /** For several domains: receives the day of the next reminder; null: never for this expiry. */
  onChoose?: (until: Day | null) => void;
  onClose: () => void;
}

/** Snoozes or acknowledges the reminders of an expiry, or brings them back. */
export default function HandledDialog({ of, onChoose, onClose }: Props) {
  const domain = typeof of === "string" ? null : of;
  const due = domain && dueDay(domain);
  const today = localToday();
  const last = due && addDays(due, -1);
  const week = addDays(today, SNOOZE_DAYS);
  const usual = last !== null && last < week ? last : week;
  const [day, setDay] = useState(usual);
  const [fault, setFault] = useState<string>();

  /** @param until Undefined: reminders come as usual. */
  function choose(until: Day | null | undefined) {
    onClose();
    if (domain) void handleDomain(domain, until);
    else if (until !== undefined) onChoose?.(until);
  }

  function check(): boolean {
    const isInTime = isDay(day) && day > today && (last === null || day <= last);
    const latest = last ? `, ${formatDay(last)} at the latest` : "";
    if (!isInTime) setFault(dayFault(day) ?? `Enter a date after today${latest}.`);
    return isInTime;
  }

  return (
    <ActionDialog
      heading={`Reminders for ${domain?.unicode ?? of}`}
      action="Snooze"
      isDirty={day !== usual}
      buttons={
        <>
          {domain?.handled && <Button onClick={() => choose(undefined)}>Remind me as usual</Button>}
          <Button onClick={() => choose(null)}>No more reminders</Button>
        </>
      }
      check={check}
      onAction={() => choose(day)}
      onClose={onClose}
    >
      <DayBox label="Remind me again on" error={fault} value={day} onChange={setDay} />
      <p>You are still reminded the day before expiry, on the day, and the day after.</p>
    </ActionDialog>
  );
}

function handleDomain({ id, unicode }: Domain, until: Day | null | undefined) {
  return actInBackground(`${unicode} was not changed.`, async () => {
    const request = until === undefined ? { method: "DELETE" } : { method: "PUT", body: { until } };
    const options = { ...request, parse: parseSavedDomain };
    const { operation } = await callApi(`/api/domains/${id}/handled`, options);
    notifyUndoable(describeHandled(unicode, until), operation);
    registerChanged();
  });
}

/** What happened to reminders, in a sentence; undefined: they come as usual. */
export function describeHandled(what: string, until: Day | null | undefined): string {
  if (until === undefined) return `Reminders for ${what} come as usual.`;
  if (until === null) return `You acknowledged ${what}: no reminders until the day before expiry.`;
  return `You will be reminded of ${what} on ${formatDay(until)}.`;
}
