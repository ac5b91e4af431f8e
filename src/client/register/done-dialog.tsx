import { type SubmitEvent, useState } from "react";
import { type Day, isDay } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import { renewedDay } from "../../shared/renewal.ts";
import { dueDay } from "../../shared/work.ts";
import { Button } from "../ui/button.tsx";
import { DayBox, dayFault, dayHint } from "../ui/day-box.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { formatDay } from "../ui/format.ts";
import { localToday } from "../ui/today.ts";
import "../common-editing.ts";
import "./done-dialog.css";

interface Props {
  domain: Domain;
  /** Receives the new expiry date; null: the next import shows it. */
  onDone: (expires: Day | null) => void;
  onClose: () => void;
}

/** Asks for the expiry date of a domain that was renewed or transferred. */
export default function DoneDialog({ domain, onDone, onClose }: Props) {
  // An expired domain needs a new date: nothing else ends the alarm.
  const known = dueDay(domain) ?? "";
  const isExpired = known < localToday();
  // One to be dropped was transferred or renewed all the same.
  const usual = renewedDay({ ...domain, decision: null }, localToday()) ?? "";
  const [day, setDay] = useState(usual);
  const [fault, setFault] = useState<string>();

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (isDay(day) && day > known) onDone(day);
    else setFault(dayFault(day) ?? `Enter a date after ${formatDay(known)}.`);
  }

  const done = domain.decision === "transfer" ? "transferred" : "renewed";
  return (
    <Dialog heading={`${domain.unicode} was ${done}`} isDirty={day !== usual} onClose={onClose}>
      <form className="done-form" onSubmit={submit}>
        <Field
          label="New expiry date"
          hint={`${dayHint(day)}. Until now it was ${formatDay(known)}.`}
          error={fault}
        >
          {(control) => <DayBox {...control} value={day} onChange={setDay} />}
        </Field>
        {!isExpired && (
          <p>
            Does your registrar not show it yet? Then wait for the next import. If the date has not
            changed by {formatDay(known)}, this comes back.
          </p>
        )}
        <DialogActions>
          {!isExpired && <Button onClick={() => onDone(null)}>Wait for the next import</Button>}
          <Button type="submit" look="primary">
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
