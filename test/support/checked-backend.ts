import type { ChecksOptions } from "../../src/backend/checks/checks.ts";
import { parseChecksStatus } from "../../src/shared/checks.ts";
import { parseSavedDomain } from "../../src/shared/domain.ts";
import { parseDomainDetail } from "../../src/shared/domain-detail.ts";
import { startBackend } from "./backend-server.ts";
import { type DnsReply, startDnsServer } from "./dns-server.ts";
import { type Known, startFakeRegistry } from "./fake-registry.ts";
import { future } from "./future.ts";
import { createSteppedLoop } from "./stepped-loop.ts";

interface CheckedOptions {
  mode?: ChecksOptions["mode"];
  /** Milliseconds between two questions to the registry. */
  intervalMs?: number;
  /** Other suffixes with a registry, by address. */
  rdap?: Readonly<Record<string, string>>;
  https?: number;
  /** By default one of its own. */
  databaseUrl?: string;
}

/** What the zones above say: that the server of the test is theirs; undefined to any other question. */
export function answerAbove(asked: string): DnsReply | undefined {
  const [name = "", type] = asked.split(" ");
  if (type === "NS" && !name.includes(".")) return { answers: [{ type, name, data: "a.test" }] };
  if (asked !== "a.test A") return undefined;
  return { answers: [{ type: "A", name, data: "127.0.0.1" }] };
}

/**
 * A backend whose checks ask a registry and a resolver of this test, which is every authoritative
 * server as well, at a time that can be moved; nothing happens but in a step.
 */
export async function startChecked({
  mode = "on",
  intervalMs = 0,
  rdap = {},
  https = 1,
  databaseUrl,
}: CheckedOptions = {}) {
  const registry = startFakeRegistry();
  const zone = { answer: (_asked: string, _recurse: boolean): DnsReply => ({ rcode: 3 }) };
  const dns = await startDnsServer((query) => {
    const { name = "", type = "" } = query.questions?.[0] ?? {};
    return zone.answer(`${name.toLowerCase()} ${type}`, query.flag_rd);
  });
  const time = { now: Date.parse(future("2026-11-22T12:00:00Z")) };
  const loop = createSteppedLoop();
  const options = {
    clock: () => new Date(time.now),
    dnsServers: [`127.0.0.1:${dns.server.port}`],
    checks: {
      mode,
      allow: ["127.0.0.0/8"],
      sources: {
        rdap: { com: registry.url, ...rdap },
        intervals: { [registry.host]: intervalMs },
      },
      ports: { dns: dns.server.port, http: 1, https },
    },
  };
  const server = await startBackend({
    ...options,
    ...(databaseUrl !== undefined && { databaseUrl }),
    loop,
  });
  const client = await server.owner();
  const read = (name: string) => client.json(`/api/domains/${name}`).then(parseDomainDetail);
  return {
    registry,
    dns,
    zone,
    options,
    server,
    client,
    time,
    step: loop.step,
    /** Adds a domain, of which the registry knows this. */
    add(domain: { name: string; [field: string]: unknown }, known?: Known) {
      if (known !== undefined) registry.names.set(domain.name, known);
      return client.json("/api/domains", { method: "POST", json: domain }).then(parseSavedDomain);
    },
    read,
    codes: async (name: string) => (await read(name)).findings.map(({ code }): string => code),
    /** Makes checks due at once. */
    check: (id: string, ...kinds: string[]): Promise<Response> =>
      client.request(`/api/domains/${id}/check`, { method: "POST", json: { kinds } }),
    turn: (on: boolean): Promise<Response> =>
      client.request("/api/checks", { method: "PUT", json: { on } }),
    status: () => client.json("/api/checks").then(parseChecksStatus),
    /** Another instance on the same register, with steps of its own. */
    async startOther(checks: Partial<ChecksOptions> = {}) {
      const steps = createSteppedLoop();
      const { databaseUrl: url } = server;
      const both = { ...options, checks: { ...options.checks, ...checks }, databaseUrl: url };
      const other = await startBackend({ ...both, loop: steps });
      return Object.assign(other, { step: steps.step });
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
      dns[Symbol.dispose]();
    },
  };
}
