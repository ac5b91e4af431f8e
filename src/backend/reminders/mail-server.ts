import { nullable, object, text } from "../../shared/parse.ts";
import {
  parseMailServer,
  parseMailServerChange,
  parseMailServerState,
  parseTested,
} from "../../shared/reminders.ts";
import { type CredentialCipher, UNUSABLE_KEY } from "../outbound/credentials.ts";
import { recordRequest } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import { NO_PARAMETERS } from "../http/read-input.ts";
import { badFields, RequestError } from "../http/request-error.ts";
import { route, type Route } from "../http/route.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { readSetting, removeSetting, saveSetting } from "../database/setting-store.ts";
import { readSmtpUrl, sendMail, type Smtp } from "./mail.ts";
import { TEST_TIMEOUT_MS, writeTest } from "./message.ts";

const NAME = "mail server";
const parseSealed = object({ password: nullable(text) });
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

/** The mail server of `SMTP_URL`, else that of the settings, judged by `outbound` as webhooks are. */
export function createMailServer(
  database: Database,
  { smtpUrl, mailFrom }: { smtpUrl: string | null; mailFrom: string | null },
  of: { cipher: CredentialCipher; outbound: Outbound; brand: string },
): { find: FindSmtp; routes: Route[] } {
  const { cipher, outbound, brand } = of;

  const readSaved = () =>
    database.read(async (sql) => ({
      saved: await readSetting(sql, NAME, parseMailServer),
      sealed: (await readSetting(sql, NAME, parseSealed))?.password ?? null,
    }));

  async function find(): ReturnType<FindSmtp> {
    if (smtpUrl !== null) {
      return mailFrom === null ? { problem: NO_SENDER } : readSmtpUrl(smtpUrl, mailFrom);
    }
    const { saved, sealed } = await readSaved();
    if (saved === null) return { problem: NOT_SET_UP };
    const opened = sealed === null ? { credential: null } : cipher.decrypt(sealed, PLACE);
    if ("fault" in opened) return { problem: FAULTS[opened.fault] };
    return { ...saved, password: opened.credential, outbound };
  }

  async function describe() {
    const { saved } = await readSaved();
    const found = await find();
    const setBy = smtpUrl === null ? saved && "settings" : "variable";
    if ("problem" in found) return { setBy, server: saved, problem: found.problem } as const;
    const { password: _, outbound: __, ...server } = found;
    return { setBy, server, problem: null } as const;
  }

  function refuseBesideVariable() {
    if (smtpUrl === null) return;
    throw new RequestError(409, "SMTP_URL sets the mail server where this server is started.");
  }

  const routes = [
    route("GET /api/mail-server", {
      summary: "Read the mail server, without its password",
      role: "owner",
      query: NO_PARAMETERS,
      answer: parseMailServerState,
      handle: describe,
    }),
    route("PUT /api/mail-server", {
      summary: "Set the mail server, once it has accepted a test message",
      role: "owner",
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
          throw badFields([
            { pointer: "/password", code: "required", detail: "Enter the password." },
          ]);
        }
        // Before anything is sent: without a key, it could not be saved.
        const sealed = password === null ? null : cipher.encrypt(password, PLACE);
        const message = writeTest({ brand, now });
        const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
        const smtp = { ...server, password, outbound };
        const { kind, said } = await sendMail(smtp, { target: testTo }, message, { signal });
        if (kind !== "sent")
          throw new RequestError(422, `Not sent: ${said.replace(/^The /, "the ")}`);
        await context.database.write(async (sql) => {
          await saveSetting(sql, NAME, { ...server, password: sealed });
          await recordRequest(sql, context, "mail-server-changed", { subject: server.host });
        });
        return { ok: true, said };
      },
    }),
    route("DELETE /api/mail-server", {
      summary: "Forget the mail server",
      role: "owner",
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
  return { find, routes };
}
