import type { DelegationResult } from "../../shared/checks.ts";
import { log } from "../../shared/log.ts";
import { chunks } from "../database/bulk-rows.ts";
import { isUnavailable } from "../database/database-error.ts";
import type { Database, ReadNow } from "../database/database.ts";
import { yieldToEventLoop } from "../database/event-loop.ts";
import { findBySuffix } from "../domains/domain-name.ts";
import { isNetworkKind } from "../domains/write/check-now.ts";
import type { BackgroundWork } from "../jobs/loop.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { CHECK_RESULTS, type CheckResult, failedCheck, nothing, SILENT } from "./check-result.ts";
import { deriveDomains, listUnsettled } from "./derive.ts";
import { checkDelegation, checkDns } from "./dns.ts";
import { createPlanner } from "./plan-checks.ts";
import { parseResult } from "./stored-checks.ts";
import { askRdap } from "./rdap.ts";
import { askWhois } from "./whois.ts";
import { saveResults, saveUnreadable } from "./save-results.ts";
import type { LookupServers } from "./lookup-servers.ts";
import {
  type FinishedCheck,
  type LeasedCheck,
  leaseChecks,
  listDueQueues,
  recordAnswers,
  releaseLeases,
  repairClock,
  takeTurn,
} from "./queues.ts";
import { checkTls, checkWeb } from "./web.ts";

interface CheckRunner {
  database: Database;
  outbound: Outbound;
  servers: () => LookupServers;
  ports: Ports;
  readNow: ReadNow;
  /** Off: no socket is opened. */
  isOn: () => Promise<boolean>;
}

/** Where authoritative name servers and web servers listen: 53, 80 and 443 but in tests. */
export interface Ports {
  dns: number;
  http: number;
  https: number;
}

const PAUSE_MS = 1_000;

/** While answers are awaited, or a host that was just asked has its next turn soon. */
const SHORT_PAUSE_MS = 100;
const TURN_MS = 3_000;

/** Less than the lease of a check. */
const CHECK_TIMEOUT_MS = 90_000;

/** This many failures in a row, of registries and resolvers, put the network in doubt. */
const SILENT_CHECKS = 40;
const SILENCE_MS = 60_000;

/** Queues, and checks of one that asks no single host: a host is asked one thing at a time. */
const MAX_OPEN = 64;
const MAX_OPEN_OF_NETWORK = 20;

const SAVE_SIZE = 25;

/** Asks what is due, at the pace of each host and outside any transaction, and saves results in batches. */
export function createCheckWork(runner: CheckRunner): BackgroundWork {
  const { database, servers, readNow } = runner;
  const planSome = createPlanner(database);
  const open = new Set<LeasedCheck>();
  const finished = new Set<FinishedCheck>();
  let answered = Promise.withResolvers<void>();
  let silence = { failures: 0, until: 0 };
  let preparedOn = "";
  let hasStopped = false;
  let askedAt = -Infinity;

  async function round(signal: AbortSignal): Promise<boolean | number> {
    const now = await database.read(readNow);
    await prepareDay(now);
    if (!(await runner.isOn())) return stopChecking();
    hasStopped = false;
    const saved = await flush();
    if (silence.failures >= SILENT_CHECKS) await judgeSilence(now, signal);
    if (silence.until > now.getTime() && silence.until <= now.getTime() + SILENCE_MS) {
      return saved > 0;
    }
    const planned = await planSome(servers(), now);
    const started = await start(signal);
    if (saved + started === 0 && open.size > 0) {
      await Promise.race([answered.promise, Bun.sleep(SHORT_PAUSE_MS)]);
    }
    const isBusy = planned + started + saved + open.size + finished.size > 0;
    return isBusy || (performance.now() < askedAt + TURN_MS && SHORT_PAUSE_MS);
  }

  /** Turning checks off is not a finding. */
  async function stopChecking(): Promise<boolean> {
    if (!hasStopped) {
      await database.write((sql) => sql`delete from findings where code = 'not-checked'`);
    }
    hasStopped = true;
    return false;
  }

  /** Once a day, derives what time alone changes; while off too, as reports and dates stay. */
  async function prepareDay(now: Date): Promise<void> {
    const today = now.toISOString().slice(0, 10);
    if (preparedOn === today) return;
    await repairClock(database, now);
    const ids = await database.read((sql) => listUnsettled(sql, today));
    const derive = (of: readonly string[]) => database.write((sql) => deriveDomains(sql, of, now));
    for (const some of chunks(ids, SAVE_SIZE)) {
      await isolate(some, derive, async (id, error) => {
        log.error(`The expiry of the domain ${id} could not be derived`, error);
      });
      await yieldToEventLoop();
    }
    preparedOn = today;
  }

  /** Leases and asks as much as each queue has room for; returns how many checks. */
  async function start(signal: AbortSignal): Promise<number> {
    const queues = await database.read(async (sql) => listDueQueues(sql, await readNow(sql)));
    let started = 0;
    for (const queue of queues) {
      if (signal.aborted) break;
      const asked = [...open].map((check) => check.queue);
      const room = isNetworkKind(queue) ? MAX_OPEN_OF_NETWORK : 1;
      const limit = room - asked.filter((each) => each === queue).length;
      if (limit === 0 || new Set(asked).add(queue).size > MAX_OPEN) continue;
      const leased = await database.write(async (sql) =>
        leaseChecks(sql, queue, { servers: servers(), now: await readNow(sql), limit }),
      );
      if (leased.length === 0) continue;
      started += leased.length;
      askedAt = performance.now();
      for (const check of leased) void ask(check, signal);
      await yieldToEventLoop();
    }
    return started;
  }

  async function ask(check: LeasedCheck, signal: AbortSignal): Promise<void> {
    open.add(check);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
    const asking = perform(runner, check, deadline).catch(failedCheck);
    const result = await asking.catch((error: unknown) => {
      if (deadline.aborted) return nothing("timeout");
      log.error(`The ${check.kind} check of ${check.name} failed`, error);
      return nothing("malformed");
    });
    // What a stop has cut off says nothing; `finish` gives it back.
    if (signal.aborted) return;
    open.delete(check);
    finished.add({ check, result });
    answered.resolve();
    answered = Promise.withResolvers();
  }

  async function flush(): Promise<number> {
    const batch = [...finished].slice(0, SAVE_SIZE);
    if (batch.length === 0) return 0;
    const save = async (write: typeof saveResults, some: readonly FinishedCheck[]) => {
      await database.write(async (sql) =>
        write(sql, some, { servers: servers(), now: await readNow(sql) }),
      );
      for (const each of some) finished.delete(each);
    };
    await isolate(
      batch,
      (some) => save(saveResults, some),
      async (one, error) => {
        const { kind, name } = one.check;
        log.error(`The result of the ${kind} check of ${name} could not be saved`, error);
        await save(saveUnreadable, [one]).catch((again: unknown) => {
          if (isUnavailable(again)) throw again;
          // Kept, it would be the first of each batch: its lease ends, and it is asked again.
          finished.delete(one);
        });
      },
    );
    await yieldToEventLoop();
    for (const { check, result } of batch) {
      const { kind } = check;
      CHECK_RESULTS.add({ kind, outcome: result.outcome });
      // Many names have no web server, and no name server that answers.
      if (kind === "tls" || kind === "http" || kind === "delegation") continue;
      if (SILENT.has(result.outcome)) silence.failures += 1;
      else silence = { failures: 0, until: 0 };
    }
    return batch.length;
  }

  /** If the resolvers do not know even `com`, our own network is down; else it is the domains. */
  async function judgeSilence(now: Date, signal: AbortSignal): Promise<void> {
    const { outcome } = await runner.outbound.ask({ name: "com", type: "NS" }, { signal });
    const isSilent = SILENT.has(outcome);
    if (isSilent && silence.until === 0) {
      log.warn("Checks: no registry or resolver answers. They are tried again every minute.");
    }
    silence = { failures: 0, until: isSilent ? now.getTime() + SILENCE_MS : 0 };
  }

  /** Saves what has come, and gives back the leases of the rest. */
  async function finish(): Promise<void> {
    const cut = [...open];
    try {
      while ((await flush()) > 0);
    } finally {
      if (cut.length > 0) await database.write((sql) => releaseLeases(sql, cut));
    }
  }

  return { name: "Checks", pauseMs: PAUSE_MS, round, finish };
}

/** Works on a batch, or where that fails on each item alone. @throws What `fail` does, or an outage. */
async function isolate<T>(
  batch: readonly T[],
  work: (some: readonly T[]) => Promise<unknown>,
  fail: (one: T, error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await work(batch);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const [one, other] = batch;
    if (one !== undefined && other === undefined) return fail(one, error);
    for (const each of batch) await isolate([each], work, fail);
  }
}

async function perform(
  runner: CheckRunner,
  check: LeasedCheck,
  signal: AbortSignal,
): Promise<FinishedCheck["result"]> {
  const { outbound, servers, ports } = runner;
  const { kind, name, link, askedAt: now } = check;
  const dns = { outbound, port: ports.dns, name, signal };
  switch (kind) {
    case "registry": {
      const url = registryUrl(name, servers());
      // Until it is planned again: another host has a pace of its own.
      if (url?.host !== check.queue) return nothing("unsupported");
      return askRdap(outbound, { url, name, from: "registry", now, signal });
    }
    case "registrar": {
      if (link === null) return nothing("unsupported");
      return askRdap(outbound, { url: new URL(link), name, from: "registrar", now, signal });
    }
    case "whois": {
      const server = findBySuffix(name, servers().whois);
      if (server?.host !== check.queue) return nothing("unsupported");
      return askWhois(outbound, { name, server, now, signal });
    }
    case "dns":
      return checkDns(dns);
    case "delegation":
      return confirmUnknownHosts(runner, await checkDelegation(dns), { check, signal });
    case "tls": {
      const before = parseResult("tls", check.result) ?? [];
      return checkTls(outbound, { name, port: ports.https, before, now, signal });
    }
    case "http":
      return checkWeb(outbound, { name, port: ports.http, signal });
  }
}

/** Where the registry of a name answers by RDAP, RFC 9082 §3.1.3. */
function registryUrl(name: string, { rdap }: LookupServers): URL | null {
  return URL.parse(`domain/${name}`, findBySuffix(name, rdap) ?? "");
}

/** Only its registry can say that a name server's domain is unregistered, until it denies it. */
async function confirmUnknownHosts(
  runner: CheckRunner,
  looked: CheckResult<DelegationResult>,
  { check, signal }: { check: LeasedCheck; signal: AbortSignal },
): Promise<CheckResult<DelegationResult>> {
  if (looked.result === null) return looked;
  const before = parseResult("delegation", check.result)?.unknownHosts ?? [];
  const unknownHosts: string[] = [];
  const unaskedHosts = [...looked.result.unaskedHosts];
  for (const name of looked.result.unknownHosts) {
    const isUnregistered = await askWhetherFree(runner, name, signal);
    if (isUnregistered === null) unaskedHosts.push(name);
    else if (isUnregistered) unknownHosts.push(name);
  }
  unknownHosts.push(...before.filter((name) => unaskedHosts.includes(name)));
  return { ...looked, result: { ...looked.result, unknownHosts, unaskedHosts } };
}

/** Asks a registry at its own pace; null: it may not be asked now, or does not say. */
async function askWhetherFree(
  { database, outbound, servers, readNow }: CheckRunner,
  name: string,
  signal: AbortSignal,
): Promise<boolean | null> {
  const url = registryUrl(name, servers());
  if (url === null) return false;
  const { host } = url;
  const askedAt = await database.write(async (sql) => {
    const now = await readNow(sql);
    return (await takeTurn(sql, host, { servers: servers(), now })) ? now : null;
  });
  if (askedAt === null) return null;
  const of = { url, name, from: "registry" as const, now: askedAt, signal };
  const answer = await askRdap(outbound, of).catch(failedCheck);
  await database.write(async (sql) => {
    const context = { servers: servers(), now: await readNow(sql) };
    await recordAnswers(sql, [{ check: { queue: host, askedAt }, result: answer }], context);
  });
  if (answer.outcome === "not-found") return true;
  return answer.result?.registered === true ? false : null;
}
