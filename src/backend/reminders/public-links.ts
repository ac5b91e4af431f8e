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

/** The channel that a link is of, and what else it was signed for. */
type Link = NonNullable<Awaited<ReturnType<typeof readToken>>>;

/** Shows the page of a link, and does what its button says where `acts`. */
type Answer = (sql: SQL, link: Link, acts: boolean) => Promise<Response>;

/**
 * The pages behind the links of messages. GET changes nothing, as mail programs and scanners follow
 * links by themselves; POST acts, for whoever holds the link. Its body says nothing, that of a
 * One-Click request (RFC 8058) included.
 */
export const publicLinkRoutes: readonly Route[] = [
  publicLink("acknowledge", acknowledge),
  publicLink("unsubscribe", unsubscribe),
];

function publicLink(action: "acknowledge" | "unsubscribe", answer: Answer): Route {
  type Context = RequestContext<User | null>;
  const open = (token: string, acts: boolean) => async (sql: SQL) => {
    const link = await readToken(sql, action, token);
    if (link !== null) return answer(sql, link, acts);
    const why = "It is incomplete, or its channel was changed or removed.";
    return page("This link does not work", why, null, 404);
  };
  return {
    path: `/api/${action}/:name`,
    isPublic: true,
    hasSecret: true,
    methods: {
      GET: ({ database }: Context, token) => database.read(open(token, false)),
      POST: ({ database }: Context, token) => database.write(open(token, true)),
    },
  };
}

async function acknowledge(sql: SQL, { channel, about }: Link, acts: boolean): Promise<Response> {
  const [domainId = "", day = ""] = about;
  const domain = await readDomain(sql, domainId);
  if (domain === null) return page("This domain is no longer in the register");
  const { unicode, handled } = domain;
  const due = dueDay(domain);
  if (due === null) return page(`${unicode} has no expiry date any more`);
  if (due !== day) {
    const title = due > day ? "This domain has been renewed" : "The date has changed";
    return page(title, `${unicode} now expires on ${formatDay(due)}.`);
  }
  const isDone = handled !== null && handled.until === null;
  if (!isDone && acts) {
    await handleDomain(sql, domainId, { until: null }, startOperation(nameOf(channel)));
  }
  const expires = `It expires on ${formatDay(day)}.`;
  if (isDone || acts) {
    return page(`${unicode} is acknowledged`, `${expires} The next reminder comes the day before.`);
  }
  const offer = "Once you acknowledge it, the next reminder comes the day before.";
  return page(`Acknowledge ${unicode}?`, `${expires} ${offer}`, "Acknowledge");
}

async function unsubscribe(sql: SQL, { channel }: Link, acts: boolean): Promise<Response> {
  const name = nameOf(channel);
  if (!acts) return page("Stop these messages?", `They go to ${name}.`, "Stop");
  const stopped = { state: "paused", last_error: `Unsubscribed by ${name}` };
  await sql`update channels set ${sql(stopped)} where id = ${channel.id}`;
  return page(
    "These messages are stopped",
    `${name} gets no more of them until the owner resumes them.`,
  );
}

/** Who acts, as far as a link tells: the target of a chat is a secret. */
function nameOf({ kind, name, target }: StoredChannel): string {
  return kind === "mail" ? target : name;
}

/** A page that runs nothing, loads nothing, and sends its form to this server only. */
function page(title: string, text = "", button: string | null = null, status = 200): Response {
  const form =
    button !== null && markup`<form method="post"><button class="button">${button}</button></form>`;
  const policy = `default-src 'none'; style-src '${STYLE_HASH}'; form-action 'self'`;
  return new Response(htmlDocument(title, [markup`<p>${text}</p>`, form]), {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `${policy}; base-uri 'none'; frame-ancestors 'none'`,
      "Referrer-Policy": "no-referrer",
    },
  });
}
