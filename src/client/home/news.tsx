import { useState } from "react";
import { Link } from "wouter";
import { parseAccounts } from "../../shared/accounts.ts";
import { readBrand } from "../../shared/brand.ts";
import type { CheckNews, ReminderNews, Summary } from "../../shared/register.ts";
import { accountPath, wantsOf } from "../register/account-words.ts";
import ReachNotice from "../register/reach-notice.tsx";
import { BrokenChannels, LateNotice, REMINDERS_PATH } from "../register/reminder-notices.tsx";
import { useResource } from "../register/resource.tsx";
import { registerChanged } from "../register/undo.ts";
import { listPath } from "../screens.ts";
import { explain, Failure } from "../session/failure.tsx";
import { callApi, hasRole } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { Button } from "../ui/button.tsx";
import { formatDomainCount, formatNumber } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { tryStorage } from "../ui/preferences.ts";
// In one script with the notices, as in other areas.
import "../register/screen.tsx";
import "../register/suggestions.ts";

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
        <Critical {...checks} path={listPath({ finding: "critical" }, summary.person)} />
      )}
      {nobody > 0 && (
        <p>
          <Link href={listPath({ work: "any", person: "none" })}>
            {formatDomainCount(nobody)} that{" "}
            {nobody === 1 ? "expires soon or has expired is" : "expire soon or have expired are"}{" "}
            unassigned
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

/** Accounts named on home; more would push the work away. */
const MAX_NAMED = 2;

/** What accounts need from a person, the most urgent first. */
export function AccountNews() {
  const { value } = useResource("/api/accounts", parseAccounts);
  const wanting = (value?.items ?? [])
    .map((account) => ({
      account,
      wants: wantsOf(account),
      isUrgent: account.state === "refused" || account.question !== null,
    }))
    .filter(({ wants }) => wants.length > 0)
    .toSorted((one, other) => Number(other.isUrgent) - Number(one.isUrgent));
  if (wanting.length === 0) return null;
  return (
    <Notice tone={wanting[0]?.isUrgent ? "warn" : "calm"}>
      {wanting.slice(0, MAX_NAMED).map(({ account: { id, label }, wants }) => (
        <span key={id}>
          <b>{label}:</b> <Link href={accountPath(id)}>{wants.join(" · ")}</Link>
        </span>
      ))}
      {wanting.length > MAX_NAMED && (
        <Link href="/registrars">{formatNumber(wanting.length - MAX_NAMED)} more</Link>
      )}
    </Notice>
  );
}

/** Offers to fill an empty register with sample data. */
export function SampleOffer() {
  const { send, failure } = useSample("POST");
  return (
    <>
      <p>
        Nothing at hand?{" "}
        <Button look="quiet" onClick={send}>
          Look around with sample data
        </Button>
      </p>
      {failure}
    </>
  );
}

/** Says that the register holds sample data, and removes it. */
function SampleNotice() {
  const { send, failure } = useSample("DELETE");
  return (
    <>
      <Notice tone="calm">
        You are looking at sample data.{" "}
        {hasRole("editor") && <Button onClick={send}>Remove sample data</Button>}
      </Notice>
      {failure}
    </>
  );
}

function useSample(method: "POST" | "DELETE") {
  const { run, error } = useAction(async () => {
    await callApi("/api/sample", { method });
    registerChanged();
  });
  return {
    send: () => void run(),
    failure: error !== undefined && <Failure error={error} onRetry={() => void run()} />,
  };
}
