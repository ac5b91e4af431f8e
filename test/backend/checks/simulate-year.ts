import {
  createOutbound,
  type HttpAnswer,
  type Outbound,
} from "../../../src/backend/outbound/outbound.ts";
import { createCheckWork } from "../../../src/backend/checks/run-checks.ts";
import { createLoop } from "../../../src/backend/jobs/loop.ts";
import { mergeServers } from "../../../src/backend/checks/lookup-servers.ts";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { type Database, databaseClock } from "../../../src/backend/database/database.ts";
import { toColumns } from "../../../src/backend/domains/columns.ts";
import type { Resolver } from "../../../src/backend/outbound/resolver.ts";
import { UNKNOWN_VALUES } from "../../../src/shared/domain.ts";
import { rdapDomain, type Registered } from "../../support/fake-registry.ts";

const DAY_MS = 86_400_000;

/** Adds domains of which nothing is known but their expiry; null: that neither. */
export async function addNames(
  database: Database,
  expiries: ReadonlyMap<string, string | null>,
  at: string,
): Promise<void> {
  const rows = [...expiries].map(([name, instant]) => {
    const id = Bun.randomUUIDv7();
    const known = { date: instant?.slice(0, 10) ?? "", source: "manual", observedAt: at };
    const expires = instant === null ? null : { ...known, conflict: false, alternatives: [] };
    const domain = { ...UNKNOWN_VALUES, id, version: 1, name, unicode: name, expires };
    const tld = name.split(".").at(-1) ?? "";
    const rest = { id, version: 1, name, unicode: name, tld, created_at: at, updated_at: at };
    return Object.assign(toColumns(domain), rest);
  });
  await database.write((sql) => insertRows(sql, "domains", rows));
}

/** A registry of the simulation: it answers at once and counts who comes too fast. */
export interface SimulatedHost {
  asked: number;
  /** Questions closer than its hidden limit, which it answered with 429. */
  tooFast: number;
  lastAt: number;
  limitMs: number;
}

interface SimulationOptions {
  database: Database;
  /** Days of each name's expiry, as the registry tells them. */
  expiries: ReadonlyMap<string, string>;
  hosts: Readonly<Record<string, string>>;
  intervals: Readonly<Record<string, number>>;
  /** Hidden limits in milliseconds of the simulated clock. */
  limits?: Readonly<Record<string, number>>;
  clock: () => Date;
}

/** What the registry says at an instant of a name: at its expiry it adds a year, which it may take back. */
function registered(due: string, at: number): Registered {
  const expires = new Date(due).toISOString();
  const days = (at - Date.parse(due)) / DAY_MS;
  const locked = ["client transfer prohibited"];
  if (days < 0) return { expires, status: locked };
  const later = `${Number(expires.slice(0, 4)) + 1}${expires.slice(4)}`;
  const status = days < 45 ? ["auto renew period"] : locked;
  return { expires: later, changed: expires, status };
}

const quiet = { outcome: "nodata" as const, answers: [], authorities: [], authoritative: false };

/** A resolver that knows no records: the simulation is about registries. */
const RESOLVER: Resolver = {
  ask: async () => quiet,
  addressesOf: async () => ({ outcome: "nodata" as const, addresses: [] }),
};

/**
 * Runs the checks against registries of this process. Each `start` is an instance of its own, on the
 * database that it is given or on the one of all.
 */
export function startSimulation(options: SimulationOptions) {
  const { database, expiries, clock, intervals, limits = {} } = options;
  const hosts = new Map<string, SimulatedHost>();
  const lookedAt = new Map<string, number[]>();

  async function request(url: URL): Promise<HttpAnswer> {
    const at = clock().getTime();
    const limitMs = limits[url.host] ?? 0;
    const host = hosts.get(url.host) ?? { asked: 0, tooFast: 0, lastAt: -Infinity, limitMs };
    hosts.set(url.host, host);
    host.asked += 1;
    const isTooFast = at - host.lastAt < limitMs;
    host.lastAt = at;
    const name = url.pathname.split("/").at(-1) ?? "";
    const answer = { headers: {}, body: "" };
    if (isTooFast) {
      host.tooFast += 1;
      return { ...answer, status: 429 };
    }
    const expires = expiries.get(name);
    if (expires === undefined) return { ...answer, status: 404 };
    lookedAt.set(name, [...(lookedAt.get(name) ?? []), at]);
    const body = rdapDomain(name, registered(expires, at));
    return { ...answer, status: 200, body: JSON.stringify(body) };
  }

  const mayConnect = () => true;
  const outbound: Outbound = { ...createOutbound({ resolver: RESOLVER, mayConnect }), request };
  const rdap = new Map(Object.entries(options.hosts));
  const servers = mergeServers(new Map(), { rdap, whois: new Map(), intervals });
  const start = (own = database, loop = createLoop()) => {
    const work = createCheckWork({
      database: own,
      outbound,
      servers: () => servers,
      ports: { dns: 53, http: 80, https: 443 },
      readNow: databaseClock(clock),
      isOn: async () => true,
    });
    return { wake: loop.add(work), stop: loop.stop };
  };
  return { hosts, lookedAt, start };
}
