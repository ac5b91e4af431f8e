import { parseCalendars, parseChannels, parseReminderSettings } from "../../../shared/reminders.ts";
import { parseSavedViews } from "../../../shared/register.ts";
import { explain, Failure } from "../../session/failure.tsx";
import { LateNotice } from "../../register/reminder-notices.tsx";
import { Screen } from "../../register/screen.tsx";
import { callApi } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { notify } from "../../ui/notifications.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useLoaded } from "../../ui/use-loaded.ts";
import { Channels } from "./channels.tsx";
import { Deliveries } from "./deliveries.tsx";
import { changeReminders, Schedule } from "./schedule.tsx";
import "../settings.css";
import "./reminders.css";

/** Screen `/settings/reminders`: who is told, by what, and when; and what was sent. */
export default function RemindersScreen() {
  return (
    <Screen
      className="settings reminders"
      heading="Reminders"
      above={{ "/settings": "Settings" }}
      lines={12}
    >
      <Content />
    </Screen>
  );
}

async function readAll(signal: AbortSignal) {
  const [reminders, channels, calendars, views] = await Promise.all([
    callApi("/api/reminders", { signal, parse: parseReminderSettings }),
    callApi("/api/channels", { signal, parse: parseChannels }),
    callApi("/api/calendars", { signal, parse: parseCalendars }),
    callApi("/api/views", { signal, parse: parseSavedViews }),
  ]);
  return { reminders, channels: channels.items, calendars: calendars.items, views: views.items };
}

function Content() {
  const { value, error, reload } = useLoaded(readAll);
  if (!value) {
    return error === undefined ? (
      <Skeleton lines={12} />
    ) : (
      <Failure error={error} onRetry={reload} />
    );
  }
  const { reminders, channels, calendars } = value;
  const isOn = reminders.nextAt !== null;

  /** Reminders begin with the first channel or calendar, in the time zone of whoever adds it. */
  async function onChanged() {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const turnOn = isOn ? null : changeReminders({ timeZone });
    await turnOn?.catch((problem: unknown) => notify({ text: explain(problem) }));
    reload();
  }

  return (
    <>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {reminders.late && <LateNotice late={reminders.late} />}
      {!isOn && channels.length + calendars.length > 0 && (
        <Notice tone="warn">
          Reminders are off. <Button onClick={onChanged}>Turn on</Button>
        </Notice>
      )}
      <Channels {...value} onChanged={onChanged} />
      {isOn && <Schedule reminders={reminders} channels={channels} onSaved={reload} />}
      {channels.length > 0 && <Deliveries channels={channels} />}
    </>
  );
}
