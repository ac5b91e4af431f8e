import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { CHECK_KINDS, type CheckKind } from "../../../shared/check-summary.ts";
import { outcomeInWords } from "../../../shared/checks.ts";
import type { CheckSummary, DomainDetail, Finding } from "../../../shared/domain-detail.ts";
import { filterValueInWords } from "../../../shared/filter.ts";
import { explain } from "../../session/failure.tsx";
import { callApi, hasRole } from "../../session/session-store.ts";
import { useAction } from "../../session/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { formatDate, formatDateTime } from "../../ui/format.ts";
import { formatTimeFromNow, formatTimeUntil } from "../../ui/time-from-now.ts";
import { Notice } from "../../ui/notice.tsx";
import { factsOf } from "./check-facts.ts";

const KIND_LABELS: Readonly<Record<CheckKind, string>> = {
  registry: "Registry",
  registrar: "Registrar",
  whois: "WHOIS",
  dns: "DNS",
  delegation: "Name servers",
  tls: "Certificate",
  http: "Website",
};

const registrationSentences = (who: "registry" | "registrar") => ({
  absent: `This ${who} publishes no date.`,
  withheld: `This ${who} withholds the date.`,
  "not-found": `The ${who} doesn’t know this domain.`,
});

/** Sentences for outcomes that mean something else for some kinds. */
const SENTENCES: Partial<Record<CheckKind, Readonly<Record<string, string>>>> = {
  registry: registrationSentences("registry"),
  registrar: registrationSentences("registrar"),
  whois: registrationSentences("registry"),
  tls: {
    absent: "No address, so there is no certificate.",
    unreachable: "No HTTPS: nothing answers on port 443.",
    malformed: "Port 443 doesn’t speak TLS.",
  },
  http: { unreachable: "No website answers." },
};

/** What an outcome means for a kind. Without DNS, a silent website means nothing. */
function meaningOf(kind: CheckKind, outcome: string, checks: DomainDetail["checks"]) {
  const { dns } = checks;
  const isBlind = dns !== undefined && dns.checkedAt !== dns.answeredAt;
  return isBlind && outcome === "unreachable" ? undefined : SENTENCES[kind]?.[outcome];
}

function sentenceOf({ outcome, detail }: CheckSummary): string {
  return `${(outcome === "blocked" && detail) || outcomeInWords(outcome)}.`;
}

/** Whether the latest check says something. A silent website does. */
function isAnswered(kind: CheckKind, checks: DomainDetail["checks"]): boolean {
  const check = checks[kind];
  if (check === undefined || check.checkedAt === check.answeredAt) return true;
  return meaningOf(kind, check.outcome, checks) !== undefined;
}

interface Props {
  detail: DomainDetail;
  reload: () => void;
}

/** Results of the live checks by source, and the findings that can wait. */
export function Checks({ detail, reload }: Props) {
  const { name, checks, waiting, findings, checksOn } = detail;
  const made = CHECK_KINDS.filter((kind) => checks[kind] ?? waiting.includes(kind));
  const hasRegistry = made.includes("registry") || made.includes("whois");
  return (
    <section aria-labelledby="checks">
      <div className="row checks-head">
        <h2 id="checks">Live checks</h2>
        {checksOn && hasRole("editor") && <CheckNow detail={detail} reload={reload} />}
      </div>
      {!checksOn && (
        <p className="note">
          Live checks are off{made.length > 0 && ", so this isn’t up to date"}.{" "}
          {hasRole("owner") && <Link href="/checks">Turn them on</Link>}
        </p>
      )}
      <FindingList findings={findings.filter(({ severity }) => !isUrgent(severity))} />
      {made.length > 0 && (
        <div className="list checks-sources">
          {!hasRegistry && (
            <Unasked kind="registry">
              No public source for .{name.slice(name.lastIndexOf(".") + 1)} domains.
            </Unasked>
          )}
          {made.map((kind) => (
            <Source key={kind} kind={kind} detail={detail} />
          ))}
        </div>
      )}
    </section>
  );
}

export function isUrgent(severity: string): boolean {
  return severity === "critical" || severity === "high";
}

/** A kind of check that was not made yet, or that the TLD has no source for. */
function Unasked({ kind, children }: { kind: CheckKind; children: ReactNode }) {
  return (
    <article>
      <h3 className="note">{KIND_LABELS[kind]}</h3>
      <p>{children}</p>
    </article>
  );
}

function Source({ kind, detail: { checks, checksOn } }: { kind: CheckKind; detail: DomainDetail }) {
  const check = checks[kind];
  if (check === undefined) return <Unasked kind={kind}>Not checked yet.</Unasked>;
  const { source, checkedAt, answeredAt, nextAt } = check;
  const isTold = isAnswered(kind, checks);
  const facts = factsOf(kind, check);
  return (
    <article>
      <h3 className="note">
        {KIND_LABELS[kind]} {source.includes(":") && <small>{source.replace(/^[^:]*:/, "")}</small>}
      </h3>
      {(check.outcome !== "ok" || facts.length === 0) && (
        <p>{meaningOf(kind, check.outcome, checks) ?? sentenceOf(check)}</p>
      )}
      {facts.length > 0 && (
        <dl>
          {facts.map(([term, values]) => (
            <div key={term}>
              <dt className="note">{term}</dt>
              {values.map((value) => (
                <dd key={value}>{value}</dd>
              ))}
            </div>
          ))}
        </dl>
      )}
      <small>
        {isTold ? "Checked" : "Tried"}{" "}
        <Time instant={checkedAt} words={formatTimeFromNow(checkedAt)} />
        {checksOn && (
          <>
            , next <Time instant={nextAt} words={nextInWords(nextAt)} />
          </>
        )}
        {!isTold && `. Last answer: ${answeredAt ? formatDateTime(answeredAt) : "never"}`}
      </small>
    </article>
  );
}

function Time({ instant, words }: { instant: string; words: string }) {
  return (
    <time dateTime={instant} title={formatDateTime(instant)}>
      {words}
    </time>
  );
}

function nextInWords(instant: string): string {
  const isDue = Date.parse(instant) <= Date.now();
  return isDue ? "queued" : formatTimeUntil(instant);
}

const POLL_MS = 2_000;
/** A host may take one question at a time. */
const MAX_WAIT_MS = 60_000;

function CheckNow({ detail, reload }: Props) {
  const [before, setBefore] = useState<DomainDetail>();
  const [late, setLate] = useState(false);
  const kinds = CHECK_KINDS.filter((kind) => detail.checks[kind] ?? detail.waiting.includes(kind));
  const open = kinds.filter(
    (kind) => detail.checks[kind]?.checkedAt === before?.checks[kind]?.checkedAt,
  );
  const silent = kinds.filter((kind) => !isAnswered(kind, detail.checks)).length;
  const checking = before !== undefined && open.length > 0 && !late;

  useEffect(() => {
    if (!checking) return undefined;
    const poll = setInterval(reload, POLL_MS);
    const end = setTimeout(setLate, MAX_WAIT_MS, true);
    return () => {
      clearInterval(poll);
      clearTimeout(end);
    };
  }, [checking, reload]);

  const { run, error } = useAction(async () => {
    await callApi(`/api/domains/${detail.id}/check`, { method: "POST", body: {} });
    setLate(false);
    setBefore(detail);
    reload();
  });

  let said = "";
  if (checking) said = `Checking… ${kinds.length - open.length} of ${kinds.length} done`;
  else if (late) said = "Some servers limit how often we may ask. Their answers appear here later.";
  else if (before)
    said = silent > 0 ? `${silent} of ${kinds.length} didn’t answer.` : "Checked just now.";
  return (
    <>
      <output className="note">{said}</output>
      <Button aria-disabled={checking} onClick={() => checking || void run()}>
        Check now
      </Button>
      {error !== undefined && <Notice>{explain(error)}</Notice>}
    </>
  );
}

/** Findings with date, evidence and advice. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className="list">
      {findings.map(({ code, label, severity, since, text, advice }) => (
        <li key={code}>
          <p>
            <span className="pill" data-tone={severity}>
              {filterValueInWords("finding", severity)}
            </span>{" "}
            <b>{label}</b>
          </p>
          <p>{advice}</p>
          <small>
            {text.replace(/\.$/, "")} · since {formatDate(since)}
          </small>
        </li>
      ))}
    </ul>
  );
}
