import { parseFactors } from "../../../shared/factors.ts";
import {
  parseCalendars,
  parseChannels,
  parseMailServerState,
  parseReminderSettings,
} from "../../../shared/reminders.ts";
import type { Parser } from "../../../shared/parse.ts";
import { parseSavedViews } from "../../../shared/register.ts";
import { invalidate, type Loadable, Loaded, useResource } from "../../register/resource.tsx";
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
  return (
    <SettingsScreen>
      <Content />
    </SettingsScreen>
  );
}

/** Reads what the person may see; others get `instead`. */
function useAllowed<T>(isAllowed: boolean, url: string, parse: Parser<T>, instead: T): Loadable<T> {
  const resource = useResource(isAllowed ? url : null, parse);
  return isAllowed ? resource : { ...resource, value: instead };
}

const NONE = { items: [] };

/** All people have calendars; a limited viewer has nothing else here. */
function Content() {
  const [isViewer, isOwner] = [hasRole("viewer"), hasRole("owner")];
  const reminders = useAllowed(isViewer, "/api/reminders", parseReminderSettings, null);
  const channels = useAllowed(isOwner, "/api/channels", parseChannels, NONE);
  const calendars = useResource("/api/calendars", parseCalendars);
  const mail = useAllowed(isOwner, MAIL_SERVER_PATH, parseMailServerState, null);
  const views = useAllowed(isViewer, "/api/views", parseSavedViews, NONE);
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
      lines={isViewer ? 12 : 4}
    >
      {([[settings, { items }], [[{ items: fetched }, { items: saved }], server]]) => (
        <>
          <FormFailure error={error} />
          {settings?.late && <LateNotice late={settings.late} />}
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
          {settings && isOn && isOwner && <Schedule {...settings} channels={items} />}
          {items.length > 0 && <Deliveries channels={items} />}
        </>
      )}
    </Loaded>
  );
}
