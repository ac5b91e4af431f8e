import { useEffect } from "react";
import { Link } from "wouter";
import type { Reach } from "../../shared/check-summary.ts";
import { type ChecksStatus, outcomeInWords, parseChecksStatus } from "../../shared/checks.ts";
import ReachNotice, { CHECK_TARGETS, lastInWords } from "../register/reach-notice.tsx";
import { Loaded, useResource } from "../register/resource.tsx";
import { Screen } from "../register/screen.tsx";
import { listPath } from "../screens.ts";
import { Failure } from "../session/failure.tsx";
import { callApi, hasRole } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { formatCount, formatDateTime, formatDay, formatNumber } from "../ui/format.ts";
import { type Column, Table } from "../ui/table.tsx";
import { formatTimeUntil } from "../ui/time-from-now.ts";
import { readBrand } from "../ui/page.ts";
import "../common.ts";
import "./checks.css";

const REFRESH_MS = 5_000;

/** Screen `/checks`: whether domains are checked live, the progress, and which servers limit it. */
export default function ChecksScreen() {
  return (
    <Screen className="checks tall-links" lines={12}>
      <Content />
    </Screen>
  );
}

const CHECKS_PATH = "/api/checks";

function Content() {
  const checks = useResource(CHECKS_PATH, parseChecksStatus);
  const { reload, set } = checks;
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <Loaded of={checks} lines={12}>
      {(status) => (
        <>
          {status.reach && <ReachNotice reach={status.reach} />}
          <Switch status={status} onSwitched={set} />
          {status.reach && <Progress {...status} state={status.reach.state} />}
          {status.reach && status.reach.kinds.length > 0 && <Connections {...status.reach} />}
          <Outcomes outcomes={status.outcomes} />
          <Hosts hosts={status.hosts} />
          <Sources {...status} />
        </>
      )}
    </Loaded>
  );
}

interface SwitchProps {
  status: ChecksStatus;
  onSwitched: (status: ChecksStatus) => void;
}

function Switch({ status: { on, fixed }, onSwitched }: SwitchProps) {
  const { run, isBusy, error } = useAction(async () => {
    const options = { method: "PUT", body: { on: !on }, parse: parseChecksStatus };
    onSwitched(await callApi(CHECKS_PATH, options));
  });

  return (
    <section>
      <div className="head">
        <div>
          <h2 aria-live="polite">{on ? "Live checks are on" : "Live checks are off"}</h2>
          <p>
            {on
              ? `${readBrand()} checks every domain, no more often than each server allows.`
              : "Check each domain at its registry, in DNS and on its website? They will see your domain names."}
          </p>
          {!fixed && !hasRole("owner") && <p className="note">An owner decides.</p>}
          {fixed && (
            <p className="note">
              This server’s variable <code>CHECKS={on ? "on" : "off"}</code> decides.
            </p>
          )}
        </div>
        {!fixed && hasRole("owner") && (
          <Button look={on ? "plain" : "main"} aria-disabled={isBusy} onClick={run}>
            {on ? "Turn off" : "Turn on"}
          </Button>
        )}
      </div>
      {error !== undefined && <Failure error={error} onRetry={run} />}
    </section>
  );
}

/** Promises nothing while no check is answered. */
function Progress(props: ChecksStatus & Pick<Reach, "state">) {
  const { state, due, running, estimate, nextAt, outcomes } = props;
  const made = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const isAnswered = state === "answering";
  const left = [
    `${formatCount(due, "check")} left`,
    running > 0 && `${formatNumber(running)} running`,
    isAnswered && estimate !== null && `done ${formatTimeUntil(estimate)}`,
  ];
  return (
    <section>
      <h2>Progress</h2>
      {due === 0 ? (
        <p>
          {isAnswered
            ? "All checks are up to date."
            : state === "starting"
              ? "Nothing has answered yet."
              : "Not up to date: checks aren’t answered."}
          {nextAt !== null && ` The next one runs ${formatTimeUntil(nextAt)}.`}
        </p>
      ) : (
        <>
          {state !== "silent" && (
            <progress aria-label="Checks that are not due" max={made + due} value={made} />
          )}
          <p>{left.filter(Boolean).join(", ")}.</p>
        </>
      )}
    </section>
  );
}

/** Who is asked, when they last answered, and which ports a firewall has to open. */
function Connections({ kinds }: Pick<Reach, "kinds">) {
  return (
    <section>
      <h2>Connections</h2>
      <Table
        columns={[
          { label: "To", show: ({ kind }) => CHECK_TARGETS[kind].label },
          { label: "Last answer", show: ({ answeredAt }) => lastInWords(answeredAt) },
          { label: "Ports to open", show: ({ kind }) => CHECK_TARGETS[kind].ports },
        ]}
        rows={kinds}
        keyOf={({ kind }) => kind}
      />
      <p className="note">
        Connections are direct: <code>HTTP_PROXY</code> and <code>HTTPS_PROXY</code> are not used.
        DNS resolvers are this system’s, or those in <code>DNS_SERVERS</code>.
      </p>
    </section>
  );
}

function Outcomes({ outcomes }: Pick<ChecksStatus, "outcomes">) {
  const counts = Object.entries(outcomes).toSorted(([, one], [, other]) => other - one);
  if (counts.length === 0) return null;
  return (
    <section>
      <h2>Latest answers</h2>
      <dl className="row outcomes">
        {counts.map(([outcome, count]) => (
          <div key={outcome}>
            <dt className="note">{outcomeInWords(outcome)}</dt>
            <dd className="large">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Servers that limit us first, then by requests. */
function Hosts({ hosts }: Pick<ChecksStatus, "hosts">) {
  if (hosts.length === 0) return null;
  const sorted = hosts.toSorted(
    (one, other) =>
      (other.blockedUntil ?? "").localeCompare(one.blockedUntil ?? "") || other.today - one.today,
  );
  return (
    <section>
      <h2>Servers</h2>
      <Table columns={HOST_COLUMNS} rows={sorted} keyOf={({ host }) => host} />
    </section>
  );
}

const HOST_COLUMNS: readonly Column<ChecksStatus["hosts"][number]>[] = [
  {
    label: "Server",
    show: ({ host, kind }) => (
      <>
        {host} <small>{kind.toUpperCase()}</small>
      </>
    ),
  },
  { label: "Asked today", kind: "end", show: ({ today }) => formatNumber(today) },
  { label: "At most", kind: "end", show: ({ intervalMs }) => paceInWords(intervalMs) },
  {
    label: "Last answer",
    show: ({ lastOutcome, blockedUntil }) => (
      <>
        {lastOutcome === null ? "None yet" : outcomeInWords(lastOutcome)}
        {blockedUntil !== null && (
          <b>
            Paused until <time dateTime={blockedUntil}>{formatDateTime(blockedUntil)}</time>
          </b>
        )}
      </>
    ),
  },
];

function paceInWords(intervalMs: number): string {
  if (intervalMs === 0) return "No limit";
  if (intervalMs === 1_000) return "1 per second";
  return `1 every ${formatNumber(intervalMs / 1_000)} s`;
}

function Sources({ unsupported, bootstrap }: ChecksStatus) {
  return (
    <section>
      <h2>Sources</h2>
      {unsupported.length > 0 && (
        <p>
          No public source for{" "}
          {unsupported.map((tld, index) => (
            <span key={tld}>
              <Link href={listPath({ tld })}>.{tld}</Link>
              {index < unsupported.length - 1 ? ", " : ". "}
            </span>
          ))}
          Their expiry dates come from you and your imports.
        </p>
      )}
      <p className="note">
        Registries of {formatNumber(bootstrap.tlds)} TLDs by RDAP, as IANA listed them on{" "}
        {formatDay(bootstrap.publication.slice(0, 10))}.
      </p>
    </section>
  );
}
