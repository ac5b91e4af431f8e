import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { DAY_MS } from "../../shared/day.ts";
import { countRows, type Database, instantIn, readColumn } from "../database/database.ts";
import { explainSchema, NEWEST_SCHEMA, readSchema } from "../database/migrate.ts";
import { openExistingDatabase } from "../database/open-database.ts";
import type { Outbound } from "../outbound/outbound.ts";

export interface Diagnosis {
  level: "ok" | "note" | "fail";
  about: string;
  /** With what to do, if something is wrong. */
  text: string;
}

export interface DoctorOptions {
  databaseUrl: string;
  backups: { folder: string } | null;
  checks: { mode: "on" | "off" | null };
}

/** Connects to the mail server and signs in; null if there is none. */
type TryMail = (
  database: Database | null,
  signal: AbortSignal,
) => Promise<{ host: string; failure: string | null } | null>;

/** Whom live checks ask first: the registry of all registries. */
const ASKED = {
  https: new URL("https://data.iana.org/rdap/dns.json"),
  whois: { host: "whois.iana.org", port: 43 },
};

const TIMEOUT_MS = 15_000;
const MAX_CLOCK_ERROR_MS = 60_000;
const MAX_BACKUP_AGE_MS = 2 * DAY_MS;
const MIN_FREE_BYTES = 256 * 1024 * 1024;

type Verdict = readonly [Diagnosis["level"], string];

/** Looks at what a running Freehold needs, one thing after the other, and changes nothing. */
export async function* examine(
  { databaseUrl, backups, checks }: DoctorOptions,
  outbound: Outbound,
  tryMail: TryMail,
  asked: typeof ASKED = ASKED,
): AsyncGenerator<Diagnosis> {
  const judge = async (about: string, judging: Promise<Verdict>, advice = "") => {
    const [level, text] = await judging.catch((error: unknown) => {
      return ["fail", (error instanceof Error ? error.message : String(error)) + advice] as const;
    });
    return { level, about, text };
  };

  const database = await openExistingDatabase(databaseUrl).catch((error: Error) => error);
  if (database instanceof Error) {
    yield { level: "fail", about: "Database", text: database.message };
  } else {
    yield await judge("Database", judgeSchema(database));
    yield await judge("Backup", judgeBackups(database, backups !== null));
    if (/^sqlite:/i.test(databaseUrl)) yield await judge("Disk", judgeDisk(database.place));
  }
  if (backups !== null) yield await judge("Disk", judgeDisk(backups.folder));
  const opened = database instanceof Error ? null : database;
  yield await judge("Mail", judgeMail(tryMail, opened));
  await opened?.close();
  yield await judge("DNS", judgeNames(outbound, asked.https.hostname));
  const https = judgeWeb(outbound, asked.https);
  yield await judge("HTTPS", https, ": allow outgoing connections to port 443");
  if (checks.mode === "off") return;
  const whois = judgeWhois(outbound, asked.whois);
  yield await judge("WHOIS", whois, ": allow outgoing connections to port 43, or set CHECKS=off");
}

async function judgeSchema(database: Database): Promise<Verdict> {
  const schema = await database.read(readSchema);
  if (schema === null) return ["note", `${database.place} is empty: start Freehold to set it up`];
  const reason = explainSchema(schema);
  if (reason !== null) return ["fail", `${database.place} ${reason}`];
  if (schema < NEWEST_SCHEMA) {
    const next = `the next start brings it to ${NEWEST_SCHEMA}`;
    return ["note", `${database.place} has schema ${schema}, ${next}`];
  }
  const domains = await database.read((sql) => countRows(sql, sql`domains`));
  return ["ok", `${database.place} holds ${domains} domains`];
}

async function judgeBackups(database: Database, isNightly: boolean): Promise<Verdict> {
  const [last] = await database.read(async (sql) =>
    (await readSchema(sql)) === null
      ? []
      : readColumn<string | null>(sql`select max(at) from audit
          where action = 'backed-up' and at <= ${instantIn(sql, 60)}`),
  );
  const way = isNightly
    ? "see the log for why BACKUP_DIR gets none"
    : "set BACKUP_DIR for one each night";
  if (last === undefined || last === null) return ["note", `there is none yet: ${way}`];
  const isOld = Date.now() - Date.parse(last) > MAX_BACKUP_AGE_MS;
  return isOld
    ? ["fail", `the last one is from ${last}: ${way}`]
    : ["ok", `the last one is from ${last}`];
}

/** Another copy of the file must fit: the next version makes one before it changes the schema. */
async function judgeDisk(path: string): Promise<Verdict> {
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  const needed = Math.max(MIN_FREE_BYTES, statSync(path).size);
  const megabytes = `${Math.floor(free / 1024 / 1024)} MB free for ${path}`;
  return free < needed ? ["fail", `only ${megabytes}: make room`] : ["ok", megabytes];
}

async function judgeNames(outbound: Outbound, host: string): Promise<Verdict> {
  const { outcome, addresses } = await outbound.locate(host, AbortSignal.timeout(TIMEOUT_MS));
  if (addresses.length > 0) {
    return ["ok", `${host} has ${addresses.length === 1 ? "an address" : "addresses"}`];
  }
  const way = "check the system’s resolver, or set DNS_SERVERS";
  return ["fail", `${host} is not found (${outcome}): ${way}`];
}

/** The clock of this machine too, by the Date of the answer: codes and certificates depend on it. */
async function judgeWeb(outbound: Outbound, url: URL): Promise<Verdict> {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: 0, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const { status, headers } = await outbound.request(url, limits);
  const host = url.hostname;
  const offBy = Date.now() - Date.parse(headers["date"] ?? "");
  if (Math.abs(offBy) > MAX_CLOCK_ERROR_MS) {
    const seconds = Math.round(offBy / 1000);
    return ["fail", `the clock is ${seconds} s off from ${host}: set it by NTP`];
  }
  if (status !== 200) return ["fail", `${host} answers ${status}: is there a proxy in between?`];
  return Number.isNaN(offBy)
    ? ["note", `${host} answers without a date, so the clock could not be checked`]
    : ["ok", `${host} answers, and the clock is right`];
}

async function judgeWhois(
  outbound: Outbound,
  { host, port }: (typeof ASKED)["whois"],
): Promise<Verdict> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const socket = await outbound.connect(host, port, { timeoutMs: TIMEOUT_MS, signal });
  socket.destroy();
  return ["ok", `${host} can be reached`];
}

async function judgeMail(tryMail: TryMail, database: Database | null): Promise<Verdict> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const late = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => late.reject(new Error("The mail server did not answer")));
  const tried = await Promise.race([tryMail(database, signal), late.promise]);
  if (tried === null)
    return ["note", "no mail server: set one in Settings, Reminders, or as SMTP_URL"];
  const { host, failure } = tried;
  return failure === null ? ["ok", `${host} accepts messages`] : ["fail", `${host}: ${failure}`];
}
