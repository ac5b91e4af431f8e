import { boolean, number, object, orElse, text } from "../../shared/parse.ts";
import { decodeSegment } from "../http/read-input.ts";
import { mailHtml, mailText } from "./mail-body.ts";
import { type Message, type SendResult, shorten } from "./message.ts";

/** The operator's mail server and the sender; null where the variable is not set. */
export interface MailOptions {
  /** `smtps://user:password@host:465` or `smtp://…:587`; TLS is required but for `?tls=off`. */
  smtpUrl: string | null;
  mailFrom: string | null;
}

/** What a person reads where mail cannot be sent. */
export const NO_MAIL_SERVER =
  "This server can’t send e-mail yet: set SMTP_URL and MAIL_FROM where it is started.";

/**
 * Sends a message to the address of a channel; it never throws. Every try has the same Message-ID, by
 * which a mail program recognises a second copy: where the answer to the final dot is lost, the server
 * may have accepted the message.
 *
 * @param signal Ends the attempt, which is then to be repeated.
 */
export async function sendMail(
  { smtpUrl, mailFrom }: MailOptions,
  { target }: { target: string },
  message: Message,
  { signal }: { signal: AbortSignal },
): Promise<SendResult> {
  if (smtpUrl === null || mailFrom === null) {
    return { kind: "paused", said: NO_MAIL_SERVER };
  }
  const link = message.unsubscribeLink;
  const unsubscribe = link !== null && {
    "List-Unsubscribe": `<${link}>`,
    // RFC 8058 asks for https.
    ...(link.startsWith("https:") && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
  };
  try {
    // Imported here: most registers never send mail, and it is 250 KB.
    const { createTransport } = await import("nodemailer");
    const { response } = await createTransport(readSmtpUrl(smtpUrl)).sendMail({
      from: mailFrom.includes("<") ? mailFrom : { name: message.brand, address: mailFrom },
      // As an object: of a string, nodemailer makes a list of addresses.
      to: { name: "", address: target },
      subject: message.title,
      messageId: `<${message.id}@${/@([\w.-]+)/.exec(mailFrom)?.[1] ?? "freehold.invalid"}>`,
      headers: { "Auto-Submitted": "auto-generated", ...unsubscribe },
      text: mailText(message),
      html: mailHtml(message),
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    });
    return { kind: "sent", said: shorten(response) };
  } catch (error) {
    return explainFailure(error);
  }
}

function readSmtpUrl(smtpUrl: string) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(smtpUrl);
  const secure = protocol === "smtps:";
  const isPlain = searchParams.get("tls") === "off";
  const auth = { user: decodeSegment(username), pass: decodeSegment(password) };
  return {
    // An IPv6 address stands in brackets.
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !isPlain,
    ignoreTLS: isPlain,
    ...(username !== "" && { auth }),
  };
}

/** What nodemailer adds to its errors; `permanent` follows from a reply of 5xx. */
const parseFailure = object({
  code: orElse(text, ""),
  originalCode: orElse(text, ""),
  command: orElse(text, ""),
  message: orElse(text, ""),
  response: orElse(text, ""),
  responseCode: orElse(number, 0),
  permanent: orElse(boolean, false),
});

const NOT_TRUSTED = /CERT|LEAF_SIGNATURE/;

function explainFailure(error: unknown): SendResult {
  const failure = parseFailure(error);
  const { code, originalCode, command, message, response, responseCode, permanent } = failure;
  // What the server says to a password is left out: it may repeat it.
  const said =
    code === "EAUTH"
      ? `The mail server refused the user name or password in SMTP_URL (${responseCode}).`
      : shorten(response || message);
  if (NOT_TRUSTED.test(originalCode))
    return { kind: "paused", said: `The mail server’s certificate is not trusted: ${said}` };
  if (code === "ETLS" && permanent)
    return { kind: "paused", said: `The mail server offers no TLS: ${said}` };
  if (code === "EABORT" || code === "ETIMEDOUT")
    return { kind: "retry", said: "The mail server did not answer in time." };
  // Without a reply, nodemailer itself has refused the address or the password.
  const isRefused = permanent || (responseCode === 0 && ["EENVELOPE", "EAUTH"].includes(code));
  if (!isRefused) return { kind: "retry", said };
  // What fails before the recipient is about this server, its sender or its configuration.
  const isRecipient = code !== "EAUTH" && ["RCPT TO", "DATA", "API"].includes(command);
  return { kind: isRecipient ? "dead" : "paused", said };
}
