import type { SQL } from "bun";
import { HOUR_MS } from "../../shared/day.ts";
import { parseChecksChoice, parseChecksStatus, type ChecksStatus } from "../../shared/checks.ts";
import { CHECK_KINDS } from "../../shared/check-summary.ts";
import * as p from "../../shared/parse.ts";
import { recordRequest } from "../audit/audit.ts";
import { type Database, readColumn, databaseClock } from "../database/database.ts";
import { checkNow, isNetworkKind } from "../domains/write/check-now.ts";
import { missingDomain } from "../domains/write/save-domain.ts";
import { CHECKS_OFF, type DomainChecks } from "../domains/domain-routes.ts";
import { NO_PARAMETERS } from "../http/read-input.ts";
import { RequestError } from "../http/request-error.ts";
import { route } from "../http/route.ts";
import { createAddressRule } from "../outbound/addresses.ts";
import { createOutbound } from "../outbound/outbound.ts";
import type { Loop } from "../jobs/loop.ts";
import type { Resolver } from "../outbound/resolver.ts";
import { readSetting, saveSetting } from "../database/setting-store.ts";
import { finishTime } from "./host-pace.ts";
import {
  type LookupServers,
  mergeServers,
  parseOwnServers,
  planChecks,
  refreshBootstrap,
  SHIPPED,
} from "./lookup-servers.ts";
import { readDomainChecks } from "./stored-checks.ts";
import { readReach, restartRuns } from "./reach.ts";
import { createCheckWork, type Ports } from "./run-checks.ts";
import { readProgress, eachQueue } from "./queues.ts";
import type { Gauge } from "../database/metrics.ts";
import { CHECK_RESULTS } from "./check-result.ts";

export interface ChecksOptions {
  /** `CHECKS`; without it the owner chooses. */
  mode?: "on" | "off" | null;
  /** `CHECKS_ALLOW`: private networks that may be connected to. */
  allow?: readonly string[];
  /** The parsed JSON of `CHECKS_SOURCES`. */
  sources?: unknown;
  /** For tests. */
  ports?: Ports;
}

/** Checks names once the owner has agreed. @throws {ParseError} For `sources`. */
export function createChecks(
  database: Database,
  { mode = null, allow = [], sources, ports = { dns: 53, http: 80, https: 443 } }: ChecksOptions,
  { loop, resolver, clock }: { loop: Loop; resolver: Resolver; clock: (() => Date) | undefined },
) {
  const own = parseOwnServers(sources ?? {});
  const readClock = clock ?? (() => new Date());
  const readNow = databaseClock(clock);
  let bootstrap = SHIPPED;
  let servers = mergeServers(bootstrap.servers, own);
  const outbound = createOutbound({
    resolver,
    mayConnect: createAddressRule(allow),
    ports: [...portsOf(own), ...Object.values(ports)],
  });
  const readChoice = async (sql: SQL) => {
    const choice = await readSetting(sql, CHOICE, p.boolean);
    return { on: mode === null ? choice === true : mode === "on", choice };
  };
  const isOnIn = async (sql: SQL) => (await readChoice(sql)).on;
  const isOn = () => database.read(isOnIn);

  const oldestDue: Gauge = [
    "freehold_checks_oldest_due_seconds",
    "How long the oldest due check has waited, while checks are on; 0 if none is due.",
    async (sql, at) =>
      (await isOnIn(sql))
        ? sql`${eachQueue(sql)} select min((select min(due_at) from checks c
            where c.queue = q.queue and c.due_at <= ${at})) as since from queues q`
        : null,
  ];

  const wake = loop.add(
    createCheckWork({ database, outbound, servers: () => servers, ports, readNow, isOn }),
  );
  loop.add({
    name: "Refreshing the RDAP bootstrap",
    pauseMs: HOUR_MS,
    async round(signal) {
      if (!(await isOn())) return false;
      bootstrap = await refreshBootstrap(database, outbound, { now: readClock(), signal });
      servers = mergeServers(bootstrap.servers, own);
      return false;
    },
  });

  async function readState(sql: SQL): Promise<Pick<ChecksStatus, "on" | "choice" | "reach">> {
    const state = await readChoice(sql);
    return { ...state, reach: state.on ? await readReach(sql, readClock()) : null };
  }

  async function readStatus(): Promise<ChecksStatus> {
    const now = readClock();
    const progress = await database.readMany(readProgress, now.toISOString());
    const { queues, outcomes, hosts, tlds, nextAt } = progress;
    const due = queues.reduce((sum, queue) => sum + queue.due, 0);
    const ends = queues.map((queue) => {
      const pace = hosts.find(({ host }) => host === queue.queue);
      return pace === undefined ? now.getTime() : finishTime(pace, queue.due, now);
    });
    return {
      ...(await database.read(readState)),
      fixed: mode !== null,
      due,
      running: queues.reduce((sum, queue) => sum + queue.running, 0),
      estimate: due === 0 ? null : new Date(Math.max(...ends)).toISOString(),
      nextAt,
      hosts,
      bootstrap: { publication: bootstrap.publication, tlds: bootstrap.servers.size },
      outcomes: Object.fromEntries(outcomes.map(({ outcome, checks }) => [outcome, checks])),
      unsupported: tlds.filter((tld) =>
        planChecks(`x.${tld}`, servers).every(({ kind }) => isNetworkKind(kind)),
      ),
    };
  }

  return {
    routes: [
      route("GET /api/checks", "viewer", {
        summary: "Read the progress of the live checks",
        query: NO_PARAMETERS,
        answer: parseChecksStatus,
        handle: readStatus,
      }),
      route("PUT /api/checks", "owner", {
        summary: "Turn the live checks on or off",
        body: parseChecksChoice,
        answer: parseChecksStatus,
        problems: [409],
        async handle(context) {
          const { on } = context.body;
          if (mode !== null) throw new RequestError(409, `CHECKS=${mode} is set on this server.`);
          await context.database.write(async (sql) => {
            await saveSetting(sql, CHOICE, on);
            const about = { subject: "Live checks", detail: on ? "on" : "off" };
            await recordRequest(sql, context, "settings-changed", about);
            if (on) await restartRuns(sql, await readNow(sql));
          });
          wake();
          return readStatus();
        },
      }),
      route("POST /api/domains/:id/check", "editor", {
        summary: "Check a domain now",
        body: parseKinds,
        answer: p.object({}),
        statuses: [202],
        problems: [409],
        async handle(context) {
          const { id } = context.params;
          const { kinds = CHECK_KINDS } = context.body;
          if (!(await isOn())) throw new RequestError(409, CHECKS_OFF);
          await context.database.write(async (sql) => {
            const [archivedOn] = await readColumn<string | null>(
              sql`select archived_on from domains where id = ${id}`,
            );
            if (archivedOn === undefined) throw missingDomain();
            if (archivedOn !== null) {
              throw new RequestError(409, "This domain is archived, so it is not checked.");
            }
            await checkNow(sql, [id], kinds, await readNow(sql));
          });
          wake();
          return {};
        },
      }),
    ],
    ofDomains: {
      isOn: isOnIn,
      read: readDomainChecks,
      async summarise() {
        const { choice, reach } = await database.read(readState);
        return { ask: mode === null && choice === null, reach };
      },
    } satisfies DomainChecks,
    gauges: [oldestDue],
    counters: [CHECK_RESULTS],
  };
}

const parseKinds = p.exactObject({ kinds: p.optional(p.list(p.oneOf(CHECK_KINDS))) });

const CHOICE = "checks";

function portsOf({ rdap, whois }: LookupServers): number[] {
  const urls = [...rdap.values()].map((url) => new URL(url).port);
  const hosts = [...whois.values()].map(({ host }) => host.split(":")[1]);
  return [...urls, ...hosts].filter(Boolean).map(Number);
}
