import { DAY_MS } from "../../shared/day.ts";
import { OperatorError } from "../../shared/log.ts";
import * as p from "../../shared/parse.ts";
import type { SQL } from "bun";
import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { recordAudit } from "../audit/audit.ts";
import { type Database, isPostgres, readColumn, databaseClock } from "../database/database.ts";
import { explainOutage } from "../database/database-error.ts";
import { inDatabase, openExistingDatabase } from "../database/open-database.ts";
import { yieldToEventLoop } from "../database/event-loop.ts";
import type { SqlRow } from "../database/bulk-rows.ts";
import { explainSchema, listTables, readSchema } from "../database/migrate.ts";
import { readSetting, saveSetting } from "../database/setting-store.ts";
import { readContent } from "../uploads/uploads.ts";
import { createArchive, type ArchiveWriter } from "./archive.ts";

/**
 * Every table of a backup, referenced tables first. Sessions, invitations and failed sign-ins are left out;
 * the parts of uploads are files of the archive. An older schema lacks some tables.
 */
export const TABLES: readonly string[] =
  `settings users registrars registrar_prices tags domains domain_tags observations changes no_news
  undos uploads imports import_stagings import_rows import_layouts bin views checks check_hosts findings
  sightings reminders handled told_findings channels deliveries calendars api_tokens totp recovery_codes
  passkeys identities audit registrar_accounts account_names former_accounts`.split(/\s+/);

const PAGE_ROWS = 1000;

/** Bytes of rows that one entry holds, at least. */
const ENTRY_BYTES = 1024 * 1024;

/**
 * Writes a backup of one moment to a new file, for either database, while others go on writing.
 * @throws {OperatorError} Also if the audit log cannot be written; the reason of `signal` when aborted.
 */
export async function writeBackup(database: Database, path: string, signal?: AbortSignal) {
  const archive = await createArchive(path, signal);
  try {
    await database.snapshot(async (sql) => {
      const schema = await readSchema(sql);
      if (schema === null)
        throw new OperatorError(`The database ${database.place} holds no register`);
      const reason = explainSchema(schema);
      if (reason !== null) throw new OperatorError(`The database ${database.place} ${reason}`);
      const present = await listTables(sql);
      const tables: Record<string, number> = {};
      for (const table of TABLES) {
        if (present.includes(table)) tables[table] = await addTable(archive, sql, table);
      }
      await addUploads(archive, sql);
      await archive.finish({ schema, tables });
    });
    const about = { by: null, address: null, subject: basename(path) };
    await database
      .write((sql) => recordAudit(sql, { action: "backed-up", ...about }))
      .catch((cause: unknown) => {
        const why = `the database ${database.place} ${explainOutage(cause)}`;
        throw new OperatorError(`${path} is written, but ${why}`, { cause });
      });
  } finally {
    await archive.discard();
  }
}

async function addTable(archive: ArchiveWriter, sql: SQL, table: string): Promise<number> {
  let rows = 0;
  let entries = 0;
  let lines = "";
  const flush = async () => {
    const bytes = Buffer.from(lines);
    lines = "";
    const name = `tables/${table}/${String((entries += 1)).padStart(6, "0")}.jsonl`;
    await archive.add(name, bytes.byteLength, [bytes]);
  };
  for await (const page of readPages(sql, table)) {
    rows += page.length;
    for (const row of page) lines += `${JSON.stringify(row)}\n`;
    if (lines.length >= ENTRY_BYTES) await flush();
    await yieldToEventLoop();
  }
  if (lines !== "") await flush();
  return rows;
}

async function* readPages(sql: SQL, table: string) {
  const key = await readColumn(
    isPostgres(sql)
      ? sql`select a.attname::text from pg_index i
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
          where i.indrelid = ${table}::regclass and i.indisprimary
          order by array_position(i.indkey::int2[], a.attnum)`
      : sql`select name from pragma_table_info(${table}) where pk > 0 order by pk`,
  );
  const order = key.join(", ");
  const after = key.map((_, index) => `$${index + 1}`).join(", ");
  for (let last: SqlRow | undefined; ;) {
    const page: SqlRow[] = await sql.unsafe(
      `select * from ${table} ${last === undefined ? "" : `where (${order}) > (${after})`}
        order by ${order} limit ${PAGE_ROWS}`,
      last === undefined ? [] : key.map((column) => last?.[column] ?? null),
    );
    yield page;
    if (page.length < PAGE_ROWS) return;
    last = page.at(-1);
  }
}

async function addUploads(archive: ArchiveWriter, sql: SQL): Promise<void> {
  const uploads = await sql<{ id: string; bytes: number | string }[]>`
    select id, bytes from uploads where sha256 <> ''
      and exists (select 1 from upload_parts where upload_id = id)`;
  for (const { id, bytes } of uploads) {
    await archive.add(`uploads/${id}`, Number(bytes), readContent(sql, id));
  }
}

/** The command `backup FILE`. @throws {OperatorError} */
export async function backUp(databaseUrl: string, path: string): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new OperatorError("The backup was interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  await inDatabase(await openExistingDatabase(databaseUrl), (database) =>
    writeBackup(database, path, interrupted.signal),
  );
}

const BACKUP_NAME = /^freehold-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar$/;
/** Age of an abandoned partial archive: longer than writing a page of rows takes. */
const ABANDONED_MS = 60 * 60_000;
const PARTIAL_NAME = /^\.freehold-.*\.partial$/;

/** When the last successful one began, and until when others wait for one that is being made. */
const NIGHTLY = "nightly backup";
const parseNightly = p.object({ last: p.text, until: p.text });
const NEVER = { last: new Date(0).toISOString(), until: "" };

/**
 * Writes a backup into `folder` if one is due, and keeps the newest `keep`. One is due at night, and at any
 * hour if the last is over a day old or there is none; one of several instances makes it.
 */
export async function keepBackups(
  database: Database,
  { folder, keep, clock }: { folder: string; keep: number; clock?: () => Date },
): Promise<void> {
  const isFirst = (await listBackups(folder)).length === 0;
  const claim = await database.write(async (sql) => {
    const now = await databaseClock(clock)(sql);
    const { last, until } = (await readSetting(sql, NIGHTLY, parseNightly)) ?? NEVER;
    const wait = new Date(now.getTime() + ABANDONED_MS).toISOString();
    // What is further ahead, another clock wrote.
    const isMade = until > now.toISOString() && until <= wait;
    if (isMade || !(isFirst || isDue(Date.parse(last), now))) return null;
    await saveSetting(sql, NIGHTLY, { last, until: wait });
    return { now: now.toISOString(), last };
  });
  if (claim === null) return;
  let { last } = claim;
  const name = `freehold-${claim.now.slice(0, 19).replaceAll(":", "-")}Z.tar`;
  try {
    await writeBackup(database, join(folder, name));
    last = claim.now;
  } finally {
    await database.write((sql) => saveSetting(sql, NIGHTLY, { last, until: "" }));
  }
  // Those of a time to come, when the clock was ahead, stay, and take the place of none.
  const known = (await listBackups(folder)).filter((each) => each <= name);
  for (const old of known.slice(0, -keep)) await rm(join(folder, old));
  await removeAbandoned(folder);
}

/** Removes what a killed process left. Another process may be writing its own backup right now. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => PARTIAL_NAME.test(each))) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < ABANDONED_MS) continue;
    await rm(join(folder, name), { force: true });
  }
}

async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new OperatorError(`The backups cannot be listed: ${error.message}`, { cause: error });
  });
  return names.filter((name) => BACKUP_NAME.test(name)).toSorted();
}

function isDue(last: number, now: Date): boolean {
  const age = now.getTime() - last;
  const isNight = now.getHours() >= 2 && now.getHours() < 5;
  // Of a time to come, when the clock was ahead.
  return age < 0 || age > DAY_MS || (isNight && age > DAY_MS / 2);
}
