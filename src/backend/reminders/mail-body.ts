import css from "./document.css" with { type: "text" };
import type { Domain } from "../../shared/domain.ts";
import type { Message } from "./message.ts";
import type { MessageName } from "./payload.ts";
import { daysInWords, formatDay, formatPrice } from "./wording.ts";

/** The text of a mail says everything that its HTML does. */
export function mailText(message: Message): string {
  const { brand, title, notes, names, more, settledNotes, link, unsubscribeLink } = message;
  const groups = [...Map.groupBy(names, ({ group }) => group)].map(([group, members]) =>
    [`${group}\n${"-".repeat(group.length)}`, ...members.map(nameText)].join("\n\n"),
  );
  const blocks = [
    title,
    ...notes,
    ...groups,
    more > 0 && `and ${more.toLocaleString("en")} more`,
    ...settledNotes,
    link === null ? adviseToOpen(brand) : `Open ${brand}: ${link}`,
    unsubscribeLink !== null && `-- \nUnsubscribe: ${unsubscribeLink}`,
  ];
  return blocks.filter(Boolean).join("\n\n");
}

function nameText(name: MessageName): string {
  const { domain, advice, link, acknowledgeLink } = name;
  const lines = [
    whenOf(name),
    whereOf(domain),
    advice,
    link !== null && `Open: ${link}`,
    acknowledgeLink !== null && `Acknowledge or snooze: ${acknowledgeLink}`,
  ];
  const { name: ascii, unicode } = domain;
  const title = ascii === unicode ? unicode : `${unicode} (${ascii})`;
  return [title, ...lines.filter(Boolean)].join("\n  ");
}

function whenOf({ expires, days }: MessageName): string {
  if (expires === null || days === null) return "";
  return `${days < 0 ? "Expired" : "Expires"} ${formatDay(expires)}, ${daysInWords(days)}`;
}

function whereOf(domain: Domain): string {
  const { registrar, account } = domain;
  const price = formatPrice(domain);
  const renewal = price === null ? null : `renewal ${price}`;
  return [registrar, account, renewal].filter((fact) => fact !== null).join(" · ");
}

function adviseToOpen(brand: string): string {
  return `Open ${brand} in your browser to decide.`;
}

/** The HTML of a mail: no images, no scripts, nothing from elsewhere. */
export function mailHtml(message: Message): string {
  const { brand, title, notes, names, more, settledNotes, link, unsubscribeLink } = message;
  const groups = [...Map.groupBy(names, ({ group }) => group)].map(
    ([group, members]) => markup`<h2>${group}</h2>` + members.map(nameHtml).join(""),
  );
  return htmlDocument(title, [
    ...notes.map((note) => markup`<p class="note">${note}</p>`),
    ...groups,
    more > 0 && markup`<p>and ${more.toLocaleString("en")} more</p>`,
    ...settledNotes.map((note) => markup`<p class="small">${note}</p>`),
    link === null
      ? markup`<p>${adviseToOpen(brand)}</p>`
      : markup`<p><a class="button" href="${link}">Open ${brand}</a></p>`,
    unsubscribeLink !== null &&
      markup`<p class="small"><a href="${unsubscribeLink}">Unsubscribe</a></p>`,
  ]);
}

function nameHtml(name: MessageName): string {
  const { domain, link, acknowledgeLink } = name;
  const { unicode } = domain;
  const blocks = [
    link === null ? markup`<h3>${unicode}</h3>` : markup`<h3><a href="${link}">${unicode}</a></h3>`,
    domain.name !== unicode && markup`<p class="small">${domain.name}</p>`,
    markup`<p class="when">${whenOf(name)}</p><p class="small">${whereOf(domain)}</p>`,
    markup`<p>${name.advice ?? ""}</p>`,
    acknowledgeLink !== null &&
      markup`<p><a class="act" href="${acknowledgeLink}">Acknowledge or snooze</a></p>`,
  ];
  return `<div class="name">${blocks.filter(Boolean).join("")}</div>`;
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
