import { insertRows, type SqlRow } from "../../src/backend/database/bulk-rows.ts";
import { findChannel } from "../../src/backend/reminders/channel-store.ts";
import { evaluateReminders, planEvaluation } from "../../src/backend/reminders/evaluate.ts";
import { renderMessage } from "../../src/backend/reminders/message.ts";
import type { MessageType, Payload } from "../../src/backend/reminders/payload.ts";
import { readState } from "../../src/backend/reminders/reminder-settings.ts";
import type { Domain } from "../../src/shared/domain.ts";
import type { Channel } from "../../src/shared/reminders.ts";
import { startBackend } from "./backend-server.ts";
import { addDomain, patchDomain } from "./domains.ts";

export type ReminderRegister = Awaited<ReturnType<typeof startReminders>>;

export interface Told {
  channel: string;
  type: MessageType;
  key: string;
  payload: Payload;
  /** `name threshold reason` of each. */
  names: string[];
}

/** A register whose reminders are evaluated when a test says so, and whose clock stands still meanwhile. */
export async function startReminders(options: { publicUrl?: string; now?: string } = {}) {
  const { now: start = "2026-01-01T00:00:00Z", ...links } = options;
  let now = new Date(start);
  const mail = { smtpUrl: "smtp://127.0.0.1:9", mailFrom: "a@b.example" };
  const reminders = { ...mail, ...links, pollMs: 2 ** 31 - 1 };
  const server = await startBackend({ clock: () => now, reminders });
  const client = await server.owner();
  const database = await server.openDatabase();
  const seen = new Set<string>();

  async function collect(): Promise<Told[]> {
    const rows = await database.read(
      (sql) => sql<{ channel: string; type: MessageType; key: string; payload: string }[]>`
        select channel_id as channel, type, delivery_key as key, payload from deliveries
        order by created_at, id`,
    );
    const added = rows.filter(({ key }) => !seen.has(key));
    const domains = await database.read(
      (sql) => sql<{ id: string; name: string }[]>`select id, name from domains`,
    );
    const names = new Map(domains.map(({ id, name }) => [id, name]));
    for (const { key } of added) seen.add(key);
    return added.map((row) => {
      const payload: Payload = JSON.parse(row.payload);
      const listed = payload.names.map(
        ({ domainId, threshold, reason, finding }) =>
          `${names.get(domainId)} ${finding ?? threshold} ${reason}`,
      );
      return Object.assign(row, { payload, names: listed });
    });
  }

  return {
    server,
    client,
    database,
    /** Adds a domain that may lapse unless `values` say otherwise. */
    add: (name: string, expires: string | null, values: object = {}) =>
      addDomain(client, { name, expires, autoRenew: false, ...values }),
    /** Adds domains like another, which expire on a day; returns their ids. */
    addCopies: ({ id }: Domain, count: number, day: string) =>
      database.write(async (sql) => {
        const [row] = await sql<SqlRow[]>`select * from domains where id = ${id}`;
        const expiry = { expires_on: day, expires_earliest: day };
        const ids = Array.from({ length: count }, () => Bun.randomUUIDv7());
        const copies = ids.map((copy, index) => {
          const name = `copy${index}.${day}.example`;
          return { ...row, ...expiry, id: copy, name, unicode: name, sort_name: name };
        });
        await insertRows(sql, "domains", copies);
        return ids;
      }),
    /** Changes a domain, whatever its version. */
    async change(id: string, values: object) {
      const response = await patchDomain(client, id, values, "*");
      if (!response.ok) throw new Error(await response.text());
    },
    /** A channel that keeps what it is told, as it is paused unless `values` say otherwise. */
    async addChannel({ person = null, changes = false, ...values }: Partial<Channel> = {}) {
      const id = values.id ?? Bun.randomUUIDv7();
      const row = { id, kind: "webhook", name: id, target: "https://x.example", filter: "" };
      const about = { rhythm: "daily", state: "paused", created_at: now.toISOString(), ...values };
      const numbers = { person_id: person, changes: Number(changes) };
      await database.write(
        (sql) => sql`insert into channels ${sql({ ...row, ...about, ...numbers })}`,
      );
      return id;
    },
    /** Turns reminders on or changes them, at an instant. */
    async put(at: string, choice: object = {}) {
      now = new Date(at);
      const response = await client.request("/api/reminders", { method: "PUT", json: choice });
      // The backend evaluates at once what is new: a test goes on after that.
      while (response.ok && (await database.read(readState))?.baselineAt) await Bun.sleep(5);
      return response;
    },
    /** What the process does every few seconds; returns the messages that were added meanwhile. */
    async evaluate(at: string) {
      now = new Date(at);
      const plan = await database.read((sql) => planEvaluation.run(sql, { now }));
      // Not `writeMany`: SQLite would load a thread for each.
      if (plan === "evaluate") await database.write((sql) => evaluateReminders.run(sql, { now }));
      return collect();
    },
    /** What a channel is sent now of what it was told. */
    render: (id: string, told: Pick<Told, "type" | "payload">, publicUrl: string | null = null) =>
      database.read(async (sql) => {
        const channel = await findChannel(sql, id);
        return renderMessage(sql, { id: "d1", ...told }, channel, {
          now,
          brand: "Acme",
          publicUrl,
        });
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
