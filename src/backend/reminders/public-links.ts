import type { SQL } from "bun";
import { dueDay } from "../../shared/work.ts";
import { startOperation } from "../domains/history.ts";
import { readDomain } from "../domains/read-domains.ts";
import { handleDomain } from "../domains/save-domain.ts";
import type { RequestContext, Route, User } from "../http/router.ts";
import type { StoredChannel } from "./channel-store.ts";
import { readToken } from "./links.ts";
import { htmlDocument, markup, STYLE_HASH } from "./mail-body.ts";
import { formatDay } from "./wording.ts";

/** Shows the page of a token, and does what its button says where `acts`. */
type Answer = (sql: SQL, token: string, acts: boolean) => Promise<Response>;

/**
 * The pages behind the links of messages. GET changes nothing, as mail programs and scanners follow
 * links by themselves; POST acts, for whoever holds the link. Its body says nothing, that of a
 * One-Click request (RFC 8058) included.
 */
export const publicLinkRoutes: readonly Route[] = [
  publicLink("/api/acknowledge/:name", acknowledge),
  publicLink("/api/unsubscribe/:name", unsubscribe),
];

function publicLink(path: string, answer: Answer): Route {
  type Context = RequestContext<User | null>;
  return {
    path,
    isPublic: true,
    hasSecret: true,
    methods: {
      GET: ({ database }: Context, token) => database.read((sql) => answer(sql, token, false)),
      POST: ({ database }: Context, token) => database.write((sql) => answer(sql, token, true)),
    },
  };
}

async function acknowledge(sql: SQL, token: string, acts: boolean): Promise<Response> {
  const link = await readToken(sql, "acknowledge", token);
  if (link === null) return unknownLink();
  const [domainId = "", day = ""] = link.about;
  const domain = await readDomain(sql, domainId);
  if (domain === null) return page("This domain is no longer in the register");
  const { unicode, handled } = domain;
  const due = dueDay(domain);
  if (due === null) return page(`${unicode} has no expiry date any more`);
  if (due !== day) {
    const title = due > day ? "This domain has been renewed" : "The date has changed";
    return page(title, markup`<p>${unicode} now expires on ${formatDay(due)}.</p>`);
  }
  const isDone = handled !== null && handled.until === null;
  if (!isDone && acts) {
    await handleDomain(sql, domainId, { until: null }, startOperation(nameOf(link.channel)));
  }
  const expires = markup`It expires on ${formatDay(day)}.`;
  if (isDone || acts) {
    return page(
      `${unicode} is acknowledged`,
      `<p>${expires} Reminders stop until the day before.</p>`,
    );
  }
  const offer = "If you take care of it, reminders can stop until the day before.";
  return page(`Acknowledge ${unicode}?`, `<p>${expires} ${offer}</p>`, "Acknowledge");
}

async function unsubscribe(sql: SQL, token: string, acts: boolean): Promise<Response> {
  const link = await readToken(sql, "unsubscribe", token);
  if (link === null) return unknownLink();
  const { channel } = link;
  const name = nameOf(channel);
  if (acts) {
    const stopped = { state: "paused", last_error: `Unsubscribed by ${name}` };
    await sql`update channels set ${sql(stopped)} where id = ${channel.id}`;
  }
  if (acts || channel.state === "paused") {
    const resume = "The owner of the register can resume them.";
    return page(
      "These messages are stopped",
      markup`<p>${name} gets no more of them. ${resume}</p>`,
    );
  }
  return page("Stop these messages?", markup`<p>They go to ${name}.</p>`, "Stop");
}

/** Who acts, as far as a link tells: the target of a chat is a secret. */
function nameOf({ kind, name, target }: StoredChannel): string {
  return kind === "mail" ? target : name;
}

function unknownLink(): Response {
  const why = "<p>It is incomplete, or its channel was changed or removed.</p>";
  return page("This link does not work", why, null, 404);
}

/** A page that runs nothing, loads nothing, and sends its form to this server only. */
function page(title: string, body = "", button: string | null = null, status = 200): Response {
  const form =
    button !== null && markup`<form method="post"><button class="button">${button}</button></form>`;
  const policy = `default-src 'none'; style-src '${STYLE_HASH}'; form-action 'self'`;
  return new Response(htmlDocument(title, [body, form]), {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `${policy}; base-uri 'none'; frame-ancestors 'none'`,
      "Referrer-Policy": "no-referrer",
    },
  });
}
