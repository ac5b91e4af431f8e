import type { BackendOptions } from "../../src/backend/backend.ts";
import {
  type ListedName,
  NOTHING_TOLD,
  type ReadAccount,
  type Reading,
} from "../../src/backend/accounts/reading.ts";
import { parseAccount, parseAccountNames, type NameClass } from "../../src/shared/accounts.ts";
import { parseDomainDetail } from "../../src/shared/domain-detail.ts";
import { parseDeliveries } from "../../src/shared/reminders.ts";
import { startBackend } from "./backend-server.ts";
import { createSteppedLoop } from "./stepped-loop.ts";

/** A name as a list has it, of which only some is told. */
export type Listed = Partial<ListedName> & { name: string };

export function listedName(known: Listed): ListedName {
  return { ...NOTHING_TOLD, reason: null, detailAt: null, ...known };
}

export function reading(
  names: readonly Listed[],
  more: Partial<Omit<Reading, "names">> = {},
): Reading {
  const about = { outcome: "ok" as const, detail: "", retryAfterMs: null, skipped: [], left: [] };
  return { ...about, ...more, names: names.map(listedName) };
}

/** Keys of the accounts of tests: none of them may be found anywhere. */
export const SECRET = "s3cr3t-k3y-0f-a-r3g1strar";

/**
 * A backend that reads accounts from what a test gives, at a time that can be moved; nothing happens
 * but in a step. `readings` are by the key of the account, one reading each or what makes it.
 */
export async function startAccounts(options: Partial<BackendOptions> = {}) {
  const time = { now: Date.parse("2027-02-28T12:00:00Z") };
  const loop = createSteppedLoop();
  const readings = new Map<string, Reading>();
  const calls: string[] = [];
  const read: ReadAccount = async (_registrar, fields, { keepLease }) => {
    const key = fields["apikey"] ?? fields["token"] ?? fields["key"] ?? "";
    calls.push(key);
    await keepLease();
    return readings.get(key) ?? reading([]);
  };
  const server = await startBackend({
    clock: () => new Date(time.now),
    loop,
    credentialsKey: Buffer.alloc(32, 7).toString("base64"),
    accounts: { read },
    reminders: { allow: ["127.0.0.0/8"] },
    ...options,
  });
  const client = await server.owner();
  const show = (id: string) => client.json(`/api/accounts/${id}`).then(parseAccount);
  return {
    server,
    client,
    time,
    readings,
    calls,
    step: loop.step,
    show,
    /** When an account is read next, in milliseconds. */
    nextAt: async (id: string) => Date.parse((await show(id)).nextAt ?? ""),
    /** What the next readings of an account bring. */
    list: (label: string, ...given: Parameters<typeof reading>) =>
      void readings.set(label, reading(...given)),
    domain: async (name: string) =>
      parseDomainDetail(await client.json(`/api/domains/${name}.example`)),
    /** Adds a channel at which no one listens; returns what reads the messages to it. */
    async addChannel() {
      const json = { kind: "webhook", name: "Hook", target: "http://127.0.0.1:9/" };
      await client.post("/api/channels", json);
      return async () => parseDeliveries(await client.json("/api/deliveries")).items;
    },
    /** Adds an account with this label, whose readings are under the same key. */
    async add(label: string, more: object = {}) {
      const fields = { apikey: label, secretapikey: SECRET };
      const json = { registrar: "porkbun", label, fields, test: false, ...more };
      return parseAccount(await (await client.post("/api/accounts", json)).json());
    },
    post: (id: string, action: string, json: object = {}) =>
      client.post(`/api/accounts/${id}/${action}`, json),
    async patch(id: string, json: object, version?: number) {
      const headers = { "If-Match": `"${version ?? (await show(id)).version}"` };
      return client.request(`/api/accounts/${id}`, { method: "PATCH", json, headers });
    },
    /** Has an account read now; the clock goes on, so that it may be asked for. */
    async read(id: string, at?: string) {
      time.now = at === undefined ? time.now + 86_400_000 : Date.parse(at);
      const asked = await client.post(`/api/accounts/${id}/read`, {});
      await loop.step();
      return asked.status;
    },
    async names(id: string, of: NameClass) {
      const page = await client.json(`/api/accounts/${id}/names?class=${of}`);
      return parseAccountNames(page).items;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
