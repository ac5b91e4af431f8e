import { useEffect } from "react";
import { Link } from "wouter";
import { type ChecksStatus, outcomeInWords, parseChecksStatus } from "../../shared/checks.ts";
import type { Reach } from "../../shared/check-summary.ts";
import { readBrand } from "../../shared/brand.ts";
import ReachNotice, { ASKED, lastInWords } from "../register/reach-notice.tsx";
import { Loaded } from "../register/loaded.tsx";
import { useResource } from "../register/resource.ts";
import { Failure } from "../session/failure.tsx";
import { Screen } from "../register/screen.tsx";
import { callApi, may } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { formatDate, formatDateTime, formatDay, formatTime } from "../ui/format.ts";
import { formatNumber } from "../ui/number.ts";
import "../common.ts";
import "./checks.css";

/** How often the screen loads again while it is visible. */
const REFRESH_MS = 5_000;

const MINUTE_MS = 60_000;

/** Screen `/checks`: whether domains are checked live, how far that is, and who makes it wait. */
export default function ChecksScreen() {
  return (
    <Screen className="checks tall-links" heading="Live checks" lines={12}>
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

/** On or off, by a button, unless the operator decides. */
function Switch({ status: { on, fixed }, onSwitched }: SwitchProps) {
  const { run, isBusy, error } = useAction(async () => {
    const options = { method: "PUT", body: { on: !on }, parse: parseChecksStatus };
    onSwitched(await callApi(CHECKS_PATH, options));
  });

  return (
    <section className="box">
      <h2 aria-live="polite">{on ? "Live checks are on" : "Live checks are off"}</h2>
      <p>
        {on
          ? `${readBrand()} checks every domain within each server’s rate limits.`
          : `${readBrand()} can compare your register with registries, DNS and your websites. Your domain names will be sent to them.`}
      </p>
      {fixed ? (
        <p className="note">
          The variable <code>CHECKS={on ? "on" : "off"}</code> of this server decides.
        </p>
      ) : may("owner") ? (
        <p>
          <Button look={on ? "plain" : "primary"} aria-disabled={isBusy} onClick={run}>
            {on ? "Turn off" : "Turn on"}
          </Button>
        </p>
      ) : (
        <p className="note">An owner decides.</p>
      )}
      {error !== undefined && <Failure error={error} onRetry={run} />}
    </section>
  );
}

/** How far the checks are. While they are not answered nothing is promised, and nothing up to date. */
function Progress(props: ChecksStatus & Pick<Reach, "state">) {
  const { state, due, running, estimate, nextAt, outcomes } = props;
  const made = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const isAnswered = state === "answering";
  const left = [
    `${formatNumber(due)} ${due === 1 ? "check" : "checks"} left`,
    running > 0 && `${formatNumber(running)} running`,
    isAnswered && estimateInWords(estimate),
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
          {nextAt !== null && nextInWords(nextAt)}
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

/** How long it takes until all is done, where that is worth a word. */
function estimateInWords(estimate: string | null): string | false {
  const minutes = Math.round((Date.parse(estimate ?? "") - Date.now()) / MINUTE_MS);
  const [unit, count] = minutes < 120 ? ["minute", minutes] : ["hour", Math.round(minutes / 60)];
  const format = new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" });
  return minutes > 0 && `about ${format.format(count)}`;
}

/** When the next check runs: the date only where that is not today. */
function nextInWords(nextAt: string): string {
  const isToday = formatDate(nextAt) === formatDate(new Date().toISOString());
  return ` The next one runs at ${isToday ? formatTime(nextAt) : formatDateTime(nextAt)}.`;
}

/** Who is asked, when they answered last, and what a firewall has to let through. */
function Connections({ kinds }: Pick<Reach, "kinds">) {
  return (
    <section>
      <h2>Connections</h2>
      <table className="table cards">
        <thead>
          <tr>
            <th scope="col">To</th>
            <th scope="col">Last answer</th>
            <th scope="col">Ports to open</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ kind, answeredAt }) => (
            <tr key={kind}>
              <th scope="row">{ASKED[kind].label}</th>
              <td data-label="Last answer">{lastInWords(answeredAt)}</td>
              <td data-label="Ports to open">{ASKED[kind].ports}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="note">
        Connections are direct: <code>HTTP_PROXY</code> and <code>HTTPS_PROXY</code> are not used.
        DNS resolvers are this system’s, or those of <code>DNS_SERVERS</code>.
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
      <dl className="row checks-outcomes">
        {counts.map(([outcome, count]) => (
          <div key={outcome}>
            <dt className="note">{outcomeInWords(outcome)}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Those that make us wait come first, then those that are asked most. */
function Hosts({ hosts }: Pick<ChecksStatus, "hosts">) {
  if (hosts.length === 0) return null;
  const sorted = hosts.toSorted(
    (one, other) =>
      (other.blockedUntil ?? "").localeCompare(one.blockedUntil ?? "") || other.today - one.today,
  );
  return (
    <section>
      <h2>Servers</h2>
      <table className="table cards">
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Asked today</th>
            <th scope="col">At most</th>
            <th scope="col">Last answer</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ host, kind, today, intervalMs, lastOutcome, blockedUntil }) => (
            <tr key={host}>
              <th scope="row">
                {host} <small>{kind.toUpperCase()}</small>
              </th>
              <td data-label="Asked today">{formatNumber(today)}</td>
              <td data-label="At most">{paceInWords(intervalMs)}</td>
              <td data-label="Last answer">
                {lastOutcome === null ? "None yet" : outcomeInWords(lastOutcome)}
                {blockedUntil !== null && (
                  <b>
                    Paused until <time dateTime={blockedUntil}>{formatDateTime(blockedUntil)}</time>
                  </b>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

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
              <Link href={`/domains?${new URLSearchParams({ tld })}`}>.{tld}</Link>
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
