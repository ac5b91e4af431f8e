import { join } from "node:path";
import { addDays, type Day } from "../../../src/shared/day.ts";
import { UNKNOWN_VALUES } from "../../../src/shared/domain.ts";
import { toColumns } from "../../../src/backend/domains/columns.ts";
import type { Database } from "../../../src/backend/database/database.ts";
import { addDelivery } from "../../../src/backend/reminders/deliveries.ts";
import { EMPTY_PAYLOAD } from "../../../src/backend/reminders/payload.ts";
import { firstState, saveState } from "../../../src/backend/reminders/reminder-settings.ts";
import type { RemindersOptions } from "../../../src/backend/reminders/reminders.ts";

const SCRIPT = join(import.meta.dir, "..", "..", "support", "serve-backend.ts");

/** Webhooks to this machine, without waiting. */
export const OPTIONS: RemindersOptions = { allow: ["127.0.0.0/8"], pollMs: 20 };

/** Backends in processes of their own, whose reminders run until somebody kills them. */
export function spawnReminders(
  count: number,
  databaseUrl: string,
  options: Partial<RemindersOptions> = {},
) {
  const reminders = JSON.stringify({ reminders: { ...OPTIONS, ...options } });
  const command = [process.execPath, SCRIPT, databaseUrl, reminders];
  return Array.from({ length: count }, () =>
    Bun.spawn(command, { stdout: "ignore", stderr: "inherit" }),
  );
}

/**
 * Lets processes run until something is so, kills them, and lets a minute pass, after which what they were
 * sending is due again.
 */
export async function runUntil(
  children: readonly Bun.Subprocess[],
  database: Database,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  try {
    while (!(await isSo())) await Bun.sleep(10);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map(({ exited }) => exited));
    await database.write((sql) => sql`update deliveries set leased_until = null`);
  }
}

/** A row of `domains` that expires on a day. */
export function domainRow(id: string, tld: string, day: Day) {
  const about = { id, version: 1, name: `${id}.${tld}`, unicode: `${id}.${tld}` };
  const expiry = { expires_on: day, expires_earliest: day, expires_source: "manual" };
  const times = { created_at: "", updated_at: "", expires_observed_at: "" };
  return { ...toColumns({ ...UNKNOWN_VALUES, ...about }), ...about, tld, ...expiry, ...times };
}

/** Adds a channel with `count` messages that wait, and a message of the day that is to be made. */
export async function addWaiting(
  database: Database,
  { kind, target, count }: { kind: "webhook" | "mail"; target: string; count: number },
): Promise<void> {
  const now = new Date();
  const at = now.toISOString();
  const choice = { timeZone: "UTC", hour: 8, quietDays: [], thresholds: [30], escalation: null };
  const domain = domainRow("a", "example", addDays(at.slice(0, 10), 5));
  const channel = { id: "c", kind, target, name: kind, filter: "", rhythm: "daily" };
  await database.write(async (sql) => {
    await sql`insert into domains ${sql(domain)}`;
    await sql`insert into settings ${sql({ name: "reminders", value: JSON.stringify(choice) })}`;
    await saveState(sql, { ...firstState(now, choice), baselineAt: null, nextAt: at });
    await sql`insert into channels ${sql({ ...channel, state: "working", created_at: at })}`;
    for (let index = 0; index < count; index += 1) {
      const message = { type: "channel.test", payload: EMPTY_PAYLOAD, at: now } as const;
      await addDelivery(sql, { channelId: "c", key: `test:${index}`, ...message });
    }
  });
}

/**
 * An HTTP server that counts the messages that come, by their ids. It answers none before so many
 * processes have sent it one.
 */
export function startReceiver(processes: number) {
  const counts = new Map<string, number>();
  const gate = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const id = request.headers.get("webhook-id") ?? "";
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (counts.size >= processes) gate.resolve();
      await gate.promise;
      // Longer than the way to the commit: a kill falls into either.
      await Bun.sleep(5 * Math.random());
      return new Response("ok");
    },
  });
  return { url: server.url.href, counts, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** The ids and states of all messages, by their keys. */
export async function readDeliveries(database: Database) {
  const rows = await database.read(
    (sql) => sql<{ id: string; key: string; state: string }[]>`
      select id, delivery_key as key, state from deliveries order by delivery_key`,
  );
  return [...rows];
}
