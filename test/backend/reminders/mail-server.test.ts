import { describe, expect } from "bun:test";
import tls from "node:tls";
import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { startBackend } from "../../support/backend-server.ts";
import { databaseKind, onSqlite, test as both } from "../../support/both-databases.ts";
import { expectAnswer } from "../../support/expect-answer.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { testWith } from "../../support/test-with.ts";

const PATH = "/api/mail-server";
const KEY = Buffer.alloc(32, 7).toString("base64");
const PASSWORD = "correct horse";

/** A mail server that knows one password, and a register that may reach it. */
async function start(given: { allow?: string[]; smtpUrl?: string } = {}) {
  const { allow = ["127.0.0.0/8"], smtpUrl = null } = given;
  const mail = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === PASSWORD
        ? done(null, { user: username })
        : done(new Error(`I was told ${password}`)),
  });
  const reminders = { allow, smtpUrl, mailFrom: smtpUrl && "a@b.example" };
  const server = await startBackend({ reminders, brand: "Acme", credentialsKey: null });
  const client = await server.owner();
  const settings = {
    host: "127.0.0.1",
    port: mail.port,
    tls: "off",
    user: "ada",
    password: PASSWORD,
    sender: "eve@x.example, Team: all <names@example.com>",
    testTo: "ada@example.com",
  };
  return {
    mail,
    server,
    client,
    given: settings,
    read: () => client.json(PATH),
    put: (values: object = {}) => client.put(PATH, { ...settings, ...values }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
    },
  };
}

const test = testWith(start);
const testBoth = testWith(start, both);
const testOnSqlite = testWith(start, onSqlite);

describe("the mail server of the settings", () => {
  testOnSqlite("is saved once a test has arrived, then sends with no restart", async (register) => {
    const { mail, client, put, read, given } = register;
    expect(await read()).toMatchObject({ setBy: null, server: null });
    const channel = { kind: "mail", name: "Ada", target: "ada@example.com" };
    const post = () => client.post("/api/channels", channel);
    expect(await (await post()).text()).toContain("isn’t set up on this server");

    const refused = "Not sent: the mail server refused the user name or password (535).";
    const words = await expectAnswer(put({ password: "wrong horse" }), 422, refused);
    expect(words).not.toContain("wrong horse");
    expect(await read()).toMatchObject({ setBy: null });

    expect(await (await put()).json()).toEqual({ ok: true, said: "250 queued" });
    expect(mail.received[0]?.raw).toContain("Subject: Test message from Acme");
    const from = '"eve@x.example, Team: all" <names@example.com>';
    expect(mail.received[0]?.raw).toContain(`From: ${from}\r\n`);
    const { password: _, testTo: __, ...server } = given;
    expect(await read()).toEqual({ setBy: "settings", server, problem: null });

    const { id }: { id: string } = await (await post()).json();
    const tested = await client.json(`/api/channels/${id}/test`, { method: "POST" });
    expect(tested).toEqual({ ok: true, said: "250 queued" });
    expect(mail.received[1]?.raw).toContain("It works: reminders arrive here.");
    expect((await client.delete(PATH)).status).toBe(204);
    expect(await read()).toMatchObject({ setBy: null, server: null });
  });

  testOnSqlite("keeps its password encrypted; its user alone reads the key", async (register) => {
    const { server, put, read } = register;
    expect((await put()).status).toBe(200);
    const file = `${server.databaseUrl.slice("sqlite://".length)}.key`;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const rows = JSON.stringify(await server.read((sql) => sql`select * from settings`));
    expect(rows).toContain("mail server");
    expect(rows).not.toContain(PASSWORD);
    expect(JSON.stringify(await read())).not.toContain(PASSWORD);

    // It is never sent to where somebody else may have changed the address to.
    await expectAnswer(put({ password: "", host: "localhost" }), 400, "/password");

    await server.write(async (sql) => {
      const [row] = await sql`select value from settings where name = 'mail server'`;
      const saved = JSON.parse(row.value);
      saved.password = saved.password.replace(".", ".AAAA");
      await sql`update settings set value = ${JSON.stringify(saved)} where name = 'mail server'`;
    });
    expect(await read()).toMatchObject({ problem: expect.stringContaining("damaged") });
    chmodSync(file, 0o644);
    expect(await read()).toMatchObject({ problem: expect.stringContaining("key file") });
    await expectAnswer(put(), 409, "key file");
    rmSync(file);
    const gone = { server: { host: "127.0.0.1" }, problem: expect.stringContaining("The key") };
    expect(await read()).toMatchObject({ setBy: "settings", ...gone });
    expect((await put()).status).toBe(200);
    expect(await read()).toMatchObject({ problem: null });
  });

  testOnSqlite("is not one of a private network that the operator has not opened", async () => {
    await using register = await start({ allow: [] });
    for (const host of ["127.0.0.1", "localhost"]) {
      await expectAnswer(register.put({ host }), 422, "OUTBOUND_ALLOW");
    }
    expect(register.mail.received).toEqual([]);
  });

  test("names the way where the other side has no TLS, and takes no nonsense", async (register) => {
    await using mail = await startMailServer({ disabledCommands: ["STARTTLS"] });
    const { put } = register;
    const plain = await put({ port: mail.port, tls: "starttls", user: null, password: "" });
    expect(await plain.text()).toContain(
      "Not sent: the mail server doesn’t offer TLS. Choose “None” as its encryption if you trust the network.",
    );
    for (const bad of [
      { host: "http://x" },
      { host: `${"a.".repeat(200)}example` },
      { sender: "Ada" },
      { sender: "a@b.example\r\nBcc: eve@example.com" },
      { testTo: "ada" },
      { user: "ada\r\n" + "x".repeat(300) },
    ]) {
      expect((await put(bad)).status).toBe(400);
    }
    expect(mail.received).toEqual([]);
  });

  testOnSqlite("is not quoted where it repeats the password in any form", async (register) => {
    const forms = [PASSWORD, btoa(PASSWORD), btoa(`\0ada\0${PASSWORD}`)];
    await using mail = await startMailServer({
      allowInsecureAuth: true,
      onAuth: ({ username }, _session, done) => done(null, { user: username }),
      onRcptTo: (_address, _session, done) => done(new Error(`You are ${forms.join(" and ")}.`)),
    });
    await expectAnswer(register.put({ port: mail.port }), 422, "You are … and … and ….");
  });

  testOnSqlite("is talked to over TLS, with a certificate for its name", async (register) => {
    await using implicit = await startMailServer({ secure: true });
    const { mail, put } = register;
    const starttls = { host: "localhost", tls: "starttls" };
    await expectAnswer(put(starttls), 422, "certificate is not trusted");
    await expectAnswer(put({ tls: "implicit" }), 422, "check the port and its encryption");
    const trusted = tls.getCACertificates("default");
    tls.setDefaultCACertificates([...trusted, mail.cert, implicit.cert]);
    try {
      expect((await put(starttls)).status).toBe(200);
      expect(mail.received).toMatchObject([{ secure: true, user: "ada" }]);
      const over = { port: implicit.port, tls: "implicit", user: null, password: undefined };
      expect((await put({ ...over, host: "localhost" })).status).toBe(200);
      expect(implicit.received).toMatchObject([{ secure: true }]);
      expect((await put({ ...over, host: "127.0.0.1" })).status).toBe(422);
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
  });

  test("does not count beside SMTP_URL", async () => {
    const smtpUrl = "smtp://ada:hidden@mail.example:2525/?tls=off";
    await using register = await start({ smtpUrl });
    const state = await register.read();
    const place = { host: "mail.example", port: 2525, tls: "off" };
    const server = { ...place, user: "ada", sender: "a@b.example" };
    expect(state).toMatchObject({ setBy: "variable", server });
    expect(JSON.stringify(state)).not.toContain("hidden");
    expect((await register.put()).status).toBe(409);
    expect((await register.client.delete(PATH)).status).toBe(409);
  });

  testBoth("needs a key of the operator on Postgres, and takes one on either", async (register) => {
    const isSqlite = databaseKind() === "sqlite";
    expect((await register.put()).status).toBe(isSqlite ? 200 : 409);
    const reminders = { allow: ["127.0.0.0/8"] };
    await using keyed = await startBackend({ reminders, credentialsKey: KEY });
    const client = await keyed.owner();
    const saved = await client.request(PATH, { method: "PUT", json: register.given });
    expect(saved.status).toBe(200);
    if (isSqlite) expect(existsSync(`${keyed.databaseUrl.slice(9)}.key`)).toBe(false);
    expect(await client.json(PATH)).toMatchObject({ setBy: "settings", problem: null });
  });
});
