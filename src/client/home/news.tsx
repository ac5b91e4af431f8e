import { useState } from "react";
import { Link } from "wouter";
import type { CheckNews, ReminderNews, Summary } from "../../shared/register.ts";
import { readBrand } from "../../shared/brand.ts";
import ReachNotice from "../register/reach-notice.tsx";
import { BrokenChannels, LateNotice, REMINDERS_PATH } from "../register/reminder-notices.tsx";
// In one script with the notices, as in other areas.
import "../register/screen.tsx";
import "../register/suggestions.ts";
import "../register/resource.tsx";
import { registerChanged } from "../register/undo.ts";
import { explain } from "../session/failure.tsx";
import { callApi, hasRole } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { formatDomainCount, formatNumber } from "../ui/format.ts";
import { tryStorage } from "../ui/preferences.ts";
import { AccountNews } from "./account-news.tsx";
import { listLink } from "./list-link.ts";
import { SampleNotice } from "./sample-data.tsx";

/** Key in local storage; its value is `dismissed`, or absent. */
const HINT_KEY = "reminder-hint";

/** What comes before the work: set-up, failures, and critical findings. */
export default function News({ summary }: { summary: Summary }) {
  const { sample, nobody, reminders, checks, accounts } = summary;
  const { reach } = checks;
  return (
    <>
      {sample && <SampleNotice />}
      <ReminderNotices news={reminders} />
      {Object.values(accounts).some(Boolean) && <AccountNews />}
      {reach && (
        <ReachNotice reach={reach}>
          <Link href="/checks">What to open</Link>
        </ReachNotice>
      )}
      {checks.ask && hasRole("owner") && <Consent />}
      {checks.critical > 0 && (
        <Critical {...checks} path={listLink(summary, { finding: "critical" })} />
      )}
      {nobody > 0 && (
        <p>
          <Link href={listLink({ person: "none" }, { work: "any" })}>
            {formatDomainCount(nobody)} that{" "}
            {nobody === 1 ? "expires soon or has expired is" : "expire soon or have expired are"}{" "}
            nobody’s
          </Link>
          .
        </p>
      )}
    </>
  );
}

/** Failures between an expiry and the people who have to know of it. */
function ReminderNotices({ news }: { news: ReminderNews }) {
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
            You won’t be reminded when a domain expires.
            {on && " No channels or calendars are left."}
          </span>
          <Link href={REMINDERS_PATH}>Set up reminders</Link>
          {!on && (
            <Button look="quiet" aria-label="Dismiss" onClick={dismiss}>
              ×
            </Button>
          )}
        </Notice>
      )}
      {late && <LateNotice late={late} />}
    </>
  );
}

/** Asks once whether live checks are wanted; either answer removes the line. */
function Consent() {
  const { run, error } = useAction(async (on: boolean) => {
    await callApi("/api/checks", { method: "PUT", body: { on } });
    registerChanged();
  });
  return (
    <Notice tone="calm">
      <span>
        {readBrand()} can compare your register with registries, DNS and your websites. Your domain
        names will be sent to them.
      </span>
      {error !== undefined && <b>{explain(error)}</b>}
      <Button look="quiet" onClick={() => void run(true)}>
        Turn on live checks
      </Button>
      <Button look="quiet" onClick={() => void run(false)}>
        Not now
      </Button>
    </Notice>
  );
}

/** Findings that cannot wait. */
function Critical({ critical, items, path }: CheckNews & { path: string }) {
  return (
    <section className="work">
      <h2>
        Critical{" "}
        <Link href={path} aria-label={formatDomainCount(critical)}>
          {formatNumber(critical)}
        </Link>
      </h2>
      <ol className="list work-list">
        {items.map(({ name, unicode, findings }) => (
          <li key={name} className="work-critical">
            <span>
              <Link href={`/domains/${name}`}>{unicode}</Link>
              <AsciiName name={name} unicode={unicode} />
            </span>
            <span>
              <b>{findings.map(({ label }) => label).join(" · ")}</b> {findings[0]?.advice}
            </span>
          </li>
        ))}
      </ol>
      {critical > items.length && (
        <Link href={path}>Show {formatNumber(critical - items.length)} more</Link>
      )}
    </section>
  );
}
