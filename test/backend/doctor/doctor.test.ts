import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { type DoctorOptions, examine } from "../../../src/backend/doctor/doctor.ts";
import type { Database } from "../../../src/backend/database/database.ts";
import { migrate } from "../../../src/backend/database/migrate.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { createAddressRule } from "../../../src/backend/outbound/addresses.ts";
import { createOutbound } from "../../../src/backend/outbound/outbound.ts";
import { createResolver } from "../../../src/backend/outbound/resolver.ts";
import { tryMail } from "../../../src/backend/reminders/mail.ts";
import { DAY_MS } from "../../../src/shared/day.ts";
import { emptyDatabase } from "../../support/empty-database.ts";
import { startMailServer } from "../../support/mail-server.ts";

/** An empty database in a folder, and a web server that says what time it is. */
async function place() {
  const used = new AsyncDisposableStack();
  const { folder, url } = used.use(await emptyDatabase());
  const web = { status: 200, clock: Date.now };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      const headers = { Date: new Date(web.clock()).toUTCString() };
      return new Response("{}", { status: web.status, headers });
    },
  });
  used.defer(() => server.stop(true));
  const asked = {
    https: new URL(`http://localhost:${server.port}/`),
    whois: { host: "localhost", port: server.port ?? 0 },
  };
  return { url, folder, web, asked, [Symbol.asyncDispose]: () => used.disposeAsync() };
}

const LOOPBACK = ["127.0.0.0/8", "::1/128"];

type Given = Partial<DoctorOptions> & {
  smtpUrl?: string | null;
  mailFrom?: string | null;
  allow?: string[];
};

/** What is found, a line each: the level, what it is about, and the text. */
async function findings(
  { url, asked }: Pick<Awaited<ReturnType<typeof place>>, "url" | "asked">,
  { smtpUrl = null, mailFrom = "names@example.com", allow = LOOPBACK, ...options }: Given = {},
) {
  const mayConnect = createAddressRule(allow);
  const outbound = createOutbound({ resolver: createResolver([]), mayConnect, ports: "any" });
  const given = { databaseUrl: url, backups: null, checks: { mode: null }, ...options };
  const mail = (database: Database | null, signal: AbortSignal) =>
    tryMail(database, { smtpUrl, mailFrom }, outbound, signal);
  const lines: string[] = [];
  for await (const { level, about, text } of examine(given, outbound, mail, asked)) {
    lines.push(`${level} ${about} ${text}`);
  }
  return lines;
}

const line = (lines: readonly string[], about: string) =>
  lines.find((each) => each.split(" ")[1] === about) ?? "";

describe("doctor", () => {
  test("finds nothing wrong where nothing is, and leaves it alone", async () => {
    await using at = await place();
    const database = await openDatabase(at.url);
    await migrate(database);
    await database.close();
    await using mail = await startMailServer({ secure: false, hideSTARTTLS: true });
    const smtpUrl = `smtp://127.0.0.1:${mail.port}?tls=off`;
    const lines = await findings(at, { smtpUrl, backups: { folder: at.folder } });
    expect(lines.filter((each) => each.startsWith("fail"))).toEqual([]);
    expect(line(lines, "Database")).toMatch(/^ok Database .+ holds 0 domains$/);
    expect(line(lines, "Backup")).toStartWith("note Backup there is none yet");
    expect(line(lines, "Disk")).toMatch(/^ok Disk \d+ MB free for /);
    expect(line(lines, "Mail")).toBe("ok Mail 127.0.0.1 accepts messages");
    expect(line(lines, "HTTPS")).toBe("ok HTTPS localhost answers, and the clock is right");
    expect(line(lines, "WHOIS")).toStartWith("ok");
    expect(mail.received).toEqual([]);
    expect(line(await findings(at, { smtpUrl, mailFrom: null }), "Mail")).toBe(
      "fail Mail 127.0.0.1: SMTP_URL is set, but not the sender: set MAIL_FROM too, then restart the server.",
    );
    const loud = await findings({ ...at, url: at.url.replace("sqlite:", "SQLITE:") });
    expect(line(loud, "Disk")).toStartWith("ok Disk");
    expect(line(await findings(at, { checks: { mode: "off" } }), "WHOIS")).toBe("");
  });

  test("says what is wrong, and what to do", async () => {
    await using at = await place();
    expect(line(await findings(at), "Database")).toContain("does not exist");
    const database = await openDatabase(at.url);
    const first = await findings(at);
    expect(line(first, "Database")).toContain("is empty: start Freehold");
    expect(line(first, "Mail")).toStartWith("note Mail no mail server");
    await migrate(database);
    await database.close();
    await using sql = new SQL(at.url, { max: 1 });
    const old = new Date(Date.now() - 3 * DAY_MS).toISOString();
    await sql`insert into audit ${sql({ id: crypto.randomUUID(), at: old, action: "backed-up" })}`;
    await sql`insert into schema_migrations ${sql({ version: 900, name: "x", applied_at: old })}`;
    await sql.close();
    at.web.clock = () => Date.now() - 120_000;
    const backups = { folder: at.folder };
    const lines = await findings(at, { backups, smtpUrl: "smtp://127.0.0.1:1?tls=off" });
    expect(line(lines, "Database")).toContain("was written by a newer version of this program");
    const last = `the last one is from ${old}: see the log for why BACKUP_DIR gets none`;
    expect(line(lines, "Backup")).toBe(`fail Backup ${last}`);
    expect(line(lines, "Mail")).toStartWith("fail Mail 127.0.0.1: ");
    const off = /^fail HTTPS the clock is 1\d\d s off from localhost: set it by NTP$/;
    expect(line(lines, "HTTPS")).toMatch(off);
    at.web.clock = Date.now;
    at.web.status = 407;
    expect(line(await findings(at), "HTTPS")).toContain("407: is there a proxy in between?");
    at.web.status = 200;
    at.web.clock = () => NaN;
    expect(line(await findings(at), "HTTPS")).toStartWith("note HTTPS localhost answers without");
    const blocked = await findings(at, { allow: [] });
    expect(line(blocked, "HTTPS")).toEndWith(": allow outgoing connections to port 443");
    expect(line(blocked, "WHOIS")).toEndWith(" to port 43, or set CHECKS=off");
  });
});
