import { useEffect } from "react";
import { Link } from "wouter";
import { type ChecksStatus, outcomeInWords, parseChecksStatus } from "../../shared/checks.ts";
import { Loaded } from "../register/loaded.tsx";
import { useResource } from "../register/resource.ts";
import { Failure } from "../session/failure.tsx";
import { Screen } from "../register/screen.tsx";
import { callApi } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { formatDateTime, formatDay } from "../ui/format.ts";
import { formatNumber } from "../ui/number.ts";
import { formatTimeFromNow } from "../ui/relative-time.ts";
import "../common.ts";
import "./checks.css";

/** How often the screen loads again while it is visible. */
const REFRESH_MS = 5_000;

const MIN_ESTIMATE_MS = 60_000;

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
          <Switch status={status} onSwitched={set} />
          {status.on && <Progress status={status} />}
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
          ? "Registries, DNS resolvers and your websites are asked about every domain, at a pace that each of them allows."
          : "Turn them on to learn what registries, DNS and your websites say of each domain. Registries and DNS resolvers will see the names."}
      </p>
      {fixed ? (
        <p className="note">
          The variable <code>CHECKS={on ? "on" : "off"}</code> of this server decides.
        </p>
      ) : (
        <p>
          <Button look={on ? "plain" : "primary"} aria-disabled={isBusy} onClick={run}>
            {on ? "Turn off" : "Turn on"}
          </Button>
        </p>
      )}
      {error !== undefined && <Failure error={error} onRetry={run} />}
    </section>
  );
}

function Progress({ status: { due, running, estimate, outcomes } }: { status: ChecksStatus }) {
  const made = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return (
    <section>
      <h2>Progress</h2>
      {due === 0 ? (
        <p>Nothing is due. Each domain is checked again by itself.</p>
      ) : (
        <>
          <progress aria-label="Checks that are not due" max={made + due} value={made} />
          <p>
            {formatNumber(due)} {due === 1 ? "check is" : "checks are"} due
            {running > 0 && `, ${formatNumber(running)} running`}.{estimateInWords(estimate)}
          </p>
        </>
      )}
    </section>
  );
}

/** When all will be done, where that takes long enough to be worth a word. */
function estimateInWords(estimate: string | null): string {
  const isSoon = estimate === null || Date.parse(estimate) < Date.now() + MIN_ESTIMATE_MS;
  return isSoon ? "" : ` Done ${formatTimeFromNow(estimate)}, about ${formatDateTime(estimate)}.`;
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
