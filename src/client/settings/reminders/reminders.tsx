import { parseFactors } from "../../../shared/factors.ts";
import {
  parseCalendars,
  parseChannels,
  parseMailServerState,
  parseReminderSettings,
} from "../../../shared/reminders.ts";
import { parseSavedViews } from "../../../shared/register.ts";
import { Loaded, invalidate, useResource } from "../../register/resource.tsx";
import { combine } from "../../register/suggestions.ts";
import { FormFailure } from "../../session/failure.tsx";
import { LateNotice } from "../../register/reminder-notices.tsx";
import { hasRole } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SettingsScreen } from "../settings-screen.tsx";
import { Channels } from "./channels.tsx";
import { Deliveries } from "./deliveries.tsx";
import { MAIL_SERVER_PATH } from "./mail-server.tsx";
import { changeReminders, Schedule } from "./schedule.tsx";
import "../../common.ts";
import "../../common-editing.ts";

/** Screen `/settings/reminders`: who gets reminders, how and when, and what was sent. */
export default function RemindersScreen() {
  return <SettingsScreen>{hasRole("viewer") ? <Content /> : <Calendars />}</SettingsScreen>;
}

/** All that a limited viewer has of them. */
function Calendars() {
  return (
    <Loaded of={useResource("/api/calendars", parseCalendars)} lines={4}>
      {({ items }) => (
        <Channels
          channels={[]}
          calendars={items}
          views={[]}
          mail={null}
          hasNoLinks={false}
          onChanged={() => invalidate("/api/")}
        />
      )}
    </Loaded>
  );
}

function Content() {
  const isOwner = hasRole("owner");
  const reminders = useResource("/api/reminders", parseReminderSettings);
  const owners = useResource(isOwner ? "/api/channels" : null, parseChannels);
  const calendars = useResource("/api/calendars", parseCalendars);
  const sender = useResource(isOwner ? MAIL_SERVER_PATH : null, parseMailServerState);
  // Others see the calendars, and add their own.
  const channels = isOwner ? owners : { ...owners, value: { items: [] } };
  const mail = isOwner ? sender : { ...sender, value: null };
  const views = useResource("/api/views", parseSavedViews);
  const factors = useResource(isOwner ? "/api/factors" : null, parseFactors);
  const isOn = reminders.value?.nextAt !== null;

  /** The first channel or calendar turns reminders on, in the time zone of the person who adds it. */
  const { run: onChanged, error } = useAction(async () => {
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      if (!isOn && isOwner) await changeReminders({ timeZone });
    } finally {
      invalidate("/api/");
    }
  });

  return (
    <Loaded
      of={combine(combine(reminders, channels), combine(combine(calendars, views), mail))}
      lines={12}
    >
      {([[settings, { items }], [[{ items: fetched }, { items: saved }], server]]) => (
        <>
          <FormFailure error={error} />
          {settings.late && <LateNotice late={settings.late} />}
          {!isOn && isOwner && items.length + fetched.length > 0 && (
            <Notice tone="warn">
              Reminders are off. <Button onClick={onChanged}>Turn on</Button>
            </Notice>
          )}
          <Channels
            channels={items}
            calendars={fetched}
            views={saved}
            mail={server}
            hasNoLinks={factors.value?.passkeys === false}
            onChanged={onChanged}
          />
          {isOn && isOwner && <Schedule {...settings} channels={items} />}
          {items.length > 0 && <Deliveries channels={items} />}
        </>
      )}
    </Loaded>
  );
}
