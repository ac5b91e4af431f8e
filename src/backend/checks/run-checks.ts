import type { Database } from "../database/database.ts";
import { yieldToEventLoop } from "../event-loop.ts";
import type { Work } from "../jobs/loop.ts";
import type { AddressRule } from "../outbound/addresses.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Resolver } from "../outbound/resolver.ts";
import { type CheckResult, nothing } from "./check-result.ts";
import { deriveDomains, listUnsettled } from "./derive.ts";
import { checkDelegation, type DelegationResult } from "./delegation.ts";
import { checkDns } from "./dns.ts";
import { createPlanner } from "./plan-checks.ts";
import { askRdap, findBySuffix, type RdapResult } from "./rdap.ts";
import type { FinishedCheck } from "./registration-news.ts";
import { saveResults } from "./save-results.ts";
import type { Sources } from "./sources.ts";
import {
  type LeasedCheck,
  leaseChecks,
  listDueQueues,
  recordAnswers,
  releaseLeases,
  repairClock,
  takeTurn,
} from "./store.ts";
import { checkTls } from "./tls.ts";
import { checkWeb } from "./web.ts";
import { askWhois } from "./whois.ts";

/** Everything that running checks needs; `clock` is injected for tests. */
export interface CheckRunner {
  database: Database;
  outbound: Outbound;
  resolver: Resolver;
  mayConnect: AddressRule;
  sources: () => Sources;
  ports: Ports;
  clock: () => Date;
  /** Off: no socket is opened. */
  isOn: () => Promise<boolean>;
}

/** Where authoritative name servers and web servers listen: 53, 80 and 443 but in tests. */
export interface Ports {
  dns: number;
  http: number;
  https: number;
}

/** Milliseconds between two looks for what is due. */
const PAUSE_MS = 1_000;

/** The same while answers are awaited, or a host that was just asked has its next turn within seconds. */
const SHORT_PAUSE_MS = 100;
const TURN_MS = 3_000;

/** How long one check may take; less than its lease. */
const CHECK_TIMEOUT_MS = 90_000;

/** Answers in a row that never came, of registries and resolvers, after which the checks pause. */
const SILENT_CHECKS = 40;
const SILENCE_MS = 60_000;

/** Questions that are open at a time. */
const MAX_OPEN = 64;

/** Results that one transaction writes. */
const SAVE_SIZE = 25;

/**
 * Asks whatever is due, at the pace of each host, until it is stopped. Never touches the network inside
 * a transaction: what was leased is asked, and its results are written in batches.
 */
export function createCheckWork(runner: CheckRunner): Work {
  const { database, sources, clock } = runner;
  const planSome = createPlanner(database);
  /** Queues that are being asked, with what was leased of them. */
  const open = new Map<string, { leased: readonly LeasedCheck[]; asked: Promise<void> }>();
  const finished: FinishedCheck[] = [];
  let silence = { failures: 0, until: 0, isTold: false };
  let preparedOn = "";
  let plannedAt = 0;
  let askedAt = -Infinity;

  async function round(signal: AbortSignal): Promise<boolean | number> {
    const now = clock();
    if (!(await runner.isOn())) return false;
    const saved = await flush();
    if (silence.until > now.getTime() && silence.until <= now.getTime() + SILENCE_MS) {
      return saved > 0;
    }
    await prepareDay(now);
    const planned = await plan(now);
    const started = await start(signal);
    if (saved + started === 0 && open.size > 0) {
      await Promise.race([
        ...[...open.values()].map(({ asked }) => asked),
        Bun.sleep(SHORT_PAUSE_MS),
      ]);
    }
    const isBusy = planned + started + saved + open.size + finished.length > 0;
    return isBusy || (performance.now() < askedAt + TURN_MS && SHORT_PAUSE_MS);
  }

  /** Days count differently as they pass: once a day, what time alone changes is derived anew. */
  async function prepareDay(now: Date): Promise<void> {
    const today = now.toISOString().slice(0, 10);
    if (preparedOn === today) return;
    await repairClock(database, now);
    const ids = await database.read((sql) => listUnsettled(sql, today));
    for (let from = 0; from < ids.length; from += SAVE_SIZE) {
      const some = ids.slice(from, from + SAVE_SIZE);
      await database.write((sql) => deriveDomains(sql, some, now));
      await yieldToEventLoop();
    }
    preparedOn = today;
  }

  /** Goes on at once while there is something to plan, else after a pause. */
  async function plan(now: Date): Promise<number> {
    if (performance.now() < plannedAt + PAUSE_MS) return 0;
    const planned = await planSome(sources(), now);
    if (planned === 0) plannedAt = performance.now();
    return planned;
  }

  /** Leases from every queue that is not being asked; returns how many checks. */
  async function start(signal: AbortSignal): Promise<number> {
    const queues = await database.read((sql) => listDueQueues(sql, clock()));
    let started = 0;
    for (const queue of queues) {
      if (open.size >= MAX_OPEN || signal.aborted) break;
      if (open.has(queue)) continue;
      const leased = await database.write((sql) =>
        leaseChecks(sql, queue, { sources: sources(), now: clock() }),
      );
      if (leased.length === 0) continue;
      started += leased.length;
      askedAt = performance.now();
      open.set(queue, { leased, asked: askAll(queue, leased, signal) });
      await yieldToEventLoop();
    }
    return started;
  }

  async function askAll(queue: string, leased: readonly LeasedCheck[], signal: AbortSignal) {
    await Promise.all(leased.map((check) => ask(check, signal)));
    // What a stop has cut off is given back by `finish`.
    if (!signal.aborted) open.delete(queue);
  }

  async function ask(check: LeasedCheck, signal: AbortSignal): Promise<void> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
    const result = await perform(runner, check, deadline).catch((error: unknown) => {
      const { kind: source, name } = check;
      if (deadline.aborted) return nothing("timeout", source);
      console.error(`The ${source} check of ${name} failed:`, error);
      return nothing("malformed", source);
    });
    // What a stop has cut off says nothing.
    if (!signal.aborted) finished.push({ check, result });
  }

  async function flush(): Promise<number> {
    const batch = finished.splice(0, SAVE_SIZE);
    if (batch.length === 0) return 0;
    const now = clock();
    await database.write((sql) => saveResults(sql, batch, { sources: sources(), now }));
    await yieldToEventLoop();
    for (const { check, result } of batch) noteSilence(check, result, now);
    return batch.length;
  }

  /**
   * Where no registry and no resolver answers any more, it is our own network: asking on would only
   * fail more checks. Web servers count for nothing here, as many names have none.
   */
  function noteSilence({ kind }: LeasedCheck, { outcome }: CheckResult<unknown>, now: Date): void {
    if (kind === "tls" || kind === "http" || kind === "delegation") return;
    if (outcome !== "timeout" && outcome !== "unreachable") {
      silence = { failures: 0, until: 0, isTold: false };
      return;
    }
    silence.failures += 1;
    if (silence.failures < SILENT_CHECKS) return;
    if (!silence.isTold) {
      console.warn("Checks: no registry and no resolver answers. They try again every minute.");
    }
    silence = { failures: 0, until: now.getTime() + SILENCE_MS, isTold: true };
  }

  /** Saves what has come, and gives back what was leased and not asked to the end. */
  async function finish(): Promise<void> {
    const cut = [...open.values()].flatMap(({ leased }) => leased);
    while ((await flush()) > 0);
    if (cut.length > 0) await database.write((sql) => releaseLeases(sql, cut));
  }

  return { name: "Checks", pauseMs: PAUSE_MS, round, finish };
}

/** Asks what a check is about. */
async function perform(
  runner: CheckRunner,
  { kind, name, link }: LeasedCheck,
  signal: AbortSignal,
): Promise<CheckResult<unknown> | RdapResult> {
  const { outbound, resolver, mayConnect, sources, ports, clock } = runner;
  const dns = { resolver, mayConnect, port: ports.dns, name, signal };
  const now = clock();
  switch (kind) {
    case "registry": {
      const base = findBySuffix(name, sources().rdap);
      if (base === null) return nothing("unsupported", kind);
      return askRdap(outbound, {
        url: new URL(`domain/${name}`, base),
        name,
        from: "registry",
        now,
        signal,
      });
    }
    case "registrar": {
      if (link === null) return nothing("unsupported", kind);
      return askRdap(outbound, { url: new URL(link), name, from: "registrar", now, signal });
    }
    case "whois": {
      const server = findBySuffix(name, sources().whois);
      return server === null
        ? nothing("unsupported", kind)
        : askWhois(outbound, { name, server, now, signal });
    }
    case "dns":
      return checkDns(dns);
    case "delegation":
      return confirmUnknownHosts(runner, await checkDelegation(dns), signal);
    case "tls":
      return checkTls(outbound, { name, port: ports.https, signal });
    case "http":
      return checkWeb(outbound, { name, port: ports.http, signal });
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
    const base = findBySuffix(name, sources().rdap);
    if (base === null) continue;
    const url = new URL(`domain/${name}`, base);
    const now = clock();
    const context = { sources: sources(), now };
    if (!(await database.write((sql) => takeTurn(sql, url.host, context)))) continue;
    const answer = await askRdap(outbound, { url, name, from: "registry", now, signal });
    const recorded = { host: url.host, askedAt: now, answer };
    await database.write((sql) => recordAnswers(sql, [recorded], context));
    if (answer.outcome === "not-found") confirmed.push(name);
  }
  return { ...check, result: { ...check.result, unknownHosts: confirmed } };
}
