import { useState } from "react";
import { Link } from "wouter";
import type { ReminderNews } from "../../shared/register.ts";
import { BrokenChannels, LateNotice, REMINDERS_PATH } from "../register/reminder-notices.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { tryStorage } from "../ui/preferences.ts";

/** Key in local storage; its value is `dismissed`, or absent. */
const HINT_KEY = "reminder-hint";

/** What stands between an expiry and the people who have to know of it. */
export function ReminderNewsNotices({ news }: { news: ReminderNews }) {
  const { on, channels, calendars, broken, late } = news;
  const [isDismissed, setDismissed] = useState(
    () => tryStorage(() => localStorage.getItem(HINT_KEY)) !== null,
  );
  const isNobodyTold = channels === 0 && calendars === 0;

  function dismiss() {
    tryStorage(() => localStorage.setItem(HINT_KEY, "dismissed"));
    setDismissed(true);
  }

  return (
    <>
      <BrokenChannels channels={broken} />
      {isNobodyTold && (on || !isDismissed) && (
        <Notice tone={on ? "danger" : "calm"}>
          <span>
            <b>Nobody is told when a domain expires.</b>{" "}
            {on ? "No channels or calendars are left." : "Set up e-mail, chat or a calendar."}
          </span>
          <Link href={REMINDERS_PATH} className="button">
            Set up reminders
          </Link>
          {!on && (
            <Button look="quiet" onClick={dismiss}>
              Dismiss
            </Button>
          )}
        </Notice>
      )}
      {late && <LateNotice late={late} />}
    </>
  );
}
