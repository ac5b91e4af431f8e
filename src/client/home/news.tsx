import { useState } from "react";
import { Link } from "wouter";
import type { CheckNews, ReminderNews } from "../../shared/register.ts";
import { BrokenChannels, LateNotice, REMINDERS_PATH } from "../register/reminder-notices.tsx";
import { registerChanged } from "../register/undo.ts";
import { explain } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { Button } from "../ui/button.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { tryStorage } from "../ui/preferences.ts";
import "./news.css";

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

/** What live checks have to say: whether they are wanted at all, and the critical findings. */
export function CheckNewsCards({ news }: { news: CheckNews }) {
  return (
    <>
      {news.critical > 0 && <Critical {...news} />}
      {news.ask && <Consent />}
    </>
  );
}

function Critical({ critical, items }: CheckNews) {
  return (
    <section className="home-critical">
      <h2>
        Critical <Link href="/domains?finding=critical">{formatDomainCount(critical)}</Link>
      </h2>
      <ol className="list home-list">
        {items.map(({ name, unicode, findings }) => (
          <li key={name}>
            <span>
              <Link href={`/domains/${name}`}>{unicode}</Link>
              <AsciiName name={name} unicode={unicode} />
            </span>
            <div>
              <b>{findings.map(({ label }) => label).join(" · ")}</b>
              <p>{findings[0]?.advice}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Asks once: either answer makes the card go away. */
function Consent() {
  const { run, error } = useAction(async (on: boolean) => {
    await callApi("/api/checks", { method: "PUT", body: { on } });
    registerChanged();
  });
  return (
    <section className="box">
      <h2>Check your domains live?</h2>
      <p>
        Freehold can ask registries, DNS and your websites whether each domain is what your register
        says. Registries and DNS resolvers will see the names.
      </p>
      {error !== undefined && <Notice>{explain(error)}</Notice>}
      <p>
        <Button look="primary" onClick={() => void run(true)}>
          Turn on
        </Button>{" "}
        <Button onClick={() => void run(false)}>Not now</Button>
      </p>
    </section>
  );
}
