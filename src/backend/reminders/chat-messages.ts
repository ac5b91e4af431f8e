import { quotable } from "../../shared/parse.ts";
import type { Message, MessageName } from "./message.ts";
import type { WritePost } from "./webhook.ts";
import { daysInWords, formatDay, formatPrice } from "./wording.ts";

/** Bytes of the lines of a message: Discord and ntfy cut off or refuse more than 4,096. */
const MAX_LINES_BYTES = 3_500;
const MAX_LINE = 300;

// The forms of chats, in which texts of people can mention and link nothing.

/** Slack, and Mattermost, which takes the same form. */
export const writeSlack: WritePost = ({ target }, message) => {
  const { title, text, link } = writeLines(message, escapeSlack);
  const all = [title, text, ...(link === null ? [] : [link])].join("\n");
  return { url: target, body: { text: all, unfurl_links: false, unfurl_media: false } };
};

export const writeDiscord: WritePost = ({ target }, message) => {
  const { title, text, link } = writeLines(message, escapeMarkdown);
  const embed = { description: text, ...(link !== null && { title: "Open", url: link }) };
  return {
    url: target,
    body: { content: title, embeds: [embed], allowed_mentions: { parse: [] } },
  };
};

export const writeTeams: WritePost = ({ target }, message) => {
  const { title, lines, link } = writeLines(message, escapeMarkdown);
  return { url: target, body: writeTeamsCard([title, ...lines.filter(Boolean)], link) };
};

/** Posted to the server, with the topic of the target in the body. */
export const writeNtfy: WritePost = ({ target }, message) => {
  const { title, text, link } = writeLines(message, quotable);
  const { pathname } = new URL(target);
  const topicAt = pathname.lastIndexOf("/") + 1;
  const about = { topic: pathname.slice(topicAt), title, message: text };
  const url = new URL(pathname.slice(0, topicAt), target).href;
  return { url, body: { ...about, ...(link !== null && { click: link }) } };
};

function writeLines(message: Message, escape: (text: string) => string) {
  const lines = listLines(message, escape);
  return { title: escape(message.title), lines, text: lines.join("\n"), link: message.link };
}

/** An Adaptive Card in the envelope that a Teams workflow expects. */
function writeTeamsCard(lines: readonly string[], link: string | null) {
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: lines.map((text) => ({ type: "TextBlock", text, wrap: true, spacing: "None" })),
    actions: link === null ? [] : [{ type: "Action.OpenUrl", title: "Open", url: link }],
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}

/** Notes, then a line per domain under its heading, while they fit; the last line counts the rest. */
function listLines(message: Message, escape: (line: string) => string): string[] {
  const { notes, names, more, settledNotes } = message;
  const write = (line: string) => escape(line.slice(0, MAX_LINE));
  const lines = [...notes, ...settledNotes].map(write);
  let rest = names.length + more;
  let group = "";
  for (const name of names) {
    const heading = name.group === group ? [] : ["", name.group];
    const added = [...heading, describe(name)].map(write);
    if (Buffer.byteLength([...lines, ...added].join("\n")) > MAX_LINES_BYTES) break;
    lines.push(...added);
    ({ group } = name);
    rest -= 1;
  }
  return rest === 0 ? lines : [...lines, `and ${rest} more`];
}

function describe({ domain, expires, days, advice }: MessageName): string {
  const when = days === null ? "" : ` (${daysInWords(days)})`;
  const verb = days !== null && days < 0 ? "expired" : "expires";
  const expiry = expires === null ? "expiry unknown" : `${verb} ${formatDay(expires)}${when}`;
  const facts = [expiry, domain.registrar, formatPrice(domain)]
    .filter((fact) => fact !== null)
    .join(", ");
  return `• ${domain.unicode}: ${facts}. ${advice ?? ""}`.trimEnd();
}

/** A character without width parts what would be a mention or a masked link. */
function escapeMarkdown(text: string): string {
  return quotable(text).replace(/[@<]|\](?=[([])/g, "$&\u200b");
}

/**
 * Mattermost, which takes the same form, would still see `@all` and links of Markdown.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text — the three characters to escape.
 */
function escapeSlack(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escapeMarkdown(escaped);
}
