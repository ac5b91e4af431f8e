import type { SQL } from "bun";
import type { Peer } from "../../shared/api.ts";
import { addDays, type Day, isDay, parseDay } from "../../shared/day.ts";
import * as p from "../../shared/parse.ts";
import { CHANNELS } from "../../shared/reminders.ts";
import { dueDay } from "../../shared/work.ts";
import { recordAudit } from "../audit/audit.ts";
import { startOperation } from "../domains/write/history.ts";
import { readDomain } from "../domains/list/read-domains.ts";
import { handleDomain } from "../domains/write/save-domain.ts";
import { readForm } from "../http/read-input.ts";
import { whole } from "../http/responses.ts";
import { route, type Route } from "../http/route.ts";
import { readToken, type StoredChannel } from "./channel-store.ts";
import { htmlDocument, markup, STYLE_HASH } from "./mail-body.ts";
import { readToday } from "./reminder-settings.ts";
import { formatDay } from "./wording.ts";
import { readSight } from "../domains/list/sight.ts";

/** Shows the page of a link; does what was pressed on it unless `form` is null. */
type Answer = (
  sql: SQL,
  link: NonNullable<Awaited<ReturnType<typeof readToken>>>,
  request: { form: URLSearchParams | null; now: Date; peer: Peer },
) => Promise<Response>;

const noLink = () =>
  page("This link does not work", "It is incomplete, or its channel was changed or removed.", {
    status: 404,
  });

function publicLink(action: "acknowledge" | "unsubscribe", answer: Answer): Route[] {
  const open = (token: string, request: Parameters<Answer>[2]) => async (sql: SQL) => {
    const link = await readToken(sql, action, token);
    return link === null ? noLink() : answer(sql, link, request);
  };
  return [
    route(`GET /api/${action}/:secret`, "public", {
      summary: "Show the page of a link in a message",
      hasSecret: true,
      answer: "text/html",
      statuses: [200, 404],
      handle: ({ database, params, now, peer }) =>
        database.read(open(params.secret, { form: null, now, peer })),
    }),
    route(`POST /api/${action}/:secret`, "public", {
      summary: "Do what a link in a message offers",
      hasSecret: true,
      body: "application/x-www-form-urlencoded",
      form: p.object({ until: p.optional(parseDay) }),
      answer: "text/html",
      statuses: [200, 400, 404],
      async handle(context) {
        const { database, params, now, peer } = context;
        // A stranger, who has no link, gets no place among the writers.
        const link = await database.read((sql) => readToken(sql, action, params.secret));
        const form = await readForm(context);
        return link === null ? noLink() : database.write(open(params.secret, { form, now, peer }));
      },
    }),
  ];
}

/** Acknowledges the domain of a link, or snoozes it until the day `until` of the form. */
const acknowledge: Answer = async (sql, { channel, about }, { form, now }) => {
  const [domainId = "", day = ""] = about;
  const domain = await readDomain(sql, domainId, await readSight(sql, channel.person));
  if (domain === null) return page("This domain is no longer in the register");
  const { unicode, handled } = domain;
  const due = dueDay(domain);
  if (due === null) return page(`${unicode} has no expiry date any more`);
  if (due !== day) {
    const title = due > day ? "This domain has been renewed" : "The date has changed";
    return page(title, `${unicode} now expires on ${formatDay(due)}.`);
  }
  const today = await readToday(sql, now);
  const [first, last] = [addDays(today, 1), addDays(day, -1)];
  const maySnooze = first <= last;
  const text = form?.get("until") ?? "";
  const until = isDay(text) && text >= first && text <= last ? text : null;
  const expires = `It ${day < today ? "expired" : "expires"} on ${formatDay(day)}.`;
  if (until === null && text !== "") {
    const days = `Choose a day from ${formatDay(first)} to ${formatDay(last)}.`;
    return page("This day can’t be chosen", days, { form: snoozeForm(first, last), status: 400 });
  }
  const isAcknowledged = handled !== null && handled.until === null;
  if (form !== null && !(until === null && isAcknowledged)) {
    const by = { id: null, name: nameOf(channel), token: null };
    await handleDomain(sql, domainId, { until }, await startOperation(sql, by));
  }
  if (until !== null) {
    const next = `The next reminder comes on ${formatDay(until)}.`;
    return page(`${unicode} is snoozed`, `${expires} ${next}`);
  }
  if (form !== null || isAcknowledged) {
    const next = maySnooze ? " The next reminder comes the day before." : "";
    return page(`${unicode} is acknowledged`, `${expires}${next}`);
  }
  const offer = " Once you acknowledge it, the next reminder comes the day before.";
  return page(`Acknowledge ${unicode}?`, `${expires}${maySnooze ? offer : ""}`, {
    form: actForm("Acknowledge") + (maySnooze ? snoozeForm(first, last) : ""),
  });
};

const unsubscribe: Answer = async (sql, { channel }, { form, peer: { address } }) => {
  const name = nameOf(channel);
  if (form === null) {
    return page("Stop these messages?", `They go to ${name}.`, { form: actForm("Stop") });
  }
  const stopped = { state: "paused", last_error: `Unsubscribed by ${name}` };
  await sql`update channels set ${sql(stopped)} where id = ${channel.id}`;
  if (channel.lastError !== stopped.last_error) {
    const about = { subject: channel.name, detail: "unsubscribed" };
    await recordAudit(sql, { action: "channel-changed", by: null, address, ...about });
  }
  return page(
    "These messages are stopped",
    `${name} gets no more of them until the owner resumes them.`,
  );
};

/** GET changes nothing, as scanners follow links; POST acts, also without a form (RFC 8058). */
export const publicLinkRoutes: readonly Route[] = [
  ...publicLink("acknowledge", acknowledge),
  ...publicLink("unsubscribe", unsubscribe),
];

/** Who acts, as far as a link says: the target of a chat is a secret. */
function nameOf({ kind, name, target }: StoredChannel): string {
  return CHANNELS[kind].isPersonal ? target : name;
}

function actForm(button: string): string {
  return markup`<form method="post"><button class="button">${button}</button></form>`;
}

function snoozeForm(first: Day, last: Day): string {
  return markup`<form method="post"><label>Remind me again on
    <input type="date" name="until" required min="${first}" max="${last}"></label>
    <button class="button second">Snooze until then</button></form>`;
}

function page(title: string, text = "", { form = "", status = 200 } = {}): Response {
  return answerPage(htmlDocument(title, [markup`<p>${text}</p>`, form]), status);
}

/** A page that runs nothing, loads nothing, and sends its forms to this server only. */
export function answerPage(html: string, status = 200): Response {
  const policy = `default-src 'none'; style-src '${STYLE_HASH}'; form-action 'self'`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": `${policy}; base-uri 'none'; frame-ancestors 'none'`,
    "Referrer-Policy": "no-referrer",
  };
  return whole(html, headers, status);
}
