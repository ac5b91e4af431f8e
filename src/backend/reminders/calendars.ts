import { createHash } from "node:crypto";
import { countRows, type Fragment, type Job } from "../database/database.ts";
import type { SQL } from "bun";
import { urlFor } from "../../shared/api.ts";
import { addDays, type Day, daysBetween, HOUR_MS, type Instant } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import * as p from "../../shared/parse.ts";
import {
  type Calendar,
  parseCalendar,
  parseCalendars,
  parseNewCalendar,
} from "../../shared/reminders.ts";
import { formatView, parseView } from "../../shared/view.ts";
import { hashToken, randomToken } from "../auth/tokens/secrets.ts";
import { recordRequest } from "../audit/audit.ts";
import { viewCondition } from "../domains/list/list-domains.ts";
import { viewOf } from "../domains/routes.ts";
import { NO_PARAMETERS } from "../http/read-input.ts";
import { gone, RequestError } from "../http/request-error.ts";
import { whole } from "../http/responses.ts";
import { route, type Route, type Sight, type User } from "../http/route.ts";
import { expiryAdvice } from "../../shared/advice.ts";
import { yieldIfBusy } from "../database/event-loop.ts";
import { ensureSetting, readSetting } from "../database/setting-store.ts";
import { type CalendarEvent, formatCalendar } from "./ical.ts";
import type { Sender } from "./message.ts";
import { dayIn, readReminders } from "./reminder-settings.ts";
import { formatPrice } from "./wording.ts";
import { isShown } from "../domains/list/shown.ts";
import { readSight } from "../domains/list/sight.ts";

/** The setting that makes the ids of events unlike those of any other register. */
const REGISTER_ID = "register id";

const MAX_CALENDARS = 100;

const DAYS_BEFORE = 30;
const DAYS_AFTER = 400;

/** Domains of one day that have an event each; more are one event. */
const MAX_NAMES_PER_DAY = 10;

const MAX_EVENTS = 2000;

const NOTE_MS = HOUR_MS;

const MAX_AGENT_LENGTH = 200;

/** A calendar is read by its address alone. */
export const calendarRoutes: readonly Route[] = [
  route("GET /api/calendars", "limited", {
    summary: "List the calendars",
    query: NO_PARAMETERS,
    answer: parseCalendars,
    handle: async ({ database, user }) => ({
      items: await database.read(
        (sql) => sql<CalendarRow[]>`
          select ${sql.unsafe(COLUMNS)} from calendars where ${isOf(sql, user)} order by created_at, id`,
      ),
    }),
  }),
  route("POST /api/calendars", "limited", {
    summary: "Add a calendar; only this response contains its address",
    body: parseNewCalendar,
    answer: parseCalendar,
    statuses: [201],
    problems: [409],
    async handle(context) {
      const { database, user, now, peer, publicUrl, body } = context;
      const { name, alarmDays = null } = body;
      const filter = filterOf(body.filter ?? "", context);
      const secret = randomToken();
      const added = { id: Bun.randomUUIDv7(), name, filter };
      await database.write(async (sql) => {
        const own = await countRows(sql, sql`calendars where user_id = ${user.id}`);
        if (own >= MAX_CALENDARS) {
          const detail = `You have ${MAX_CALENDARS} calendars already. Delete one first.`;
          throw new RequestError(409, detail);
        }
        await ensureSetting(sql, REGISTER_ID, () => Bun.randomUUIDv7());
        await sql`insert into calendars ${sql({
          ...added,
          alarm_days: alarmDays,
          secret_hash: hashToken(secret),
          user_id: user.id,
          created_at: now.toISOString(),
        })}`;
        await recordRequest(sql, context, "feed-added", { subject: name });
      });
      const url = `${publicUrl ?? urlFor(peer, "")}/api/calendar/${secret}.ics`;
      return { ...added, alarmDays, url, lastFetchedAt: null, lastFetchedBy: null };
    },
  }),
  route("DELETE /api/calendars/:id", "limited", {
    summary: "Revoke a calendar, whose address is 404 from then on",
    answer: null,
    handle: (context) =>
      context.database.write(async (sql) => {
        const { user, params } = context;
        const [removed] = await sql<{ name: string }[]>`delete from calendars
          where id = ${params.id} and ${isOf(sql, user)} returning name`;
        if (removed === undefined) throw gone("calendar");
        await recordRequest(sql, context, "feed-revoked", { subject: removed.name });
      }),
  }),
  route("GET /api/calendar/:secret.ics", "public", {
    summary: "Read a calendar by its address",
    hasSecret: true,
    answer: "text/calendar",
    statuses: [200, 304],
    sends: ["ETag"],
    async handle({ database, request, params, now, brand, publicUrl }) {
      const [row] = await database.read(
        (sql) => sql<
          (CalendarRow & { userId: string })[]
        >`select ${sql.unsafe(COLUMNS)}, user_id as "userId" from calendars
          where secret_hash = ${hashToken(params.secret)}
            and exists (select 1 from users where users.id = user_id and disabled = 0)`,
      );
      if (row === undefined) throw gone("calendar");
      const sight = await database.read((sql) => readSight(sql, row.userId));
      const body = await database.readMany(readCalendar, { row, now, brand, publicUrl, sight });
      const agent = request.headers.get("user-agent")?.slice(0, MAX_AGENT_LENGTH) || null;
      const age = Math.abs(now.getTime() - Date.parse(row.lastFetchedAt ?? ""));
      if (row.lastFetchedBy !== agent || !(age < NOTE_MS)) {
        const note = { last_fetched_at: now.toISOString(), last_fetched_by: agent };
        // Not awaited: a long job may be writing.
        void database
          .write((sql) => sql`update calendars set ${sql(note)} where id = ${row.id}`)
          .catch(() => {});
      }
      return whole(body, {
        ETag: `"${createHash("sha256").update(body).digest("base64url")}"`,
        "Cache-Control": "private, no-cache",
        "Content-Type": "text/calendar; charset=utf-8",
      });
    },
  }),
];

/**
 * The text of a view's filter, with the person who saves it in place of `me`.
 *
 * @throws {RequestError} 403 by what they do not see.
 */
export function filterOf(query: string, { user, sight }: { user: User; sight: Sight }): string {
  const { view } = parseView(new URLSearchParams(query));
  return String(formatView(viewOf({ query: view, user, sight })));
}

type CalendarRow = Omit<Calendar, "url">;

const COLUMNS = `id, name, filter, alarm_days as "alarmDays",
  last_fetched_at as "lastFetchedAt", last_fetched_by as "lastFetchedBy"`;

/** People see and revoke their own calendars, an owner all. */
function isOf(sql: SQL, { id, role }: User): Fragment {
  return role === "owner" ? sql`1 = 1` : sql`user_id = ${id}`;
}

type DueFields = "id" | "name" | "unicode" | "version" | "updatedAt" | "decision";

/** A domain, one of the `names` that are due on its day, the last of which changed at `latest`. */
interface DueRow extends Pick<Domain, DueFields | "registrar" | "account" | "owner"> {
  day: Day;
  autoRenew: number | null;
  minor: number | string | null;
  currency: string | null;
  years: number | null;
  names: number;
  latest: Instant;
}

export const readCalendar: Job<{ row: CalendarRow; now: Date; sight: Sight } & Sender, string> = {
  name: "write a calendar",
  async run(sql, { row: { name, filter, alarmDays }, now, brand, publicUrl, sight }) {
    const { timeZone, hour } = await readReminders(sql);
    const today = dayIn(timeZone, now);
    const register = (await readSetting(sql, REGISTER_ID, p.text)) ?? "";
    const { view } = parseView(new URLSearchParams(filter));
    const matches = await viewCondition(sql, { filter: view.filter, today, sight });
    // What is to be dropped is shown to those who filter by decisions.
    const others =
      view.filter.decision === undefined ? sql`and coalesce(decision, '') <> 'drop'` : sql``;
    const rows = await sql<DueRow[]>`
    select due.*, (select label from registrars where label_key = due.registrar_key) as registrar
    from (
      select id, name, unicode, version, updated_at as "updatedAt", expires_earliest as day,
        auto_renew as "autoRenew", decision, account, owner, registrar_key,
        renewal_minor as minor, renewal_currency as currency, renewal_years as years,
        cast(count(*) over same_day as integer) as names,
        max(updated_at) over same_day as latest,
        row_number() over (same_day order by sort_name) as place
      from domains
      where expires_earliest between ${addDays(today, -DAYS_BEFORE)}
          and ${addDays(today, DAYS_AFTER)}
        and sold_on is null and sold_minor is null ${others} and ${matches()}
      window same_day as (partition by expires_earliest)) as due
    where place <= ${MAX_NAMES_PER_DAY} order by day, place`;
    const link = (path: string) => publicUrl && `${publicUrl}/domains${path}`;
    const events: CalendarEvent[] = [];
    if (!isShown("account", sight)) for (const row of rows) row.account = null;
    const days = [...Map.groupBy(rows, ({ day }) => day)];
    const distance = ([day]: (typeof days)[number]) => Math.abs(daysBetween(today, day));
    for (const [day, due] of days.toSorted((one, other) => distance(one) - distance(other))) {
      if (events.length >= MAX_EVENTS) break;
      events.push(...eventsOf(day, due, { register, filter, isOver: day < today, link }));
      await yieldIfBusy();
    }
    const shown = events.slice(0, MAX_EVENTS).toSorted((a, b) => a.day.localeCompare(b.day));
    const alarm = alarmDays === null ? null : { days: alarmDays, hour };
    return formatCalendar({ brand, name }, shown, alarm);
  },
};

function eventsOf(
  day: Day,
  due: readonly DueRow[],
  of: { register: string; filter: string; isOver: boolean; link: (path: string) => string | null },
): CalendarEvent[] {
  const { names = 0, latest = "" } = due[0] ?? {};
  // It says something else from the day after.
  const overAt = of.isOver ? `${addDays(day, 1)}T00:00:00.000Z` : "";
  if (names <= MAX_NAMES_PER_DAY) {
    return due.map((row) => ({
      uid: `${row.id}@${of.register}`,
      sequence: row.version,
      changedAt: row.updatedAt > overAt ? row.updatedAt : overAt,
      day,
      ...describe(row, of.isOver, of.link(`/${row.name}`)),
    }));
  }
  const query = new URLSearchParams(of.filter);
  query.set("expiresFrom", day);
  query.set("expiresBefore", addDays(day, 1));
  const listed = due.map(({ unicode }) => unicode);
  return [
    {
      uid: `${day}@${of.register}`,
      sequence: 0,
      changedAt: latest,
      day,
      summary: `${names} domains expire`,
      description: [...listed, `and ${names - listed.length} more`].join("\n"),
      url: of.link(`?${query}`),
    },
  ];
}

/** What an event asks for: `Renew grovefinance.dev (Gandi, €14.50)`. */
function titleOf({ unicode, decision, autoRenew }: DueRow, isOver: boolean): string {
  if (decision === "drop") return `${unicode} expires, to be dropped`;
  if (autoRenew === 1) {
    return isOver ? `${unicode} expired, check the payment` : `${unicode} renews by itself`;
  }
  return `${{ keep: "Renew", transfer: "Transfer", watch: "Decide on" }[decision ?? "watch"]} ${unicode}`;
}

function describe(row: DueRow, isOver: boolean, url: string | null) {
  const { name, unicode, registrar, account, owner, decision, minor, currency, years } = row;
  const renewal = minor === null ? null : { minor: Number(minor), currency, years: years ?? 1 };
  const price = formatPrice({ renewal, listPrice: null });
  const about = [registrar, price].filter((fact) => fact !== null).join(", ");
  const autoRenew = row.autoRenew === null ? null : row.autoRenew === 1;
  const title = titleOf(row, isOver);
  const labels = Object.entries({
    Registrar: registrar,
    Account: account,
    Owner: owner,
    Price: price,
    "Auto-renew": autoRenew === null ? "unknown" : autoRenew ? "on" : "off",
    Decision: decision ?? "none yet",
    "To do":
      expiryAdvice({ registrar, autoRenew, decision, findingCodes: [] }, isOver)?.[1] ?? null,
    Open: url,
  });
  const lines = labels.flatMap(([label, value]) => (value === null ? [] : `${label}: ${value}`));
  return {
    summary: about === "" ? title : `${title} (${about})`,
    description: [...(name === unicode ? [] : [name]), ...lines].join("\n"),
    url,
  };
}
