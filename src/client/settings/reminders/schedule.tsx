import type { Channel, ReminderSettings } from "../../../shared/reminders.ts";
import { invalidate } from "../../register/resource.tsx";
import { callApi } from "../../session/session-store.ts";
import { Check } from "../../ui/choice.tsx";
import { formatDateTime } from "../../ui/format.ts";
import { notify } from "../../ui/notifications.ts";
import { type FormValues, Form } from "../../register/form.tsx";

const HOURS = Array.from({ length: 24 }, (_, hour) => {
  return [String(hour), `${String(hour).padStart(2, "0")}:00`] as const;
});

/** By ISO 8601 number: Monday is 1. */
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** Changes the schedule, and turns reminders on. @throws {HttpError} */
export const changeReminders = (body: object) => callApi("/api/reminders", { method: "PUT", body });

/** When reminders come: at which hour, on which days, how long before the expiry. */
export function Schedule(props: ReminderSettings & { channels: readonly Channel[] }) {
  const { timeZone, hour, quietDays, thresholds, escalation, nextAt, channels } = props;

  async function save(_: FormValues, edited: FormValues) {
    const { hour: at, thresholds: days, quietDays: quiet, ...others } = edited;
    await changeReminders({
      ...others,
      ...(at !== undefined && { hour: Number(at) }),
      ...(days !== undefined && { thresholds: splitNumbers(days) }),
      ...(quiet !== undefined && { quietDays: splitNumbers(quiet) }),
      ...("escalation" in others && { escalation: others["escalation"] || null }),
    });
    notify({ text: "Reminders saved." });
    invalidate("/api/reminders");
  }

  return (
    <section>
      <h2>When</h2>
      {nextAt !== null && <p>Next: {formatDateTime(nextAt)}, your time</p>}
      <Form
        label="When"
        action="Save"
        onSend={save}
        fields={[
          {
            name: "thresholds",
            label: "Days before expiry",
            hint: "You are also reminded on the expiry date and the day after.",
            fault: "Enter up to 10 numbers from 1 to 365, for example 30, 14, 7.",
            defaultValue: thresholds.join(", "),
          },
          { name: "hour", label: "Time of day", options: HOURS, defaultValue: hour },
          {
            name: "timeZone",
            label: "Time zone",
            suggestions: Intl.supportedValuesOf("timeZone").map((zone) => [zone, zone] as const),
            defaultValue: timeZone,
          },
          {
            name: "escalation",
            label: "Escalation",
            hint:
              "Used if no one acknowledges within 3 days and the domain expires within 14 days." +
              (channels.some(({ person }) => person)
                ? " If its channel is for one person’s domains, all other channels get the rest."
                : ""),
            options: [
              ["", "Off"],
              ...channels.map(({ id, name }) => [id, `Tell ${name} too`] as const),
            ],
            defaultValue: escalation ?? "",
          },
        ]}
      >
        <fieldset className="row">
          <legend>No reminders on</legend>
          {WEEKDAYS.map((name, index) => (
            <Check
              key={name}
              name="quietDays"
              value={index + 1}
              defaultChecked={quietDays.includes(index + 1)}
            >
              {name}
            </Check>
          ))}
        </fieldset>
      </Form>
    </section>
  );
}

function splitNumbers(text = ""): number[] {
  return text.match(/[^\s,;]+/g)?.map(Number) ?? [];
}
