import { type SubmitEvent, useState } from "react";
import { addDays, type Day, isDay } from "../../shared/day.ts";
import { type Domain, parseSavedDomain } from "../../shared/domain.ts";
import { dueDay } from "../../shared/work.ts";
import { Button } from "../ui/button.tsx";
import { DayBox, dayFault, dayHint } from "../ui/day-box.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import "../common-editing.ts";
import "./done-dialog.css";
import { Field } from "../ui/field.tsx";
import { formatDay } from "../ui/format.ts";
import { localToday } from "../ui/today.ts";
import { describeHandled } from "./handled.ts";
import { callApi } from "../session/session-store.ts";
import { actInBackground } from "../session/use-action.ts";
import { notifyUndoable, registerChanged } from "./undo.ts";

/** How long reminders stay away unless another day is chosen. */
const SNOOZE_DAYS = 7;

interface Props {
  /** A domain, or in words how many. */
  of: Domain | string;
  /** Receives the day to be reminded on again; null: never of this expiry. For several domains. */
  onChoose?: (until: Day | null) => void;
  onClose: () => void;
}

/** Puts the reminders of an expiry off until a day, or for good, or lets them come again. */
export default function HandledDialog({ of, onChoose, onClose }: Props) {
  const domain = typeof of === "string" ? null : of;
  const due = domain && dueDay(domain);
  const today = localToday();
  const last = due && addDays(due, -1);
  const week = addDays(today, SNOOZE_DAYS);
  const usual = last !== null && last < week ? last : week;
  const [day, setDay] = useState(usual);
  const [fault, setFault] = useState<string>();

  /** Undefined: reminders come as usual. */
  function choose(until: Day | null | undefined) {
    onClose();
    if (domain) void handleDomain(domain, until);
    else if (until !== undefined) onChoose?.(until);
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (isDay(day) && day > today && (last === null || day <= last)) choose(day);
    else
      setFault(
        dayFault(day) ??
          `Enter a date after today${last ? `, ${formatDay(last)} at the latest` : ""}.`,
      );
  }

  return (
    <Dialog
      heading={`Reminders for ${domain?.unicode ?? of}`}
      isDirty={day !== usual}
      onClose={onClose}
    >
      <form className="done-form" onSubmit={submit}>
        <Field label="Remind me again on" hint={dayHint(day)} error={fault}>
          {(control) => <DayBox {...control} value={day} onChange={setDay} />}
        </Field>
        <p>You are still reminded the day before expiry, on the day, and the day after.</p>
        <DialogActions>
          {domain?.handled && <Button onClick={() => choose(undefined)}>Remind me as usual</Button>}
          <Button onClick={() => choose(null)}>No more reminders</Button>
          <Button type="submit" look="primary">
            Remind me then
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
