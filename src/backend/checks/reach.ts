import type { SQL } from "bun";
import { CHECK_KINDS, type CheckKind, type Reach } from "../../shared/check-summary.ts";
import { DAY_MS, HOUR_MS, type Instant } from "../../shared/day.ts";
import * as p from "../../shared/parse.ts";
import { readSetting, saveSetting } from "../database/setting-store.ts";
import { SILENT } from "./check-result.ts";
import type { FinishedCheck } from "./queues.ts";
import { isNetworkKind } from "../domains/write/check-now.ts";

type Run = p.Parsed<typeof parseRun>;

const parseRun = p.object({
  answeredAt: p.nullable(p.text),
  failedAt: p.nullable(p.text),
  /** Failures in a row and different hosts among them, counted up to the limits below. */
  failures: p.number,
  hosts: p.list(p.text),
});

const NEW_RUN: Run = { answeredAt: null, failedAt: null, failures: 0, hosts: [] };

/** By kind; `any` is of all of them. */
const parseRuns = p.object({ startedAt: p.text, runs: p.record(parseRun) });

const NAME = "checks reach";

const MIN_FAILURES = 10;
const MIN_HOSTS = 3;
const SILENCE_MS = HOUR_MS;

/** After this long without a look the count starts again: checks were off, or the program did not run. */
const MAX_PAUSE_MS = 2 * DAY_MS;

/** Kinds that are always answered: many domains have no website, and registrars no RDAP. */
const JUDGED: ReadonlySet<string> = new Set<CheckKind>(["registry", "whois", "dns", "delegation"]);

/** Outcomes without a question. */
const NOT_ASKED: ReadonlySet<string> = new Set(["blocked", "unsupported", "off"]);

export async function readRuns(sql: SQL, now: Date): Promise<p.Parsed<typeof parseRuns>> {
  const stored = await readSetting(sql, NAME, p.orElse(p.nullable(parseRuns), null));
  const any = stored?.runs["any"] ?? NEW_RUN;
  const oldest = new Date(now.getTime() - MAX_PAUSE_MS).toISOString();
  const isGoingOn = [stored?.startedAt, any.answeredAt, any.failedAt].some(
    (instant) => (instant ?? "") >= oldest,
  );
  return stored !== null && isGoingOn ? stored : restart(stored?.runs ?? {}, now);
}

/** Forgets failures: checks that are turned on have not failed yet. */
export async function restartRuns(sql: SQL, now: Date): Promise<void> {
  await saveSetting(sql, NAME, restart((await readRuns(sql, now)).runs, now));
}

function restart(known: Readonly<Record<string, Run>>, now: Date) {
  const runs = Object.entries(known).map(([kind, { answeredAt }]) => {
    return [kind, { ...NEW_RUN, answeredAt }] as const;
  });
  return { startedAt: minuteOf(now), runs: Object.fromEntries(runs) };
}

/** Counts who answers, in one row that is written once a minute at most. */
export async function recordLooks(
  sql: SQL,
  finished: readonly FinishedCheck[],
  now: Date,
): Promise<void> {
  const before = await readRuns(sql, now);
  const runs = { ...before.runs };
  for (const { check, result } of finished) {
    const { kind, name, queue } = check;
    // This machine may be what said that a name has no address.
    if (NOT_ASKED.has(result.outcome) || (kind === "tls" && result.outcome === "absent")) continue;
    const hosts = { [kind]: name, any: isNetworkKind(queue) ? name : queue };
    for (const [key, host] of Object.entries(hosts)) {
      const run = runs[key] ?? NEW_RUN;
      if (!SILENT.has(result.outcome)) runs[key] = { ...NEW_RUN, answeredAt: minuteOf(now) };
      else runs[key] = JUDGED.has(kind) ? addFailure(run, host, now) : run;
    }
  }
  if (!Bun.deepEquals(runs, before.runs)) {
    await saveSetting(sql, NAME, { startedAt: before.startedAt, runs });
  }
}

function addFailure({ answeredAt, failures, hosts }: Run, host: string, now: Date): Run {
  return {
    answeredAt,
    failedAt: minuteOf(now),
    failures: Math.min(failures + 1, MIN_FAILURES),
    hosts: [...new Set([...hosts, host])].slice(0, MIN_HOSTS),
  };
}

function minuteOf(now: Date): Instant {
  return `${now.toISOString().slice(0, 16)}:00.000Z`;
}

export async function readReach(sql: SQL, now: Date): Promise<Reach> {
  const { startedAt, runs } = await readRuns(sql, now);
  const any = runs["any"] ?? NEW_RUN;
  const kinds = CHECK_KINDS.flatMap((kind) => {
    const run = runs[kind];
    return run ? { kind, answeredAt: run.answeredAt, isSilent: isSilent(run) } : [];
  });
  const heard = (any.answeredAt ?? "") < startedAt ? "starting" : "answering";
  const some = kinds.some((each) => each.isSilent) ? "partly" : heard;
  return { state: isSilent(any) ? "silent" : some, answeredAt: any.answeredAt, kinds };
}

function isSilent({ answeredAt, failedAt, failures, hosts }: Run): boolean {
  if (failedAt === null || failures < MIN_FAILURES || hosts.length < MIN_HOSTS) return false;
  return answeredAt === null || Date.parse(failedAt) - Date.parse(answeredAt) >= SILENCE_MS;
}
