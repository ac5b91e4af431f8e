import { describe, expect, test } from "bun:test";
import tls from "node:tls";
import { readSmtpUrl, sendMail } from "../../../src/backend/reminders/mail.ts";
import { type Message, writeTest } from "../../../src/backend/reminders/message.ts";
import type { MessageName } from "../../../src/backend/reminders/payload.ts";
import { UNKNOWN_VALUES } from "../../../src/shared/domain.ts";
import { startMailServer, type MailServer } from "../../support/mail-server.ts";

const NAME: MessageName = {
  domain: {
    ...UNKNOWN_VALUES,
    id: "0193-1",
    version: 1,
    name: "xn--mnchen-3ya.example",
    unicode: "münchen.example",
    owner: "Acme",
    registrar: "Gandi",
    account: "ops@example.com",
    renewal: { minor: 1550, currency: "EUR", years: 1 },
  },
  expires: "2026-12-12",
  days: 5,
  threshold: 7,
  reason: "due",
  finding: null,
  group: "Within 7 days · Acme",
  advice: "Nothing is decided yet: renew it, transfer it or let it go.",
  link: "https://register.example/domains/xn--mnchen-3ya.example",
  acknowledgeLink: "https://register.example/api/acknowledge/a.b.c",
};

const MESSAGE: Message = {
  ...writeTest("Acme", new Date("2026-12-07T08:00:00.000Z")),
  type: "reminder.due",
  title: "münchen.example expires in 5 days",
  notes: ["“Ops” is broken."],
  names: [NAME],
  more: 3,
  settledNotes: [
    "2 domains to be dropped expire within 60 days. Auto-renew is off: nothing to do.",
  ],
  link: "https://register.example/home",
  unsubscribeLink: "https://register.example/api/unsubscribe/x",
};

const NEVER = new AbortController().signal;

/** Sends a message, in clear unless the query says otherwise. */
function send(
  { port }: Pick<MailServer, "port">,
  {
    auth = "",
    query = "?tls=off",
    from = "register@example.com",
    to = "ada@example.com",
    message = MESSAGE,
    signal = NEVER,
  } = {},
) {
  const smtpUrl = `smtp://${auth}localhost:${port}/${query}`;
  return sendMail(readSmtpUrl(smtpUrl, from), to, message, signal);
}

/** The headers of a message by name, unfolded, and its parts decoded. */
function read(raw: string) {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
  const body = rest.join("\n\n").replace(/=\r\n/g, "");
  const bytes = body.replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return { headers, lines, body: Buffer.from(bytes, "latin1").toString("utf8") };
}

describe("sendMail", () => {
  test("says everything in text and in HTML, with headers that keep mail programs calm", async () => {
    await using server = await startMailServer();
    expect(await send(server)).toEqual({ kind: "sent", said: "250 queued" });
    const { headers, body } = read(server.received[0]?.raw ?? "");
    expect(headers).toMatchObject({
      From: "Acme <register@example.com>",
      To: "ada@example.com",
      "Message-ID": `<${MESSAGE.id}@example.com>`,
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": "<https://register.example/api/unsubscribe/x>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    expect(headers["Content-Type"]).toStartWith("multipart/alternative");
    const [, text = "", page = ""] = body.split(/Content-Transfer-Encoding: [\w-]+\s+/);
    const facts = ["münchen.example", "xn--mnchen-3ya.example", "12 December 2026, in 5 days"];
    const sentences = [
      "Gandi · ops@example.com · renewal €15.50",
      NAME.advice,
      ...MESSAGE.notes,
      ...MESSAGE.settledNotes,
      "and 3 more",
    ];
    const links = [NAME.link, NAME.acknowledgeLink, MESSAGE.link, MESSAGE.unsubscribeLink];
    for (const part of [text, page]) {
      for (const said of [...facts, ...sentences, ...links]) expect(part).toContain(said ?? "");
    }
    expect(page).toMatch(
      /^<!doctype html><html lang="en"><head>.*<meta .*<style>.*<\/style><\/head><body>.*<h1>.*<\/body><\/html>/s,
    );
    expect(page.match(/<\/(?:head|body|html)>/g)).toHaveLength(3);
    expect(page).not.toMatch(/<img|<script|src=|@import|url\(/);
  });

  test.each([
    ["Domains <a@b.example>", "Domains <a@b.example>", "b.example"],
    ["eve@x.example, Foo <a@b.example>", '"eve@x.example, Foo" <a@b.example>', "b.example"],
    ["Team: all <a@b.example>", '"Team: all" <a@b.example>', "b.example"],
    ['"Acme, Inc." <a@b.example>', '"Acme, Inc." <a@b.example>', "b.example"],
    ["Names <a@exämple.de>", "Names <a@xn--exmple-cua.de>", "xn--exmple-cua.de"],
    ["Names <a@xn--a.de>", "Names <a@xn--a.de>", "freehold.invalid"],
  ])(
    "comes from one address, %s, with its domain in the Message-ID",
    async (from, said, domain) => {
      await using server = await startMailServer();
      const message = { ...MESSAGE, unsubscribeLink: "http://register.example/api/unsubscribe/x" };
      await send(server, { from, message });
      const { headers } = read(server.received[0]?.raw ?? "");
      expect(headers["From"]).toBe(said);
      expect(headers["Message-ID"]).toBe(`<${MESSAGE.id}@${domain}>`);
      // No one-click POST over plain HTTP.
      expect(headers["List-Unsubscribe"]).toBe("<http://register.example/api/unsubscribe/x>");
      expect(headers["List-Unsubscribe-Post"]).toBeUndefined();
    },
  );

  test("escapes what users wrote and lets nothing into the headers", async () => {
    await using server = await startMailServer();
    const evil = `<b>"x"\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>`;
    const domain = { ...NAME.domain, unicode: evil, registrar: evil };
    const name = { ...NAME, domain, group: evil, advice: evil };
    const message = { ...MESSAGE, title: evil, notes: [evil], names: [name] };
    await send(server, { message });
    const { lines, body } = read(server.received[0]?.raw ?? "");
    expect(lines.filter((line) => /^(?:bcc|to):/i.test(line))).toEqual(["To: ada@example.com"]);
    const page = body.slice(body.indexOf("<!doctype"));
    expect(page).toContain("&lt;script&gt;");
    expect(page).not.toMatch(/<script|<b>/);
    expect(await send(server, { to: "ada@example.com\r\nBcc: eve@example.com" })).toMatchObject({
      kind: "dead",
    });
    expect(server.received).toHaveLength(1);
  });

  test("asks for TLS, a certificate that is trusted, and the right password", async () => {
    await using server = await startMailServer({
      authOptional: false,
      onAuth({ password = "" }, _session, done) {
        if (password === "p@ss word") return done(null, { user: "ada" });
        return done(new Error(`I was told ${password} and ${btoa(`\0ada\0${password}`)}`));
      },
    });
    const given = { auth: "ada:p%40ss%20word@", query: "" };
    expect(await send(server, given)).toEqual({
      kind: "paused",
      said: "The mail server’s certificate is not trusted: self signed certificate",
    });
    const trusted = tls.getCACertificates("default");
    tls.setDefaultCACertificates([...trusted, server.cert]);
    try {
      expect(await send(server, given)).toEqual({ kind: "sent", said: "250 queued" });
      expect(server.received).toMatchObject([{ secure: true, user: "ada" }]);
      expect(await send(server, { ...given, auth: "ada:wrong-secret@" })).toEqual({
        kind: "paused",
        said: "The mail server refused the user name or password in SMTP_URL (535).",
      });
      expect(await send(server, { query: "" })).toMatchObject({ kind: "paused" });
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
  });

  test("sends nothing in clear to a server without STARTTLS unless it is told to", async () => {
    await using server = await startMailServer({ disabledCommands: ["STARTTLS"] });
    const refused = await send(server, { query: "", auth: "ada:secret@" });
    expect(refused).toMatchObject({ kind: "paused" });
    expect(refused.said).toBe(
      "The mail server doesn’t offer TLS. Add ?tls=off to SMTP_URL if you trust the network.",
    );
    expect(server.received).toEqual([]);
    expect((await send(server)).kind).toBe("sent");
  });

  test("tries again after 4xx, gives a recipient up at 5xx, and pauses for a refused sender", async () => {
    type Done = (error: Error) => void;
    const refuse = (responseCode: number) => (_address: unknown, _session: unknown, done: Done) =>
      done(Object.assign(new Error("no, thank you"), { responseCode }));
    for (const [options, result] of [
      [{ onRcptTo: refuse(451) }, { kind: "retry", said: "451 no, thank you" }],
      [{ onRcptTo: refuse(550) }, { kind: "dead", said: "550 no, thank you" }],
      [{ onMailFrom: refuse(550) }, { kind: "paused", said: "550 no, thank you" }],
      [{ atDot: () => 451 }, { kind: "retry", said: "451 no, thank you" }],
      [{ atDot: () => 552 }, { kind: "dead", said: "552 no, thank you" }],
    ] as const) {
      await using server = await startMailServer(options);
      expect(await send(server)).toEqual(result);
    }
    expect(await send({ port: 1 })).toMatchObject({ kind: "retry" });
  });

  test("has the same Message-ID on the second try after a drop or silence at the final dot", async () => {
    for (const first of ["drop", "silence"] as const) {
      const waiting = new AbortController();
      await using server = await startMailServer({
        atDot(tries) {
          if (first === "silence") waiting.abort();
          return tries === 1 ? first : 250;
        },
      });
      expect((await send(server, { signal: waiting.signal })).kind).toBe("retry");
      expect((await send(server)).kind).toBe("sent");
      const ids = server.received.map(({ raw }) => read(raw).headers["Message-ID"]);
      expect(ids).toEqual(Array(2).fill(`<${MESSAGE.id}@example.com>`));
    }
  });
});
