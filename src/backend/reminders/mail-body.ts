import { daysInWords, formatDay, type Message, type MessageName } from "./message.ts";

/** Where to look when a message has no links. */
const NO_LINK = "Open Freehold in your browser to see and decide.";

/** The text of a mail, which says everything that its HTML does. */
export function mailText(message: Message): string {
  const { title, notes, names, more, link, unsubscribeLink } = message;
  const groups = [...Map.groupBy(names, ({ group }) => group)].map(([group, members]) =>
    [`${group}\n${"-".repeat(Math.min(60, group.length))}`, ...members.map(nameText)].join("\n\n"),
  );
  return [
    title,
    ...notes,
    ...groups,
    ...(more > 0 ? [`and ${more} more`] : []),
    link === null ? NO_LINK : `Open Freehold: ${link}`,
    ...(unsubscribeLink === null ? [] : [`-- \nStop these mails: ${unsubscribeLink}`]),
  ].join("\n\n");
}

function nameText(name: MessageName): string {
  const { link, acknowledgeLink } = name;
  const lines = [
    whenOf(name),
    whereOf(name),
    name.advice,
    ...(link === null ? [] : [`Open: ${link}`]),
    ...(acknowledgeLink === null ? [] : [`Acknowledge: ${acknowledgeLink}`]),
  ];
  const shown = lines.filter((line) => line !== "");
  return [titleOf(name), ...shown.map((line) => `  ${line}`)].join("\n");
}

/** Its name as people write it and, where that differs, as registries do. */
function titleOf({ name, unicode }: MessageName): string {
  return name === unicode ? name : `${unicode} (${name})`;
}

function whenOf({ expires, days }: MessageName): string {
  return expires === null || days === null ? "" : `${formatDay(expires)}, ${daysInWords(days)}`;
}

function whereOf({ registrar, account, price }: MessageName): string {
  return [registrar, account, price].filter((fact) => fact !== null).join(" · ");
}

/**
 * The HTML of a mail: no images, no scripts, nothing from elsewhere. It reads well without its styles
 * too, which some mail programs drop. None of them knows `light-dark()`.
 */
export function mailHtml(message: Message): string {
  const { title, notes, names, more, link, unsubscribeLink } = message;
  const groups = [...Map.groupBy(names, ({ group }) => group)].map(
    ([group, members]) => html`<h2>${group}</h2>` + members.map(nameHtml).join(""),
  );
  const open =
    link === null
      ? html`<p>${NO_LINK}</p>`
      : html`<p><a class="button" href="${link}">Open Freehold</a></p>`;
  const stop =
    unsubscribeLink === null
      ? ""
      : html`<p class="small"><a href="${unsubscribeLink}">Stop these mails</a></p>`;
  return [
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>${title}</title>
        </head>
      </html>`,
    '<meta name="viewport" content="width=device-width">',
    `<meta name="color-scheme" content="light dark"><style>${STYLE}</style></head><body><div class="page">`,
    html`<h1>${title}</h1>`,
    ...notes.map((note) => html`<p class="note">${note}</p>`),
    ...groups,
    more > 0 ? html`<p>and ${more} more</p>` : "",
    open,
    stop,
    "</div></body></html>",
  ].join("\n");
}

function nameHtml(name: MessageName): string {
  const { link, acknowledgeLink, unicode } = name;
  const label = link === null ? html`${unicode}` : html`<a href="${link}">${unicode}</a>`;
  const ascii = name.name === unicode ? "" : html`<p class="small">${name.name}</p>`;
  return [
    `<div class="name"><h3>${label}</h3>${ascii}`,
    html`<p class="when">${whenOf(name)}</p>
      <p class="small">${whereOf(name)}</p>`,
    html`<p>${name.advice}</p>`,
    acknowledgeLink === null
      ? ""
      : html`<p><a class="act" href="${acknowledgeLink}">Acknowledge</a></p>`,
    "</div>",
  ].join("");
}

/** A template whose values are escaped, for text and for attributes in double quotes. */
export function html(strings: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: strings }, ...values.map((value) => Bun.escapeHTML(value)));
}

const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; background: #f8f6f1; color: #20241f; font: 16px/1.5 system-ui, sans-serif }
.page { max-width: 36rem; margin: 0 auto; padding: 24px 16px }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 16px }
h2 { font-size: 14px; margin: 32px 0 0; color: #5d6058 }
h3 { font-size: 18px; margin: 0; overflow-wrap: anywhere }
p { margin: 4px 0 }
a { color: #125c4b }
.name { padding: 16px 0; border-bottom: 1px solid #dfdacd }
.when { font-weight: 600 }
.act { display: inline-block; padding: 8px 0 }
.small { font-size: 14px; color: #5d6058; overflow-wrap: anywhere }
.note { margin: 0 0 16px; padding: 12px 16px; background: #efece4 }
.button { display: inline-block; margin: 24px 0 16px; padding: 12px 24px; background: #125c4b;
  color: #fff; border-radius: 6px; font-weight: 600; text-decoration: none }
@media (prefers-color-scheme: dark) {
  body { background: #151714; color: #e8e6de }
  h2, .small { color: #a4a99d }
  a { color: #74c9ae }
  .name { border-color: #333831 }
  .note { background: #0f110e }
  .button { background: #74c9ae; color: #0b1a15 }
}`;
