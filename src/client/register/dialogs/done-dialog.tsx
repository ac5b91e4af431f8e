import { useState } from "react";
import { type Day, isDay } from "../../../shared/day.ts";
import type { Domain } from "../../../shared/domain.ts";
import { renewedDay } from "../../../shared/renewal.ts";
import { dueDay } from "../../../shared/work.ts";
import { ActionDialog } from "../../session/action-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { DayBox, dayFault, dayHint } from "../../ui/day-box.tsx";
import { formatDay, localToday } from "../../ui/format.ts";
import "../../common-editing.ts";

interface Props {
  domain: Domain;
  /** Receives the new expiry date; null: the next import shows it. */
  onDone: (expires: Day | null) => void;
  onClose: () => void;
}

/** Asks for the expiry date of a domain that was renewed or transferred. */
export default function DoneDialog({ domain, onDone, onClose }: Props) {
  const known = dueDay(domain) ?? "";
  // Only a new date ends the alarm of an expired domain, or of one without a date.
  const isExpired = known < localToday();
  const was = domain.decision === "transfer" ? "transferred" : "renewed";
  // A domain to be dropped was transferred or renewed after all.
  const usual = renewedDay({ ...domain, decision: null }, localToday()) ?? "";
  const [day, setDay] = useState(usual);
  const [fault, setFault] = useState<string>();

  function check(): boolean {
    const isLater = isDay(day) && day > known;
    const wanted = known ? `Enter a date after ${formatDay(known)}.` : "Enter the expiry date.";
    if (!isLater) setFault(dayFault(day) ?? wanted);
    return isLater;
  }

  return (
    <ActionDialog
      heading={known ? `${domain.unicode} was ${was}` : `When does ${domain.unicode} expire?`}
      action="Save"
      isDirty={day !== usual}
      buttons={!isExpired && <Button onClick={() => onDone(null)}>Wait for the next import</Button>}
      check={check}
      onAction={() => onDone(day)}
      onClose={onClose}
    >
      <DayBox
        label={known ? "New expiry date" : "Expiry date"}
        hint={`${dayHint(day)}.${known && ` Until now it was ${formatDay(known)}.`}`}
        error={fault}
        value={day}
        onChange={setDay}
      />
      {!isExpired && (
        <p>
          Not shown at your registrar yet? Wait for the next import. If the date has not changed by{" "}
          {formatDay(known)}, this comes back.
        </p>
      )}
    </ActionDialog>
  );
}
