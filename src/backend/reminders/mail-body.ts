import css from "./document.css" with { type: "text" };
import type { Message } from "./message.ts";
import type { MessageName } from "./payload.ts";
import { daysInWords, formatDay, formatPrice } from "./wording.ts";

/** A part of a mail, as text and as HTML: both say the same. */
interface Block {
  text: string;
  html: string;
}

export function mailText(message: Message): string {
  return [message.title, ...blocksOf(message).map(({ text }) => text)].join("\n\n");
}

/** The HTML of a mail: no images, no scripts, nothing from elsewhere. */
export function mailHtml(message: Message): string {
  const blocks = blocksOf(message).map(({ html }) => html);
  return htmlDocument(message.title, blocks);
}

function blocksOf(message: Message): Block[] {
  const { brand, notes, names, more, settledNotes, link, unsubscribeLink } = message;
  const groups: Block[] = [];
  for (const [group, members] of Map.groupBy(names, (name) => name.group)) {
    const underline = "-".repeat(group.length);
    groups.push({ text: `${group}\n${underline}`, html: markup`<h2>${group}</h2>` });
    groups.push(...members.map(blockOf));
  }
  const rest = `and ${more.toLocaleString("en")} more`;
  const advice = `Open ${brand} in your browser to decide.`;
  const button = markup`<p><a class="button" href="${link ?? ""}">Open ${brand}</a></p>`;
  const unsubscribe = markup`<p class="small"><a href="${unsubscribeLink ?? ""}">Unsubscribe</a></p>`;
  return [
    ...notes.map((text) => ({ text, html: markup`<p class="note">${text}</p>` })),
    ...groups,
    more > 0 && { text: rest, html: markup`<p>${rest}</p>` },
    ...settledNotes.map((text) => ({ text, html: markup`<p class="small">${text}</p>` })),
    link === null
      ? { text: advice, html: markup`<p>${advice}</p>` }
      : { text: `Open ${brand}: ${link}`, html: button },
    unsubscribeLink !== null && { text: `-- \nUnsubscribe: ${unsubscribeLink}`, html: unsubscribe },
  ].filter((block) => block !== false);
}

function blockOf({ domain, expires, days, advice, link, acknowledgeLink }: MessageName): Block {
  const { name, unicode, registrar, account } = domain;
  const verb = days !== null && days < 0 ? "Expired" : "Expires";
  const when =
    expires === null || days === null ? "" : `${verb} ${formatDay(expires)}, ${daysInWords(days)}`;
  const price = formatPrice(domain);
  const renewal = price === null ? null : `renewal ${price}`;
  const where = [registrar, account, renewal].filter((fact) => fact !== null).join(" · ");
  const offer = "Acknowledge or snooze";
  const lines = [
    when,
    where,
    advice,
    link !== null && `Open: ${link}`,
    acknowledgeLink !== null && `${offer}: ${acknowledgeLink}`,
  ];
  const title = name === unicode ? unicode : `${unicode} (${name})`;
  const parts = [
    link === null ? markup`<h3>${unicode}</h3>` : markup`<h3><a href="${link}">${unicode}</a></h3>`,
    name !== unicode && markup`<p class="small">${name}</p>`,
    markup`<p class="when">${when}</p><p class="small">${where}</p><p>${advice ?? ""}</p>`,
    acknowledgeLink !== null &&
      markup`<p><a class="act" href="${acknowledgeLink}">${offer}</a></p>`,
  ];
  return {
    text: [title, ...lines.filter(Boolean)].join("\n  "),
    html: `<div class="name">${parts.filter(Boolean).join("")}</div>`,
  };
}

const STYLE: string = css;

export const STYLE_HASH = `sha256-${new Bun.CryptoHasher("sha256").update(STYLE).digest("base64")}`;

/** A document below a heading. It reads well without its styles too, which some mail programs drop. */
export function htmlDocument(title: string, blocks: readonly (string | false)[]): string {
  const heading = Bun.escapeHTML(title);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${heading}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>${STYLE}</style></head><body><main class="page"><h1>${heading}</h1>
${blocks.filter(Boolean).join("\n")}
</main></body></html>`;
}

/** A template whose values are escaped, for text and for attributes in double quotes. */
export function markup(strings: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: strings }, ...values.map((value) => Bun.escapeHTML(value)));
}
