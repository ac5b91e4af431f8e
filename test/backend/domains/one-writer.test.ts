import type { SQL } from "bun";
import { expect } from "bun:test";
import { chunks } from "../../../src/backend/database/bulk-rows.ts";
import type { Database } from "../../../src/backend/database/database.ts";
import { deriveDomains } from "../../../src/backend/checks/derive.ts";
import { toColumns } from "../../../src/backend/domains/columns.ts";
import {
  effectiveExpiry,
  latestObservations,
  readObservations,
  type StoredReport,
} from "../../../src/backend/domains/expiry/expiry.ts";
import { changedFields } from "../../../src/backend/domains/write/history.ts";
import { readFields } from "../../../src/backend/domains/list/read-domains.ts";
import { parseSource } from "../../../src/shared/source.ts";
import type { Domain } from "../../../src/shared/domain.ts";
import { parseBinPage } from "../../../src/shared/operations.ts";
import { OWNER } from "../../support/api-client.ts";
import { reading, startAccounts } from "../../support/accounts.ts";
import { test } from "../../support/both-databases.ts";
import { previewOf, sendCommit } from "../../support/import-client.ts";
import { createRandom } from "../../support/random.ts";

/** By hand also 1,000, from another seed on. */
const SEQUENCES = Number(process.env["RANDOM_SEQUENCES"] ?? 3);
const SEED = Number(process.env["RANDOM_SEED"] ?? 1);
const STEPS = 14;
const TIMEOUT_MS = 30_000 + SEQUENCES * 10_000;

const MISSING = "00000000-0000-7000-8000-000000000000";

const NAMES = ["ash", "birch", "cedar", "elm", "fir", "oak"].map((name) => `${name}.example`);

/** What the register holds, with the rows that nothing but the one writer may change. */
interface Held {
  domains: ReadonlyMap<string, Domain>;
  reports: ReadonlyMap<string, readonly StoredReport[]>;
  columns: ReadonlyMap<string, Record<string, unknown>>;
  changes: ReadonlyMap<string, Change>;
}

type Change = { domain_id: string; operation: string | null; fields: string };

async function hold(database: Database): Promise<Held> {
  return database.read(async (sql) => {
    const rows = await sql<{ id: string }[]>`select * from domains order by id`;
    const ids = rows.map(({ id }) => id);
    const domains = await readFields(sql, "id", ids);
    const changes = await sql<(Change & { id: string })[]>`
      select id, domain_id, operation, fields from changes`;
    return {
      domains: new Map(domains.map((domain) => [domain.id, domain])),
      reports: await readObservations(sql, ids),
      columns: new Map(rows.map((row) => [row.id, row])),
      changes: new Map(changes.map((change) => [change.id, change])),
    };
  });
}

const newsSince = (before: Held, now: Held) =>
  [...now.changes].flatMap(([id, change]) => (before.changes.has(id) ? [] : change));

/** What a register must be after each step, and what a step may have done. */
async function judge(before: Held, now: Held, accounts: ReadonlySet<string>): Promise<void> {
  const news = newsSince(before, now);
  for (const [id, domain] of now.domains) {
    const reports = now.reports.get(id) ?? [];
    const row = now.columns.get(id);
    expect(row).toMatchObject(toColumns({ expires: effectiveExpiry(reports) }));
    const words = latestObservations(reports).flatMap(({ source, date }) => {
      const { kind, ...named } = parseSource(source);
      return kind === "account" && date !== null && "account" in named ? named.account : [];
    });
    expect(words.filter((account) => !accounts.has(account))).toEqual([]);
    const was = before.domains.get(id) ?? null;
    const fields = changedFields(was, domain).map(({ field }) => field);
    const written = news.filter((change) => change.domain_id === id);
    const told = written.flatMap((change) =>
      JSON.parse(change.fields).map(({ field }: { field: string }) => field),
    );
    expect(told).toEqual(expect.arrayContaining(fields));
    if (fields.length > 0) expect(domain.version).toBeGreaterThan(was?.version ?? 0);
  }
  for (const id of before.domains.keys()) {
    if (now.domains.has(id)) continue;
    expect(news.filter((change) => change.domain_id === id)).not.toEqual([]);
  }
}

/** The reports and the shown values of the domains that an operation changed, without versions. */
function valuesOf({ domains, reports }: Held, ids: ReadonlySet<string>) {
  return [...ids].toSorted().map((id) => {
    const domain = domains.get(id);
    if (domain === undefined) return { id, is: "gone" };
    const { version: _, updatedAt: __, ...values } = domain;
    return Object.assign(values, {
      reports: (reports.get(id) ?? []).map(({ source, observedAt, date }) => {
        return { source, observedAt, date };
      }),
    });
  });
}

async function empty(sql: SQL): Promise<void> {
  const tables = "bin changes import_rows import_stagings imports uploads account_names";
  for (const table of [...tables.split(" "), "registrar_accounts", "domains"]) {
    await sql`delete from ${sql(table)}`;
  }
}

type House = Awaited<ReturnType<typeof startAccounts>>;

/** One random sequence of all that changes a register. */
async function play(house: House, database: Database, seed: number): Promise<void> {
  const { client, readings, time } = house;
  const { below, pick } = createRandom(seed);
  // Days that no rule tells apart by the day of today.
  const day = () => pick(["2033-02-03", "2034-02-03", "2035-06-07", "2036-06-07"]);
  const accounts = new Map<string, string>();
  for (const label of ["A", "B"]) {
    readings.set(label, reading([]));
    accounts.set(label, (await house.add(label)).id);
  }
  const known = new Set(accounts.values());
  const operations: string[] = [];
  const previews: string[] = [];
  const imports: string[] = [];
  let last: string | null = null;
  const send = async (method: string, path: string, json: object) => {
    const headers = { "If-Match": "*" };
    const response = await client.request(path, { method, headers, json });
    const text = await response.text();
    if (![200, 201, 204, 404, 409].includes(response.status)) throw new Error(`${path}: ${text}`);
    last = (text === "" ? null : JSON.parse(text).operation) ?? null;
    if (last !== null) operations.push(last);
  };
  let held = await hold(database);
  const anyOf = () => pick([...held.domains.keys(), ...(held.domains.size === 0 ? [MISSING] : [])]);
  const fields = () => ({
    ...pick([{ expires: day() }, { expires: null }, {}]),
    ...pick([{ registrar: pick(["Gandi", "OVH", null]) }, {}]),
    ...pick([{ notes: `${below(9)}` }, { account: pick(["A", "mine", null]) }]),
  });
  const bulk = async (op: object) => {
    const ids = [...held.domains.keys()].filter(() => below(2) === 0);
    if (ids.length > 0) await send("POST", "/api/domains/bulk", { select: { ids }, op });
  };
  const read = async () => {
    const [label, id] = pick([...accounts]);
    const isDated = below(3) > 0;
    const all = NAMES.filter(() => below(4) > 0).map((name) => {
      return { name, expires: isDated ? day() : null, autoRenew: pick([true, false]) };
    });
    const gone = NAMES.filter(() => below(4) === 0).map((name) => ({ name, reason: "left" }));
    const left = gone.filter(({ name }) => !all.some((each) => each.name === name));
    readings.set(label, reading(all, below(2) === 0 ? {} : { left: left as never }));
    await house.read(id);
  };
  const rename = async () => {
    const [label, id] = pick([...accounts]);
    // The key of its readings stays.
    expect([204, 409]).toContain((await house.patch(id, { label: `${label}${below(3)}` })).status);
  };
  const check = async () => {
    const id = anyOf();
    if (!held.domains.has(id)) return;
    const now = new Date(pick([time.now, Date.now()]));
    const source = pick(["rdap:r.test", "rdap-registrar:r.test", "whois:r.test"]);
    const isRegistry = source.startsWith("rdap:");
    const movedAt = pick([null, "2026-01-01T00:00:00.000Z", now.toISOString()]);
    const registry = isRegistry ? { movedAt, statuses: [] } : null;
    const report = { source, date: pick([day(), null]), observedAt: now.toISOString(), registry };
    const reports = new Map([[id, [{ ...report, id: Bun.randomUUIDv7() }]]]);
    const come = { rows: [], reports, changes: new Map() };
    await database.write((sql) => deriveDomains(sql, [id], now, come));
  };
  const preview = async () => {
    const rows = NAMES.filter(() => below(2) === 0).map(
      (name) => `${name},${pick(["Gandi", "OVH"])},${day()},${below(3)}`,
    );
    if (rows.length === 0) return;
    const file = ["Domain,Registrar,Expires,Notes", ...rows].join("\n");
    previews.push((await previewOf(client, file)).id);
  };
  const commit = async () => {
    const id = previews.pop();
    if (id === undefined) return;
    let { status } = await sendCommit(client, id);
    // Something has happened since, and a person looks at it again.
    if (status === 409) ({ status } = await sendCommit(client, id));
    expect(status).toBe(200);
    imports.push(id);
  };
  const tags = () => pick([{ tags: pick([["x"], ["y"], []]) }, {}]);
  const edit = () => send("PATCH", `/api/domains/${anyOf()}`, { ...fields(), ...tags() });
  const remove = () => send("DELETE", `/api/domains/${anyOf()}`, {});
  const answer = async () => {
    const [, id] = pick([...accounts]);
    const names = (await house.names(id, pick(["new", "new", "refused"]))).map(({ name }) => name);
    const some = names.filter(() => below(2) === 0);
    const action = below(4) === 0 ? "refuse" : "accept";
    if (some.length > 0) await send("POST", `/api/accounts/${id}/${action}`, { names: some });
  };
  const undoImport = async () => {
    const id = imports.pop();
    if (id !== undefined) await send("POST", `/api/imports/${id}/undo`, {});
  };
  const restore = async () => {
    const { items } = parseBinPage(await client.json("/api/bin?limit=20"));
    const ids = items.map(({ id }) => id);
    if (ids.length > 0) await send("POST", "/api/bin/restore", { ids });
  };
  const undo = (id: string) => send("POST", `/api/operations/${id}/undo`, {});
  const kinds: [weight: number, step: () => Promise<unknown>][] = [
    [2, () => send("POST", "/api/domains", { name: pick(NAMES), ...fields() })],
    [4, edit],
    [1, () => bulk({ kind: "edit", ...fields(), addTags: pick([["x"], ["y", "X"]]) })],
    [2, () => bulk({ kind: "settle", by: pick(["newest", "earliest", "later", "registry"]) })],
    [1, () => bulk({ kind: pick(["renewed", "done", "delete"]) })],
    [1, remove],
    [3, preview],
    [3, commit],
    [6, read],
    [4, answer],
    [2, rename],
    [3, check],
    [1, () => (operations.length === 0 ? edit() : undo(pick(operations)))],
    [1, undoImport],
    [1, restore],
  ];
  const choices = kinds.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));
  const next = async (step: () => Promise<unknown>) => {
    const before = held;
    last = null;
    await step();
    held = await hold(database);
    await judge(before, held, known);
    return before;
  };
  for (let step = 0; step < STEPS; step += 1) {
    const before = await next(pick(choices));
    const done = held;
    const news = newsSince(before, done);
    const wanted = last ?? news.findLast(({ operation }) => operation !== null)?.operation;
    // Of two operations in one step, only the second can be undone to what was before it.
    const ofStep = new Set(news.map(({ operation }) => operation ?? ""));
    if (!wanted || ofStep.size !== 1 || below(2) === 0) continue;
    const ids = new Set(news.map(({ domain_id }) => domain_id));
    const isImport = imports.includes(wanted);
    await next(() => (isImport ? send("POST", `/api/imports/${wanted}/undo`, {}) : undo(wanted)));
    if (isImport) imports.pop();
    expect(valuesOf(held, ids)).toEqual(valuesOf(before, ids));
    if (last === null || below(2) === 0) continue;
    const undone: string = last;
    await next(() => undo(undone));
    expect(valuesOf(held, ids)).toEqual(valuesOf(done, ids));
  }
  for (const batch of chunks([...held.domains.keys()])) {
    // What is derived from nothing new changes nothing.
    await next(() => database.write((sql) => deriveDomains(sql, batch, new Date(time.now))));
  }
}

test(
  "what is stored of a domain follows from its reports, with a version and a history, whatever writes it",
  async () => {
    await using house = await startAccounts();
    const database = await house.server.openDatabase();
    for (let seed = SEED; seed < SEED + SEQUENCES; seed += 1) {
      // A proof holds for 15 minutes, which a thousand sequences take.
      const json = { password: OWNER.password };
      await house.client.post("/api/token/prove", json);
      await play(house, database, seed).catch((error: unknown) => {
        throw new Error(`With the seed ${seed}: ${error}`, { cause: error });
      });
      await database.write(empty);
    }
  },
  TIMEOUT_MS,
);
