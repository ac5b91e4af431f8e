import { yieldToEventLoop, type Database } from "../database/database.ts";
import { startWorker, type Worker } from "../jobs/worker.ts";
import type { AddressRule } from "../outbound/addresses.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Resolver } from "../outbound/resolver.ts";
import type { CheckResult } from "./check-result.ts";
import { checkDelegation } from "./delegation.ts";
import { checkDns } from "./dns.ts";
import { askRdap, findRdapServer, type RdapResult } from "./rdap.ts";
import { saveResults, type FinishedCheck } from "./save-results.ts";
import type { Sources } from "./sources.ts";
import { type LeasedCheck, leaseChecks, listDueQueues, planMissing } from "./store.ts";
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
  /** Derives expiry and findings of domains anew. Inside a write. */
  derive: (sql: Bun.SQL, ids: readonly string[], now: Date) => Promise<void>;
}

/** Milliseconds between two looks for what is due. */
const PAUSE_MS = 1_000;

/** Milliseconds after which other hosts are looked at while answers are still awaited. */
const WAIT_MS = 250;

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

  async function round(signal: AbortSignal): Promise<boolean> {
    const { database, sources, clock } = runner;
    if (!(await runner.isOn())) return false;
    const planned = await database.write((sql) => planMissing(sql, sources(), clock()));
    const started = await start(signal);
    const saved = await flush();
    if (started + saved === 0 && open.size > 0) await Promise.race([...open, Bun.sleep(WAIT_MS)]);
    return planned + started + saved + open.size + finished.length > 0;
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
    const { database, sources, clock, derive } = runner;
    const batch = finished.splice(0, SAVE_SIZE);
    if (batch.length === 0) return 0;
    const now = clock();
    await database.write(async (sql) => {
      const ids = await saveResults(sql, batch, { sources: sources(), now });
      await derive(sql, ids, now);
    });
    await yieldToEventLoop();
    return batch.length;
  }

  return startWorker("Checks", PAUSE_MS, round);
}

/** Asks what a check is about. */
function perform(
  { outbound, resolver, mayConnect, sources, clock }: CheckRunner,
  { kind, name, link }: LeasedCheck,
  signal: AbortSignal,
): Promise<CheckResult<unknown> | RdapResult> {
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
      return checkDelegation({ resolver, mayConnect, name, signal });
    case "tls":
      return checkTls(outbound, { name, signal });
    case "http":
      return checkWeb(outbound, { name, signal });
  }
}

/** A source that the operator has taken away since the check was planned. */
async function unsupported(source: string): Promise<CheckResult<never>> {
  return { outcome: "unsupported", source, detail: null, result: null, retryAfterMs: null };
}
