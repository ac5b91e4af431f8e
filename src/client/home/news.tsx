import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { parseAccounts } from "../../shared/accounts.ts";
import type { Summary } from "../../shared/register.ts";
import { basePath } from "../base-path.ts";
import { accountPath, wantsOf } from "../register/account-words.ts";
import { changeDomains, MAX_UNTYPED } from "../register/domains-api.ts";
import ReachNotice from "../register/reach-notice.tsx";
import { BrokenChannels, LateNotice, REMINDERS_PATH } from "../register/reminder-notices.tsx";
import { useResource } from "../register/resource.tsx";
import { notifyUndoable, registerChanged } from "../register/undo.ts";
import { listPath } from "../screens.ts";
import { explain, Failure } from "../session/failure.tsx";
import { callApi, hasRole } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { formatDomainCount, formatNumber, localToday } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { tryStorage } from "../ui/preferences.ts";
// In one script with the notices, as in other areas.
import "../register/screen.tsx";

/** The key of a notice in this host’s local storage: its value is `dismissed`, or absent. */
const keyOf = (name: string) => `${basePath}home-notice ${name}`;

/** What comes before the work: whose it is, and at most one notice. */
export default function News({ summary }: { summary: Summary }) {
  const { person, mine, total } = summary;
  return (
    <>
      {(person !== null || (mine > 0 && mine < total)) && <Whose person={person} />}
      <OneNotice summary={summary} />
    </>
  );
}

/** Chooses between the person's own domains and all. It is kept, so it is no history entry. */
function Whose({ person }: Pick<Summary, "person">) {
  return (
    <nav className="row tall-links whose" aria-label="Whose domains">
      <Link href="/home?person=me" replace aria-current={person !== null}>
        Mine
      </Link>
      <Link href="/home?person=all" replace aria-current={person === null}>
        All
      </Link>
    </nav>
  );
}

/** Failures first, then reminders, then the rest. */
function OneNotice({ summary }: { summary: Summary }) {
  const { sample, archivable, nobody, reminders, checks, accounts } = summary;
  const { on, channels, calendars, broken, late } = reminders;
  const { reach } = checks;
  const [, setDismissed] = useState("");
  const isOpen = (name: string) => tryStorage(() => localStorage.getItem(keyOf(name))) === null;
  const isNobodyTold = channels === 0 && calendars === 0;
  const isBlind = reach?.state === "silent" || reach?.state === "partly";
  const dismiss = (name: string) => (
    <Button
      look="quiet"
      size="small icon"
      aria-label="Dismiss"
      onClick={() => {
        tryStorage(() => localStorage.setItem(keyOf(name), "dismissed"));
        setDismissed(name);
      }}
    >
      ×
    </Button>
  );

  if (broken.length > 0) return <BrokenChannels channels={broken.slice(0, 1)} />;
  if (isNobodyTold && (on || isOpen("reminders"))) {
    return (
      <Notice tone={on ? "danger" : "warn"}>
        <span>
          No one gets a reminder before a domain expires.
          {on && " No channels or calendars are left."}{" "}
          <Link href={REMINDERS_PATH}>
            {hasRole("owner") ? "Set up reminders" : "Add a calendar feed"}
          </Link>
        </span>
        {!on && dismiss("reminders")}
      </Notice>
    );
  }
  if (late && isOpen(late.to)) return <LateNotice late={late}>{dismiss(late.to)}</LateNotice>;
  if (Object.values(accounts).some(Boolean)) return <AccountRequests />;
  if (reach && isBlind && isOpen(`checks ${reach.answeredAt}`)) {
    return (
      <ReachNotice reach={reach}>
        <Link href="/checks">What to open</Link>
        {dismiss(`checks ${reach.answeredAt}`)}
      </ReachNotice>
    );
  }
  if (checks.ask && hasRole("owner")) return <Consent />;
  if (sample) return <SampleNotice />;
  const proposal = `archive ${archivable}`;
  if (archivable > 0 && isOpen(proposal)) {
    return <Archivable summary={summary}>{dismiss(proposal)}</Archivable>;
  }
  if (nobody === 0 || !isOpen("unassigned")) return null;
  return (
    <Notice tone="calm">
      <span>
        <Link href={listPath({ work: "any", person: "none" })}>
          {formatDomainCount(nobody)} that{" "}
          {nobody === 1 ? "expires soon or has expired is" : "expire soon or have expired are"}{" "}
          unassigned
        </Link>
        .
      </span>
      {dismiss("unassigned")}
    </Notice>
  );
}

/** Proposes to archive what is gone. More than a few are archived in the list, which asks first. */
function Archivable({ summary, children }: { summary: Summary; children: ReactNode }) {
  const { archivable: count, person } = summary;
  const filter = { archived: ["proposed"], ...(person !== null && { person: [person] }) };
  const { run, error } = useAction(async () => {
    const op = { kind: "edit", archivedOn: localToday() } as const;
    const { changed, operation } = await changeDomains({ filter, ids: null, count }, op);
    notifyUndoable(`${formatDomainCount(changed)} archived.`, operation);
    registerChanged();
  });
  return (
    <Notice tone="calm">
      <span>
        <Link href={listPath({ archived: "proposed" }, person)}>
          {formatDomainCount(count)} {count === 1 ? "has" : "have"} lapsed
        </Link>
        {error !== undefined && <b> {explain(error)}</b>}
      </span>
      {count <= MAX_UNTYPED && hasRole("editor") && (
        <Button size="small" onClick={() => void run()}>
          Archive
        </Button>
      )}
      {children}
    </Notice>
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
        Check each domain at its registry, in DNS and on its website? They will see your domain
        names.
      </span>
      {error !== undefined && <b>{explain(error)}</b>}
      <Button size="small" onClick={() => void run(true)}>
        Turn on live checks
      </Button>
      <Button look="quiet" size="small" onClick={() => void run(false)}>
        Not now
      </Button>
    </Notice>
  );
}

/** Accounts named on home; more would push the work away. */
const MAX_NAMED = 2;

/** What accounts need from a person, the most urgent first. */
export function AccountRequests() {
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
