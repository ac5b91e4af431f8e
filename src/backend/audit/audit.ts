import type { SQL } from "bun";
import { parseAuditPage, type AuditAction, type AuditEntry } from "../../shared/audit.ts";
import { DAY_SECONDS } from "../../shared/day.ts";
import { type Database, databaseClock, instantIn } from "../database/database.ts";
import { PAGE_SIZE, pageOf, parsePage } from "../http/paging.ts";
import { route, type UserAccount, type RequestContext, type User } from "../http/route.ts";

const KEPT_SECONDS = 365 * DAY_SECONDS;

const MAX_FAILURES_PER_HOUR = 200;

/** What happened, who did it, and from where; a command on the machine itself has no address. */
export interface Audited {
  action: AuditAction;
  /** Null where the user is unknown, as for a failed sign-in. */
  by: (Pick<UserAccount, "id" | "name"> & Partial<Pick<User, "token">>) | null;
  address: string | null;
  /** Names what it happened to: the address of a person, the name of a channel. Never a secret. */
  subject?: string | undefined;
  detail?: string | undefined;
}

/** Belongs in the transaction of what it is about. Only `sweepAudit` removes an entry. */
export async function recordAudit(sql: SQL, { action, by, address, subject, detail }: Audited) {
  const now = await databaseClock()(sql);
  const row = {
    // The log is in the order of its ids: those of instances whose clocks differ, too.
    id: Bun.randomUUIDv7("hex", now),
    at: now.toISOString(),
    address,
    action,
    by_id: by?.id ?? null,
    by_name: by?.name ?? null,
    token_id: by?.token?.id ?? null,
    token_name: by?.token?.name ?? null,
    subject: subject ?? null,
    detail: detail ?? null,
  };
  await sql`insert into audit ${sql(row)}`;
}

export function recordRequest(
  sql: SQL,
  { user, peer }: Pick<RequestContext<"", "viewer">, "user" | "peer">,
  action: AuditAction,
  about: Pick<Audited, "subject" | "detail"> = {},
): Promise<void> {
  return recordAudit(sql, { action, by: user, address: peer.address, ...about });
}

/** Records at most 200 failures an hour: with many addresses an attacker could fill the disk. */
export async function recordFailedSignIn(
  sql: SQL,
  { subject, address }: { subject: string; address: string },
): Promise<void> {
  const rows = await sql<unknown[]>`select 1 from audit
    where action = 'sign-in-failed' and at between ${instantIn(sql, -3600)} and ${instantIn(sql, 3600)}
    limit ${MAX_FAILURES_PER_HOUR}`;
  if (rows.length >= MAX_FAILURES_PER_HOUR) return;
  const isLast = rows.length === MAX_FAILURES_PER_HOUR - 1;
  const detail = isLast ? "Further failures in this hour are not recorded." : undefined;
  await recordAudit(sql, { action: "sign-in-failed", by: null, address, subject, detail });
}

export async function sweepAudit(database: Database): Promise<void> {
  await database.write((sql) => sql`delete from audit where at < ${instantIn(sql, -KEPT_SECONDS)}`);
}

const listEntries = route("GET /api/audit", "owner", {
  summary: "List what happened, newest first",
  query: parsePage,
  answer: parseAuditPage,
  async handle({ database, query: { after, limit = PAGE_SIZE } }) {
    const rows = await database.read(
      (sql) => sql<AuditRow[]>`
        select * from audit ${after === undefined ? sql`` : sql`where id < ${after}`}
        order by id desc limit ${limit + 1}`,
    );
    const { page, next } = pageOf(rows, limit, ({ id }) => id);
    return { items: page.map(entryOf), next };
  },
});

export const audit = { routes: [listEntries], sweeps: [sweepAudit] };

type AuditRow = Pick<AuditEntry, "id" | "at" | "address" | "action"> &
  Record<"by_id" | "by_name" | "token_id" | "token_name" | "subject" | "detail", string | null>;

function entryOf({ id, at, address, action, subject, detail, ...row }: AuditRow): AuditEntry {
  return {
    id,
    at,
    address,
    action,
    by: row.by_id === null ? null : { id: row.by_id, name: row.by_name ?? "" },
    ...(row.token_id !== null && { token: { id: row.token_id, name: row.token_name ?? "" } }),
    ...(subject !== null && { subject }),
    ...(detail !== null && { detail }),
  };
}
