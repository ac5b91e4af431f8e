import type { Socket } from "node:net";
import { domainToASCII } from "node:url";
import type { Transporter } from "nodemailer";
import * as p from "../../shared/parse.ts";
import {
  type MailServer,
  parseMailServer,
  parseMailServerChange,
  parseMailServerState,
  parseTested,
} from "../../shared/reminders.ts";
import { recordRequest } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import { readSchema } from "../database/migrate.ts";
import { readSetting, removeSetting, saveSetting } from "../database/setting-store.ts";
import { decodeSegment, NO_PARAMETERS } from "../http/read-input.ts";
import { badFields, RequestError } from "../http/request-error.ts";
import { route, type Route } from "../http/route.ts";
import { type CredentialCipher, UNUSABLE_KEY } from "../outbound/credentials.ts";
import { type Outbound, OutboundError } from "../outbound/outbound.ts";
import { mailHtml, mailText } from "./mail-body.ts";
import {
  explain,
  type Message,
  type SendResult,
  shorten,
  TEST_TIMEOUT_MS,
  writeTest,
} from "./message.ts";

const CONNECT_TIMEOUT_MS = 20_000;

const NAMED_ADDRESS = /^"?(.+?)"?\s*<(.+)>$/;

interface Smtp extends MailServer {
  password: string | null;
  /** The way to a server that the settings name; null: the operator's leads anywhere. */
  outbound: Outbound | null;
}

/** Never throws. Every try has the same Message-ID, by which a mail program recognises a second copy. */
export function sendMail(smtp: Smtp, to: string, message: Message, signal: AbortSignal) {
  const { sender } = smtp;
  const [, name = message.brand, address = sender] = NAMED_ADDRESS.exec(sender) ?? [];
  const link = message.unsubscribeLink;
  const unsubscribe = link !== null && {
    "List-Unsubscribe": `<${link}>`,
    // RFC 8058 asks for https.
    ...(link.startsWith("https:") && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
  };
  return withTransport(smtp, signal, async (transport) => {
    const { response } = await transport.sendMail({
      // As objects: of a string, nodemailer makes a list of addresses.
      from: { name, address },
      to: { name: "", address: to },
      subject: message.title,
      messageId: `<${message.id}@${domainToASCII(address.replace(/.*@/, "")) || "freehold.invalid"}>`,
      headers: { "Auto-Submitted": "auto-generated", ...unsubscribe },
      text: mailText(message),
      html: mailHtml(message),
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    });
    return response ?? "";
  });
}

async function withTransport(
  smtp: Smtp,
  signal: AbortSignal,
  use: (transport: Transporter) => Promise<string>,
): Promise<SendResult> {
  const { host, port, tls, user, password, outbound } = smtp;
  let connection: Socket | undefined;
  try {
    // Imported here: most registers never send mail, and it is 250 KB.
    const { createTransport } = await import("nodemailer");
    connection = await outbound?.connect(host, port, { timeoutMs: CONNECT_TIMEOUT_MS, signal });
    const transport = createTransport({
      host,
      port,
      secure: tls === "implicit",
      requireTLS: tls === "starttls",
      ignoreTLS: tls === "off",
      ...(user !== null && { auth: { user, pass: password ?? "" } }),
      ...(connection && { connection }),
    });
    return { kind: "sent", said: shorten(hide(await use(transport), smtp)) };
  } catch (error) {
    return explainFailure(error, smtp);
  } finally {
    connection?.destroy();
  }
}

/** The server of `SMTP_URL`; TLS is required but for `?tls=off`. */
export function readSmtpUrl(smtpUrl: string, sender: string): Smtp {
  const { protocol, hostname, port, username, password, searchParams } = new URL(smtpUrl);
  const isImplicit = protocol === "smtps:";
  const isPlain = searchParams.get("tls") === "off";
  return {
    // An IPv6 address stands in brackets.
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (isImplicit ? 465 : 587),
    tls: isImplicit ? "implicit" : isPlain ? "off" : "starttls",
    user: decodeSegment(username) || null,
    password: decodeSegment(password),
    sender,
    outbound: null,
  };
}

/** Removes the password, which the server may repeat, also as AUTH PLAIN and LOGIN write it. */
function hide(said: string, { user, password }: Smtp): string {
  if (!password) return said;
  const encoded = [password, `\0${user}\0${password}`].map((secret) =>
    Buffer.from(secret).toString("base64"),
  );
  return [password, ...encoded].reduce((rest, secret) => rest.replaceAll(secret, "…"), said);
}

/** An error of nodemailer; `permanent` follows from a reply of 5xx. */
const parseFailure = p.object({
  code: p.orElse(p.text, ""),
  originalCode: p.orElse(p.text, ""),
  command: p.orElse(p.text, ""),
  message: p.orElse(p.text, ""),
  response: p.orElse(p.text, ""),
  responseCode: p.orElse(p.number, 0),
  permanent: p.orElse(p.boolean, false),
});

const NOT_TRUSTED = /CERT|LEAF_SIGNATURE/;

/** What OpenSSL says of an answer in plain text. */
const NOT_TLS = /WRONG_VERSION_NUMBER/;

function explainFailure(error: unknown, smtp: Smtp): SendResult {
  if (error instanceof OutboundError) {
    return { kind: error.failure === "blocked" ? "paused" : "retry", said: explain(error) };
  }
  const failure = parseFailure(error);
  const { code, originalCode, command, message, response, responseCode, permanent } = failure;
  const isSetHere = smtp.outbound !== null;
  // The answer to a password may repeat it.
  const said =
    code === "EAUTH"
      ? `The mail server refused the user name or password${isSetHere ? "" : " in SMTP_URL"} (${responseCode}).`
      : shorten(hide(response || message, smtp));
  if (NOT_TRUSTED.test(originalCode))
    return { kind: "paused", said: `The mail server’s certificate is not trusted: ${said}` };
  if (NOT_TLS.test(message)) {
    return { kind: "retry", said: "The answer was not TLS: check the port and its encryption." };
  }
  if (code === "ETLS" && permanent) {
    const way = isSetHere ? "Choose “None” as its encryption" : "Add ?tls=off to SMTP_URL";
    const why = "The mail server doesn’t offer TLS.";
    return { kind: "paused", said: `${why} ${way} if you trust the network.` };
  }
  if (code === "EABORT" || code === "ETIMEDOUT")
    return { kind: "retry", said: "The mail server did not answer in time." };
  // Without a reply, nodemailer itself has refused the address or the password.
  const isRefused = permanent || (responseCode === 0 && ["EENVELOPE", "EAUTH"].includes(code));
  if (!isRefused) return { kind: "retry", said };
  // What fails before the recipient is about this server, its sender or its configuration.
  const isRecipient = code !== "EAUTH" && ["RCPT TO", "DATA", "API"].includes(command);
  return { kind: isRecipient ? "dead" : "paused", said };
}

const NAME = "mail server";
const parseSealed = p.object({ password: p.nullable(p.text) });
const parseSaved = (json: unknown) => ({ ...parseMailServer(json), ...parseSealed(json) });
const PLACE = ["mail server", "password"] as const;

const NOT_SET_UP =
  "E-mail isn’t set up on this server: enter a mail server in Settings, Reminders.";
const NO_SENDER =
  "SMTP_URL is set, but not the sender: set MAIL_FROM too, then restart the server.";
const FAULTS = {
  "other-key":
    "The key that the mail server’s password was encrypted with is gone: enter it again.",
  "unusable-key": UNUSABLE_KEY,
  damaged: "The stored password of the mail server is damaged: enter it again.",
} as const;

export type FindSmtp = () => Promise<Smtp | { problem: string }>;

/** For `doctor`: connects to the mail server and signs in, to that of the settings without a password. */
export async function tryMail(
  database: Database | null,
  { smtpUrl, mailFrom }: { smtpUrl: string | null; mailFrom: string | null },
  outbound: Outbound,
  signal: AbortSignal,
): Promise<{ host: string; failure: string | null } | null> {
  // Before the first start there are no tables.
  const hasTables = database !== null && (await database.read(readSchema)) !== null;
  const saved =
    hasTables && (await database.read((sql) => readSetting(sql, NAME, parseMailServer)));
  const smtp =
    smtpUrl === null
      ? saved && { ...saved, user: null, password: null, outbound }
      : readSmtpUrl(smtpUrl, mailFrom ?? "");
  if (!smtp) return null;
  if (smtpUrl !== null && mailFrom === null) return { host: smtp.host, failure: NO_SENDER };
  const { kind, said } = await withTransport(smtp, signal, async (transport) =>
    String(await transport.verify()),
  );
  return { host: smtp.host, failure: kind === "sent" ? null : said };
}

/** Not by its parser: `SMTP_URL` may have values that the settings refuse. */
function withoutPassword({ host, port, tls, user, sender }: MailServer): MailServer {
  return { host, port, tls, user, sender };
}

/** The mail server of `SMTP_URL`, else that of the settings, judged by `outbound` as webhooks are. */
export function createMailServer(
  database: Database,
  { smtpUrl = null, mailFrom = null }: { smtpUrl?: string | null; mailFrom?: string | null },
  of: { cipher: CredentialCipher; outbound: Outbound; brand: string },
): { find: FindSmtp; routes: Route[] } {
  const { cipher, outbound, brand } = of;

  const readSaved = () => database.read((sql) => readSetting(sql, NAME, parseSaved));

  function choose(saved: Awaited<ReturnType<typeof readSaved>>): Smtp | { problem: string } {
    if (smtpUrl !== null) {
      return mailFrom === null ? { problem: NO_SENDER } : readSmtpUrl(smtpUrl, mailFrom);
    }
    if (saved === null) return { problem: NOT_SET_UP };
    const { password } = saved;
    const opened = password === null ? { credential: null } : cipher.decrypt(password, PLACE);
    if ("fault" in opened) return { problem: FAULTS[opened.fault] };
    return { ...saved, password: opened.credential, outbound };
  }

  async function describe() {
    const saved = await readSaved();
    const found = choose(saved);
    const [problem, server] = "problem" in found ? [found.problem, saved] : [null, found];
    const setBy = smtpUrl === null ? saved && "settings" : "variable";
    return { setBy, server: server && withoutPassword(server), problem } as const;
  }

  function refuseBesideVariable() {
    if (smtpUrl === null) return;
    throw new RequestError(409, "SMTP_URL sets the mail server: change it there.");
  }

  const routes = [
    route("GET /api/mail-server", "owner", {
      summary: "Read the mail server, without its password",
      query: NO_PARAMETERS,
      answer: parseMailServerState,
      handle: describe,
    }),
    route("PUT /api/mail-server", "owner", {
      summary: "Set the mail server, once it has accepted a test message",
      body: parseMailServerChange,
      answer: parseTested,
      problems: [409, 422],
      async handle(context) {
        const { body, now } = context;
        const { password: given, testTo, ...server } = body;
        refuseBesideVariable();
        const password = given || null;
        if (server.user !== null && password === null) {
          // The saved one could be sent to another server.
          const detail = "Enter the password.";
          throw badFields([{ pointer: "/password", code: "required", detail }]);
        }
        // Before anything is sent: without a key, it could not be saved.
        const sealed = password === null ? null : cipher.encrypt(password, PLACE);
        const smtp = { ...server, password, outbound };
        const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
        const { kind, said } = await sendMail(smtp, testTo, writeTest(brand, now), signal);
        if (kind !== "sent")
          throw new RequestError(422, `Not sent: ${said.replace(/^The /, "the ")}`);
        await context.database.write(async (sql) => {
          await saveSetting(sql, NAME, { ...server, password: sealed });
          await recordRequest(sql, context, "mail-server-changed", { subject: server.host });
        });
        return { ok: true, said };
      },
    }),
    route("DELETE /api/mail-server", "owner", {
      summary: "Forget the mail server",
      answer: null,
      problems: [409],
      async handle(context) {
        refuseBesideVariable();
        await context.database.write(async (sql) => {
          await removeSetting(sql, NAME);
          await recordRequest(sql, context, "mail-server-deleted");
        });
      },
    }),
  ];
  return { find: async () => choose(smtpUrl === null ? await readSaved() : null), routes };
}
