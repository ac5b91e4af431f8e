import { yieldToEventLoop, type Database } from "../database/database.ts";
import { startWorker, type Worker } from "../jobs/worker.ts";
import type { AddressRule } from "../outbound/addresses.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Resolver } from "../outbound/resolver.ts";
import type { CheckResult } from "./check-result.ts";
import type { Day } from "../../shared/day.ts";
import { deriveDomains, listUnsettled } from "./derive.ts";
import { checkDelegation, type DelegationResult } from "./delegation.ts";
import { checkDns } from "./dns.ts";
import { askRdap, findRdapServer, type RdapResult } from "./rdap.ts";
import { saveResults, type FinishedCheck } from "./save-results.ts";
import type { Sources } from "./sources.ts";
import { type LeasedCheck, leaseChecks, listDueQueues, planMissing, takeTurn } from "./store.ts";
import { checkTls } from "./tls.ts";
import { checkWeb } from "./web.ts";
import { askWhois, findWhoisServer } from "./whois.ts";

/** Everything that running checks needs; `clock` is injected for tests. */
export interface CheckRunner {
  database: Database;
  outbound: Outbound;
  resolver: Resolver;
  mayConnect: AddressRule;
  sources: () => Sources;
  clock: () => Date;
  /** Off: no socket is opened. */
  isOn: () => Promise<boolean>;
}

/** Milliseconds between two looks for what is due. */
const PAUSE_MS = 1_000;

/** Milliseconds after which other hosts are looked at while answers are still awaited. */
const WAIT_MS = 250;

/** Checks in a row without an answer after which they pause. */
const SILENT_CHECKS = 40;
const SILENCE_MS = 60_000;

/** Questions that are open at a time. */
const MAX_OPEN = 64;

/** Results that one transaction writes. */
const SAVE_SIZE = 50;

/**
 * Asks whatever is due, at the pace of each host, until it is stopped. Never touches the network inside
 * a transaction: what was leased is asked, and its results are written in batches.
 */
export function runChecks(runner: CheckRunner): Worker {
  const open = new Set<Promise<void>>();
  const busy = new Set<string>();
  const finished: FinishedCheck[] = [];
  let silence = { failures: 0, until: 0 };
  let derivedOn = "";

  async function round(signal: AbortSignal): Promise<boolean> {
    const { database, sources, clock } = runner;
    const now = clock();
    if (!(await runner.isOn()) || silence.until > now.getTime()) return false;
    await deriveDaily(now.toISOString().slice(0, 10));
    const planned = await database.write((sql) => planMissing(sql, sources(), clock()));
    const started = await start(signal);
    const saved = await flush();
    if (started + saved === 0 && open.size > 0) await Promise.race([...open, Bun.sleep(WAIT_MS)]);
    return planned + started + saved + open.size + finished.length > 0;
  }

  /** Days count differently as they pass: once a day, what a registry has moved is derived anew. */
  async function deriveDaily(today: Day): Promise<void> {
    if (derivedOn === today) return;
    const ids = await runner.database.read((sql) => listUnsettled(sql, today));
    for (let from = 0; from < ids.length; from += SAVE_SIZE) {
      const some = ids.slice(from, from + SAVE_SIZE);
      await runner.database.write((sql) => deriveDomains(sql, some, runner.clock()));
      await yieldToEventLoop();
    }
    derivedOn = today;
  }

  /** Leases from every queue that is not being asked; returns how many checks. */
  async function start(signal: AbortSignal): Promise<number> {
    const { database, sources, clock } = runner;
    const queues = await database.read((sql) => listDueQueues(sql, clock()));
    let started = 0;
    for (const queue of queues) {
      if (open.size >= MAX_OPEN || signal.aborted) break;
      if (busy.has(queue)) continue;
      const leased = await database.write((sql) =>
        leaseChecks(sql, queue, { sources: sources(), now: clock() }),
      );
      if (leased.length === 0) continue;
      started += leased.length;
      busy.add(queue);
      const asked = askAll(queue, leased, signal).finally(() => open.delete(asked));
      open.add(asked);
    }
    return started;
  }

  async function askAll(queue: string, leased: readonly LeasedCheck[], signal: AbortSignal) {
    await Promise.all(leased.map((check) => ask(check, signal)));
    busy.delete(queue);
  }

  async function ask(check: LeasedCheck, signal: AbortSignal): Promise<void> {
    const result = await perform(runner, check, signal).catch((error: unknown) => {
      // A stop gives the lease back by letting it end; nothing was learned.
      if (!signal.aborted) console.error(`The ${check.kind} check of ${check.name} failed:`, error);
      return null;
    });
    if (result !== null && !signal.aborted) finished.push({ check, result });
  }

  async function flush(): Promise<number> {
    const { database, sources, clock } = runner;
    const batch = finished.splice(0, SAVE_SIZE);
    if (batch.length === 0) return 0;
    const now = clock();
    await database.write((sql) => saveResults(sql, batch, { sources: sources(), now }));
    await yieldToEventLoop();
    for (const { result } of batch) noteSilence(result, now);
    return batch.length;
  }

  /** Where nothing answers any more, it is our own network: asking on would only fail more checks. */
  function noteSilence({ outcome }: CheckResult<unknown>, now: Date): void {
    const isSilent = outcome === "timeout" || outcome === "unreachable";
    silence.failures = isSilent ? silence.failures + 1 : 0;
    if (silence.failures < SILENT_CHECKS) return;
    silence = { failures: 0, until: now.getTime() + SILENCE_MS };
    console.warn("Checks: no host has answered for a while. They go on in a minute.");
  }

  return startWorker("Checks", PAUSE_MS, round);
}

/** Asks what a check is about. */
async function perform(
  runner: CheckRunner,
  { kind, name, link }: LeasedCheck,
  signal: AbortSignal,
): Promise<CheckResult<unknown> | RdapResult> {
  const { outbound, resolver, mayConnect, sources, clock } = runner;
  const now = clock();
  switch (kind) {
    case "registry": {
      const base = findRdapServer(name, sources().rdap);
      if (base === null) return unsupported(kind);
      return askRdap(outbound, {
        url: new URL(`domain/${name}`, base),
        name,
        from: "registry",
        now,
        signal,
      });
    }
    case "registrar": {
      if (link === null) return unsupported(kind);
      return askRdap(outbound, { url: new URL(link), name, from: "registrar", now, signal });
    }
    case "whois": {
      const server = findWhoisServer(name, sources().whois);
      return server === null
        ? unsupported(kind)
        : askWhois(outbound, { name, server, now, signal });
    }
    case "dns":
      return checkDns(resolver, { name, signal });
    case "delegation":
      return confirmUnknownHosts(
        runner,
        await checkDelegation({ resolver, mayConnect, name, signal }),
        signal,
      );
    case "tls":
      return checkTls(outbound, { name, signal });
    case "http":
      return checkWeb(outbound, { name, signal });
  }
}

/**
 * A name server's domain counts as unregistered where its registry says so too. The registry is asked
 * at its own pace: where it may not be asked now, nothing is said until the next check.
 */
async function confirmUnknownHosts(
  { database, outbound, sources, clock }: CheckRunner,
  check: CheckResult<DelegationResult>,
  signal: AbortSignal,
): Promise<CheckResult<DelegationResult>> {
  if (check.result === null) return check;
  const confirmed: string[] = [];
  for (const name of check.result.unknownHosts) {
    const base = findRdapServer(name, sources().rdap);
    if (base === null) continue;
    const url = new URL(`domain/${name}`, base);
    const now = clock();
    if (!(await database.write((sql) => takeTurn(sql, url.host, { sources: sources(), now }))))
      continue;
    const { outcome } = await askRdap(outbound, { url, name, from: "registry", now, signal });
    if (outcome === "not-found") confirmed.push(name);
  }
  return { ...check, result: { ...check.result, unknownHosts: confirmed } };
}

/** A source that the operator has taken away since the check was planned. */
async function unsupported(source: string): Promise<CheckResult<never>> {
  return { outcome: "unsupported", source, detail: null, result: null, retryAfterMs: null };
}
