import { describe, expect, spyOn, test as bunTest } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { backUp } from "../../../src/backend/backup/backup.ts";
import { lockAccount } from "../../../src/backend/accounts/stored-accounts.ts";
import type { BackgroundWork } from "../../../src/backend/jobs/loop.ts";
import { addDelivery } from "../../../src/backend/reminders/deliveries.ts";
import { EMPTY_PAYLOAD } from "../../../src/backend/reminders/payload.ts";
import { parseAccounts, type Outcome } from "../../../src/shared/accounts.ts";
import { parseAuditPage } from "../../../src/shared/audit.ts";
import { parseRecentChanges, parseChangePage } from "../../../src/shared/changes.ts";
import { parseSummary } from "../../../src/shared/register.ts";
import { type Listed, reading, SECRET, startAccounts } from "../../support/accounts.ts";
import { countRows, startBackend } from "../../support/backend-server.ts";
import { onSqlite, test as onBoth } from "../../support/both-databases.ts";
import {
  addDomain,
  changeMany,
  deleteDomain,
  patchDomain,
  reportExpiry,
  undoOperation,
} from "../../support/domains.ts";
import { importFile, previewOf, sendCommit } from "../../support/import-client.ts";
import { CREDENTIALS_KEY } from "../../support/fill-accounts.ts";
import { joinAs } from "../../support/people.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";
import { testWith } from "../../support/test-with.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";

const registered = (name: string): Listed => ({ name, expires: "2027-06-01", status: "active" });
const NAMES = ["ash", "birch", "cedar", "elm", "fir"].map((each) => registered(`${each}.example`));

/** Numbered names; those of several lists differ by what they begin with. */
const numbered = (count: number, begin = "n") =>
  Array.from({ length: count }, (_, at) =>
    registered(`${begin}${String(at).padStart(2, "0")}.example`),
  );

/** The same names, of which more is told. */
const withMore = (more: Partial<Listed>) => NAMES.map((each) => Object.assign({}, each, more));

const DAY_MS = 86_400_000;
const USD = { minor: 1099, currency: "USD", years: 1 };

const names = (items: readonly { name: string }[]) => items.map(({ name }) => name.split(".")[0]);

type House = Awaited<ReturnType<typeof startNew>>;

/** An account that has been read, none of whose names is in the register. */
async function startNew(listed: readonly Listed[] = NAMES) {
  const house = await startAccounts();
  house.list("A", listed);
  const { id } = await house.add("A");
  await house.step();
  const history = async (of: string) =>
    parseChangePage(await house.client.json(`/api/domains/${of}/history`)).items;
  const undo = async (operation: unknown): Promise<unknown> =>
    (await undoOperation(house.client, operation)).json();
  /** Goes on to the next readings, none of which begins early. Returns the minutes before each. */
  async function waitForReadings(count: number) {
    const waits: number[] = [];
    for (let calls = house.calls.length; waits.length < count; calls += 1) {
      const next = await house.nextAt(id);
      waits.push((next - house.time.now) / 60_000);
      for (const [at, expected] of [[next - 1, calls] as const, [next, calls + 1] as const]) {
        house.time.now = at;
        await house.step();
        expect(house.calls).toHaveLength(expected);
      }
    }
    return waits;
  }
  return { ...house, id, history, undo, waitForReadings };
}

/** The same, with its names in the register. */
async function startWith(listed = NAMES) {
  const house = await startNew(listed);
  await house.post(house.id, "accept", { all: true, expectedCount: listed.length });
  return house;
}

describe("an account at a registrar", () => {
  const test = testWith(startNew);

  test("is tested before it is saved, and says what the registrar says", async () => {
    await using house = await startAccounts();
    const detail = "No such key: …";
    house.list("A", [], { outcome: "credentials", detail });
    const fields = { apikey: "A", secretapikey: SECRET };
    const json = { registrar: "porkbun", fields };
    const refused = await house.client.post("/api/accounts", json);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ outcome: "credentials", detail });
    expect(await house.client.json("/api/accounts")).toEqual({ items: [] });

    house.list("A", NAMES);
    for (const [apikey, label] of [["A", "Porkbun"] as const, ["B", "Porkbun 2"] as const]) {
      const other = { ...json, fields: { ...fields, apikey } };
      const added = await (await house.client.post("/api/accounts", other)).json();
      expect(added).toMatchObject({ registrar: "porkbun", label, state: "on", outcome: null });
    }
    const more = { ...json, fields: { ...fields, apikey: "C" } };
    for (const [status, bad] of [
      [409, { ...more, label: "porkBun" }],
      [400, { ...more, label: "A\u0000" }],
      [400, { ...more, registrar: "acme" }],
      [400, { ...json, fields: { apikey: "A" } }],
    ] as const) {
      expect((await house.client.post("/api/accounts", bad)).status).toBe(status);
    }
  });

  test("tells what a status means where the registrar's word says otherwise", async () => {
    const [ash, elm] = ["ash.example", "elm.example"] as const;
    const held = { name: elm, status: "suspended", statusRaw: "registered" } as const;
    const leaving = { status: "transferring-out", statusRaw: "pendingTransfer" } as const;
    await using house = await startNew([{ name: ash, ...leaving }, held]);
    const { id } = house;
    // Without any code, it is active, and no word of before stands for that.
    house.list("A", [{ name: ash, status: "active" }, held]);
    await house.read(id);
    const active = { name: ash, status: "active", statusRaw: null };
    expect(await house.names(id, "new")).toMatchObject([active, held]);
    await house.post(id, "accept", { all: true, expectedCount: 2 });
    expect((await house.domain("ash")).status).toBe("active");
    expect((await house.domain("elm")).status).toBe("suspended");
  });

  test("is connected once, whatever else of it is given anew", async () => {
    await using house = await startAccounts();
    const cloudflare = (accountId: string, token: string) => ({
      registrar: "cloudflare",
      fields: { token, accountId },
    });
    const { id } = await house.add("Main", cloudflare("abc1", SECRET));
    const other = await house.add("Other", cloudflare("abc2", SECRET));
    const detail = "This account is already connected, as “Main”. Change its credentials there.";
    const json = { ...cloudflare("ABC1", "another"), label: "Copy", test: false };
    const added = await house.client.post("/api/accounts", json);
    expect(await added.json()).toMatchObject({ status: 409, detail });
    const changed = await house.patch(other.id, { fields: json.fields });
    expect(await changed.json()).toMatchObject({ status: 409, detail });
    expect((await house.patch(id, { fields: json.fields })).status).toBe(204);
    // The same token for another organization is another account.
    const gandi = { registrar: "gandi", fields: { token: SECRET } };
    await house.add("One", gandi);
    await house.add("Two", { ...gandi, fields: { token: SECRET, sharingId: "x" } });
    const { items } = parseAccounts(await house.client.json("/api/accounts"));
    expect(items.map(({ label }) => label)).toEqual(["Main", "Other", "One", "Two"]);
  });

  onSqlite("has its credentials nowhere but in the cipher", async () => {
    using error = spyOn(console, "error").mockImplementation(() => {});
    using log = spyOn(console, "log").mockImplementation(() => {});
    await using house = await startAccounts({
      accounts: {
        read: async (_, { secretapikey }) => {
          throw new Error(`It failed with ${secretapikey}`);
        },
      },
    });
    const { id } = await house.add("A");
    await house.step();
    const readText = async (path: string, json?: object) => {
      const answer = await house.client.request(path, json && { method: "POST", json });
      return answer.text();
    };
    const long = { secretapikey: SECRET.padEnd(5000, "."), apikey: "A" };
    const texts = [
      await readText("/api/accounts"),
      await readText(`/api/accounts/${id}`),
      await readText(`/api/accounts/${id}/names?class=new`),
      await readText("/api/audit"),
      await readText("/api/accounts", { registrar: "porkbun", fields: long }),
    ];
    expect(texts.at(-1)).toContain("Use at most 4096 characters");
    const backup = join(house.server.folder, "backup.tar");
    await backUp(house.server.databaseUrl, backup);
    texts.push(readFileSync(backup, "latin1"));
    expect(texts.at(-1)).toContain('"registrar":"porkbun"');
    const printed = [error, log].flatMap(({ mock }) => mock.calls).join("\n");
    expect(printed).toContain("Reading an account failed");
    const data = join(house.server.folder, "data");
    const files = readdirSync(data)
      .filter((file) => statSync(join(data, file)).isFile())
      .map((file) => readFileSync(join(data, file), "latin1"));
    expect([...texts, ...files, printed].join("\n")).not.toContain(SECRET);
  });

  test("lists its names by name, without the instant that rows of before have", async (house) => {
    const told = JSON.stringify({ ...NAMES[0], expiresAt: "2027-06-01T00:00:00.000Z" });
    await house.server.write((sql) => sql`update account_names set told = ${told}`);
    const page = `/api/accounts/${house.id}/names?class=new&after=`;
    const listed = await (await house.client.request(`${page}birch.example`)).text();
    expect(listed).toContain('"expires":"2027-06-01"');
    expect(listed).not.toMatch(/expiresAt|birch/);
    // Postgres cannot hold it.
    expect((await house.client.request(`${page}%00`)).status).toBe(400);
  });

  onSqlite("asks for the credentials again where its key is gone, or another one", async () => {
    await using house = await startNew();
    const { databaseUrl } = house.server;
    const other = Buffer.alloc(32, 8).toString("base64");
    await using restored = await startBackend({ databaseUrl, credentialsKey: other });
    const visitor = restored.visitor();
    await visitor.signIn().catch(() => null);
    visitor.cookies.set("freehold-session", house.client.cookies.get("freehold-session") ?? "");
    expect(await visitor.json(`/api/accounts/${house.id}`)).toMatchObject({
      state: "refused",
      outcome: "credentials",
      detail: expect.stringContaining("Enter the credentials again"),
      counts: { listed: 5 },
    });
    const summary = parseSummary(await visitor.json("/api/summary"));
    expect(summary.accounts).toMatchObject({ refused: 1 });

    const [row] = await house.server.read(
      (sql) => sql<{ credentials: string }[]>`select credentials from registrar_accounts`,
    );
    // A value that was swapped with that of another field does not open.
    const { apikey, secretapikey } = JSON.parse(row?.credentials ?? "");
    const swapped = JSON.stringify({ apikey: secretapikey, secretapikey: apikey });
    await house.server.write((sql) => sql`update registrar_accounts set credentials = ${swapped}`);
    const detail = expect.stringContaining("damaged");
    expect(await house.show(house.id)).toMatchObject({ state: "refused", detail });
  });

  onSqlite("makes a key file of its own, and needs one that others cannot read", async () => {
    await using house = await startAccounts({ credentialsKey: null });
    await house.add("A");
    const file = `${house.server.databaseUrl.slice("sqlite://".length)}.key`;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    const start = startBackend({ databaseUrl: house.server.databaseUrl });
    await expect(start).rejects.toThrow(/can be read by others/);
  });

  test("is read once a night by itself, and at a person's request, but not while it is paused", async (house) => {
    const { id } = house;
    const night = new Date(await house.nextAt(id)).getHours();
    expect([1, 2, 3, 4, 5]).toContain(night);
    await house.waitForReadings(1);
    await house.step();
    expect(house.calls).toHaveLength(2);
    expect(await house.read(id)).toBe(202);
    // At most once in ten minutes.
    const again = await house.post(id, "read");
    expect(again.status).toBe(429);
    expect(again.headers.get("retry-after")).toBe("600");
    expect((await house.patch(id, { state: "paused" })).status).toBe(204);
    house.time.now += DAY_MS;
    const calls = house.calls.length;
    await house.step();
    expect(house.calls.length).toBe(calls);
    expect(await house.show(id)).toMatchObject({ state: "paused", nextAt: null });
    expect((await house.post(id, "read")).status).toBe(409);
    // Nor does what it refuses wait for other writers.
    await house.server.write(async () => {
      expect((await house.patch(id, { label: "B" }, 1)).status).toBe(412);
    });
  });

  test("is read, as messages are sent, though a clock that was ahead had put it off", async (house) => {
    const { id, time } = house;
    const told = await house.addChannel();
    const right = time.now;
    time.now += 400 * DAY_MS;
    await house.server.write(async (sql) => {
      const [{ id: channelId }] = await sql<[{ id: string }]>`select id from channels`;
      const message = { channelId, key: "ahead", type: "channel.test" } as const;
      const at = new Date(time.now + DAY_MS);
      await addDelivery(sql, { ...message, payload: EMPTY_PAYLOAD, at });
    });
    await house.step();
    const calls = house.calls.length;
    expect((await house.show(id)).nextAt).toStartWith("2028");
    time.now = right + DAY_MS;
    await house.step();
    await house.step();
    expect(house.calls.length).toBe(calls + 1);
    expect((await house.show(id)).nextAt).toStartWith("2027");
    expect((await told())[0]?.nextAt).toStartWith("2027");
  });

  test("is tried again after a while, and told of after three days", async ({ id, ...house }) => {
    const told = await house.addChannel();
    house.list("A", [], { outcome: "broken", detail: "<html>" });
    await house.read(id, "2027-03-01T12:00:00Z");
    const waits = await house.waitForReadings(4);
    expect(waits.slice(0, 3)).toEqual([10, 60, 240]);
    expect(await house.show(id)).toMatchObject({ outcome: "broken", detail: "<html>" });
    expect(await told()).toHaveLength(0);
    house.time.now = Date.parse("2027-03-04T12:00:00Z");
    // Nobody listens there; what it says was written all the same.
    while (!(await told())[0]?.subject) await house.step();
    const subject = "The account “A” has had no complete list for three days";
    expect(await told()).toMatchObject([{ subject }]);

    house.list("A", [], { outcome: "limited", retryAfterMs: 90_000 });
    house.time.now += 5 * DAY_MS;
    await house.step();
    expect(await house.nextAt(id)).toBe(house.time.now + 90_000);
    expect(await told()).toHaveLength(1);

    // Refusals in between do not make it news; one that pauses the account does, once.
    const countAfter = async (...outcomes: Outcome[]) => {
      for (const outcome of outcomes) {
        house.list("A", [], { outcome });
        await house.read(id);
        await house.step();
      }
      return (await told()).length;
    };
    expect(await countAfter("clock", "broken", "credentials", "broken", "clock")).toBe(1);
    expect(await countAfter("credentials", "access")).toBe(2);
    expect(await house.show(id)).toMatchObject({ state: "refused" });
    expect(await countAfter("access", "broken")).toBe(2);
  });

  test("is asked less and less often where it is limited, however short the wait it tells", async (house) => {
    const { id } = house;
    const limited = { outcome: "limited", detail: "Slow" } as const;
    house.list("A", [], { ...limited, retryAfterMs: 1 });
    await house.read(id, "2027-03-01T12:00:00Z");
    const waits = await house.waitForReadings(8);
    expect(waits.slice(1)).toEqual([2, 4, 8, 16, 32, 60, 60]);
    expect(await house.show(id)).toMatchObject({ state: "on", ...limited });
    // A longer wait that it tells still counts.
    house.list("A", [], { outcome: "limited", retryAfterMs: 7_200_000 });
    await house.read(id);
    expect(await house.nextAt(id)).toBe(house.time.now + 7_200_000);
  });

  test("is not asked over and over where its list cannot be merged", async (house) => {
    using errors = spyOn(console, "error").mockImplementation(() => {});
    house.list("A", NAMES, { left: null as never });
    await house.read(house.id, "2027-03-01T12:00:00Z");
    expect(errors).toHaveBeenCalledTimes(1);
    expect(await house.show(house.id)).toMatchObject({
      outcome: "broken",
      detail: "Something went wrong on the server. See its log.",
      nextAt: "2027-03-01T12:10:00.000Z",
    });
  });

  test("is asked in vain a few times a day, and no more", async ({ id, ...house }) => {
    const told = await house.addChannel();
    const countADay = async (from: string, ...outcomes: Outcome[]) => {
      house.time.now = Date.parse(from);
      const calls = house.calls.length;
      for (let turn = 0; ; turn += 1) {
        const outcome = outcomes[turn % outcomes.length] ?? "broken";
        house.list("A", [], { outcome });
        if (turn === 0) expect((await house.post(id, "read")).status).toBe(202);
        await house.step();
        const next = await house.nextAt(id);
        if (next > Date.parse("2027-03-02T00:00:00Z")) return house.calls.length - calls;
        house.time.now = next;
      }
    };
    expect(await countADay("2027-03-01T08:00:00Z", "broken", "unstable")).toBe(5);
    // Whether its clock is off or its key wrong: a third sign-in could lock the account.
    expect(await countADay("2027-03-01T20:00:00Z", "clock")).toBe(2);
    expect(await house.nextAt(id)).toBeGreaterThan(Date.parse("2027-03-02T20:00:00Z"));
    expect((await house.show(id)).state).toBe("on");
    house.time.now = Date.parse("2027-03-04T08:00:00Z");
    await house.step();
    await house.step();
    expect(await told()).toHaveLength(1);
  });

  test("is not asked again after two refusals, unless it has other credentials", async () => {
    await using house = await startWith();
    const { id } = house;
    house.list("A", [], { outcome: "address", detail: "203.0.113.9 is not listed" });
    await house.read(id, "2027-03-01T12:00:00Z");
    house.time.now += 3_600_000;
    await house.step();
    expect(await house.show(id)).toMatchObject({ state: "refused", nextAt: null });
    const summary = parseSummary(await house.client.json("/api/summary"));
    expect(summary.accounts).toEqual({ refused: 1, shrunken: 0, new: 0, vanished: 0 });
    house.time.now += 3_600_000;
    const early = await house.post(id, "read");
    expect(early.status).toBe(429);
    expect(early.headers.get("retry-after")).toBe(String(22 * 3600));
    house.time.now += DAY_MS;
    house.list("A", NAMES);
    expect((await house.patch(id, { state: "on" })).status).toBe(204);
    await house.step();
    expect(await house.show(id)).toMatchObject({ state: "on", outcome: "ok" });
  });

  test("writes nothing by a reading that lost its lease", async () => {
    const held = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    await using house = await startAccounts({
      accounts: {
        async read(_, { apikey }) {
          if (apikey === "A") {
            started.resolve();
            await held.promise;
          }
          return reading(NAMES);
        },
      },
    });
    const { id } = await house.add("A");
    const step = house.step();
    await started.promise;
    const fields = { apikey: "B", secretapikey: SECRET };
    expect((await house.patch(id, { fields, state: "paused" })).status).toBe(204);
    held.resolve();
    await step;
    expect(await house.show(id)).toMatchObject({ outcome: null, counts: { listed: 0 } });
  });

  test("is read by one process at a time, by another once the lease of the first is over", async () => {
    const held = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const readSlowly = () => (started.resolve(), held.promise.then(() => reading([])));
    await using house = await startAccounts({ accounts: { read: readSlowly } });
    using _ = { [Symbol.dispose]: held.resolve };
    const { id } = await house.add("A");
    const step = house.step();
    await started.promise;
    let reads = 0;
    const read = async () => ((reads += 1), reading(NAMES));
    const { databaseUrl } = house.server;
    const [loop, clock] = [createSteppedLoop(), () => new Date(house.time.now)];
    const options = { loop, clock, credentialsKey: CREDENTIALS_KEY, accounts: { read } };
    await using other = await startBackend({ databaseUrl, ...options });
    for (const [minutes, expected] of [[0, 0] as const, [4, 0] as const, [2, 1] as const]) {
      house.time.now += minutes * 60_000;
      await loop.step();
      expect(reads).toBe(expected);
    }
    held.resolve();
    await step;
    expect(await house.show(id)).toMatchObject({ outcome: "ok", counts: { listed: 5 } });
    expect(await other.backend.ready()).toBe(true);
  });

  test("is looked for by one of three lanes while none reads", async () => {
    const works: BackgroundWork[] = [];
    let reads = 0;
    await using _ = await startBackend({
      loop: { add: (work) => (works.push(work), () => {}), stop: async () => {} },
      async open(url) {
        const database = await openDatabase(url);
        return { ...database, read: (work) => ((reads += 1), database.read(work)) };
      },
    });
    const lanes = works.filter(({ name }) => name === "Reading accounts");
    reads = 0;
    for (const { round } of lanes) await round(new AbortController().signal);
    expect([lanes.length, reads]).toEqual([3, 2]);
  });
});

/** The registry of ash.example has moved, and has this day since; returns the domain's id. */
async function moveRegistry(house: House, date: string, statuses: string[]) {
  const { id } = await house.domain("ash");
  const registry = { movedAt: "2027-02-28T13:00:00.000Z", statuses };
  const observedAt = "2027-02-28T14:00:00.000Z";
  const report = { source: "rdap:rdap.example", date, observedAt, registry };
  await reportExpiry(await house.server.openDatabase(), id, [report]);
  return id;
}

describe("a complete list", () => {
  const test = testWith(startWith);

  test("changes what it tells, once, and the change can be undone", async ({ id, ...house }) => {
    const changed = { expires: "2028-06-01", locked: true, price: USD, autoRenew: false };
    house.list("A", [{ ...registered("ash.example"), ...changed }, ...NAMES.slice(1)]);
    await house.read(id);
    const domain = await house.domain("ash");
    expect(domain).toMatchObject({
      expires: { date: "2028-06-01", source: "account:porkbun:A", conflict: false },
      locked: true,
      autoRenew: false,
      renewal: USD,
      version: 2,
    });
    await house.read(id);
    expect((await house.domain("ash")).version).toBe(2);
    const [change] = await house.history(domain.id);
    expect(change?.by).toBe("account:porkbun:A");
    await house.undo(change?.operation);
    const before = { expires: { date: "2027-06-01" }, locked: null, renewal: null };
    expect(await house.domain("ash")).toMatchObject(before);
  });

  test("is told without the account's label to those who do not see accounts", async (house) => {
    const { id } = await house.domain("ash");
    await patchDomain(house.client, id, { owner: "Acme" }, "*");
    await house.patch(house.id, { label: "Main" });
    house.list("A", withMore({ expires: "2028-06-01" }));
    await house.read(house.id);
    const limit = { owners: ["Acme"] };
    const viewer = await joinAs(house.server, { email: "a@example.org", role: "viewer", limit });
    const told = async ({ client }: Pick<typeof house, "client">) => {
      const { times } = (await client.json("/api/news")) as { times: string[] };
      const paths = ["/api/changes", `/api/news?at=${times.join()}`, "/api/summary"];
      const answers = [...paths, `/api/domains/${id}/history`].map((path) => client.json(path));
      return JSON.stringify(await Promise.all(answers)).match(/account:porkbun:\w+/g);
    };
    expect(new Set(await told(viewer))).toEqual(new Set(["account:porkbun:porkbun"]));
    expect(await told(house)).toContain("account:porkbun:Main");
    const found = async ({ client }: Pick<typeof house, "client">, q: string) =>
      parseRecentChanges(await client.json(`/api/changes?q=${q}`)).items.length;
    expect([await found(viewer, "main"), await found(viewer, "ada")]).toEqual([0, 2]);
    expect(await found(house, "main")).toBeGreaterThan(0);
  });

  test("keeps a person's price and a pinned day", async (house) => {
    house.list("A", withMore({ price: USD, expires: "2027-07-01" }));
    await house.read(house.id);
    const { id } = await house.domain("ash");
    const renewal = { minor: 500, currency: "EUR", years: 1 };
    await patchDomain(house.client, id, { renewal, expires: "2029-01-01" }, "*");
    await house.read(house.id);
    const expires = { date: "2029-01-01", source: "manual" };
    expect(await house.domain("ash")).toMatchObject({ renewal, expires });
  });

  test("says its day once more after the registry moved, and tells what that changes", async (house) => {
    // Renewed early: the registry has moved by a year, and the next list still says the old day.
    const id = await moveRegistry(house, "2028-06-01", []);
    const moved = await house.domain("ash");
    expect(moved).toMatchObject({ version: 2, expires: { date: "2028-06-01" } });
    for (let day = 0; day < 2; day += 1) await house.read(house.id);
    const { observations, version, expires } = await house.domain("ash");
    const said = observations.find(({ source }) => source === "account:porkbun:A");
    expect(said).toMatchObject({ date: "2027-06-01", observedAt: "2027-03-01T12:00:00.000Z" });
    expect({ version, date: expires?.date }).toEqual({ version: 3, date: "2027-06-01" });
    expect((await house.history(id))[0]).toMatchObject({
      by: "account:porkbun:A",
      fields: [{ field: "expires", before: { date: "2028-06-01" }, after: { date: "2027-06-01" } }],
    });
  });

  test("says once more that it knew the day to which the registry moved, and no more", async (house) => {
    // Paid before its end; the registry adds the year at the end, and its status says so for 45 days.
    await moveRegistry(house, "2027-06-01", ["auto renew period"]);
    expect(await house.domain("ash")).toMatchObject({ expiryRule: 2 });
    await house.read(house.id);
    const { expires, expiryRule, version } = await house.domain("ash");
    expect([expires?.date, expiryRule]).toEqual(["2027-06-01", 3]);
    const before = await countRows(house.server, "observations");
    await house.read(house.id);
    expect(await countRows(house.server, "observations")).toBe(before);
    expect((await house.domain("ash")).version).toBe(version);
  });

  test("withdraws another day of its registrar's own export, but none where it tells no day", async (house) => {
    const rows = [
      "ash.example,2027-03-01,porkbun.com",
      "birch.example,2027-03-01,Porkbun",
      "cedar.example,2027-03-01,Gandi",
    ];
    await importFile(house.client, ["Domain,Expires,Registrar", ...rows].join("\n"));
    const dated = async (name: string) => {
      const { expires } = await house.domain(name);
      return [expires?.date, expires?.conflict];
    };
    expect(await dated("ash")).toEqual(["2027-03-01", true]);
    house.list("A", NAMES.with(1, { name: "birch.example" }));
    await house.read(house.id);
    expect(await dated("ash")).toEqual(["2027-06-01", false]);
    expect(await dated("birch")).toEqual(["2027-03-01", true]);
    expect(await dated("cedar")).toEqual(["2027-03-01", true]);
  });

  test("flags what the account says has left at once, and takes the flag away again", async (house) => {
    const { id } = house;
    const left = [{ name: "fir.example", reason: "TRANSFERRED_OUT" }];
    house.list("A", NAMES.slice(0, 4), { left });
    await house.read(id, "2027-03-02T03:00:00Z");
    const reason = "The account reports that it left: TRANSFERRED_OUT";
    const gone = { since: "2027-03-02", reason };
    expect(await house.names(id, "vanished")).toMatchObject([{ name: "fir.example", ...gone }]);
    expect(names(await house.names(id, "left"))).toEqual(["fir"]);
    expect((await house.domain("fir")).vanished).toEqual({ account: id, label: "A", ...gone });
    house.list("A", NAMES);
    await house.read(id, "2027-03-03T03:00:00Z");
    expect(await house.names(id, "vanished")).toEqual([]);
    const { id: fir, vanished } = await house.domain("fir");
    expect(vanished).toBeNull();
    const items = await house.history(fir);
    expect(items).toHaveLength(2);
    expect(items[0]?.fields).toEqual([
      { field: "gone from its account", before: "2027-03-02", after: null },
    ]);
    // Of what a list merely lacks, two are needed, 20 hours apart.
    house.list("A", NAMES.slice(0, 4));
    await house.read(id, "2027-03-04T03:00:00Z");
    await house.read(id, "2027-03-04T22:59:00Z");
    expect(await house.names(id, "vanished")).toEqual([]);
    await house.read(id, "2027-03-04T23:10:00Z");
    expect(names(await house.names(id, "vanished"))).toEqual(["fir"]);
  });

  test("is asked about when it lost too many, and is believed by a click", async () => {
    const many = numbered(20);
    await using house = await startWith(many);
    const { id } = house;
    // Four of twenty are a fifth; five are more.
    house.list("A", many.slice(4));
    await house.read(id, "2027-03-02T03:00:00Z");
    expect(await house.show(id)).toMatchObject({ question: null });
    house.list(
      "A",
      many.slice(9).map((each) => Object.assign({ locked: true }, each)),
    );
    await house.read(id, "2027-03-03T03:00:00Z");
    expect(await house.show(id)).toMatchObject({
      question: { kind: "shrunken", was: 16, now: 11 },
      counts: { vanished: 0, listed: 11 },
    });
    expect((await house.domain("n19")).locked).toBe(true);
    expect((await house.post(id, "answer", { shrunken: "wait" })).status).toBe(200);
    expect((await house.show(id)).question).toBeNull();
    await house.read(id, "2027-03-04T03:00:00Z");
    expect(await house.show(id)).toMatchObject({ question: { was: 16, now: 11 } });
    // As the question was before another reading.
    const older = { shrunken: "believe", was: 16, now: 12 };
    expect((await house.post(id, "answer", older)).status).toBe(409);
    expect(await house.show(id)).toMatchObject({ question: { now: 11 }, counts: { vanished: 0 } });
    const answer = { shrunken: "believe", was: 16, now: 11 };
    expect((await house.post(id, "answer", answer)).status).toBe(200);
    expect(await house.show(id)).toMatchObject({ question: null, counts: { vanished: 9 } });
    expect((await house.post(id, "answer", { shrunken: "believe" })).status).toBe(409);
    const { items } = parseAuditPage(await house.client.json("/api/audit"));
    const answers = items.filter(({ detail }) => detail && / (?:removed|next list)$/.test(detail));
    expect(answers.map(({ detail }) => detail)).toEqual([
      "names were removed",
      "wait for the next list",
    ]);
  });

  test("goes on asking about names that were only offered, and counts none that is new", async () => {
    await using house = await startNew();
    const { id } = house;
    house.list("A", numbered(6));
    const asked = { question: { kind: "shrunken", was: 5, now: 0 }, counts: { listed: 6, new: 6 } };
    for (let day = 0; day < 2; day += 1) {
      await house.read(id);
      expect(await house.show(id)).toMatchObject(asked);
    }
    await house.post(id, "answer", { shrunken: "believe" });
    await house.read(id);
    expect(await house.show(id)).toMatchObject({ question: null, counts: { vanished: 0 } });
  });

  onBoth("is not merged while a person answers", async () => {
    await using house = await startNew();
    const refused = await house.server.write(async (sql) => {
      await lockAccount(sql, house.id);
      const answer = house.post(house.id, "refuse", { names: ["ash.example"] });
      expect(await Promise.race([answer, Bun.sleep(200)])).toBeUndefined();
      return { answer };
    });
    expect((await refused.answer).status).toBe(200);
  });

  test("is asked about where it lacks all, or more than three and a fifth", async () => {
    await using house = await startAccounts();
    for (const [had, gone, isAsked] of [
      [1, 1, true],
      [5, 3, false],
      [16, 4, true],
      [30, 6, false],
      [30, 7, true],
    ] as const) {
      const label = `${had}-${gone}`;
      const all = numbered(had, `${label}-`);
      house.list(label, all);
      const { id } = await house.add(label);
      await house.step();
      await house.post(id, "accept", { all: true, expectedCount: had });
      house.list(label, all.slice(gone));
      for (let day = 0; day < 2; day += 1) await house.read(id);
      expect(await house.show(id)).toMatchObject({
        label,
        question: isAsked ? { kind: "shrunken", was: had, now: had - gone } : null,
        counts: { vanished: isAsked ? 0 : gone },
      });
    }
  });

  test("that is empty, the first of an account of whose names the register has some", async () => {
    await using house = await startAccounts();
    for (const { name } of NAMES) await addDomain(house.client, { name, account: "A" });
    const { id } = await house.add("A");
    await house.step();
    expect((await house.show(id)).question).toMatchObject({ was: 5, now: 0 });
    await house.read(id);
    expect(await house.show(id)).toMatchObject({ question: { was: 5 }, counts: { vanished: 0 } });
  });

  test("asks no more for what was deleted while two accounts had it", async (house) => {
    house.list("B", NAMES.slice(0, 1));
    const { id: other } = await house.add("B");
    await house.step();
    await deleteDomain(house.client, (await house.domain("ash")).id);
    expect(await house.names(other, "new")).toEqual([]);
    const { accounts } = parseSummary(await house.client.json("/api/summary"));
    expect(accounts).toMatchObject({ new: 0 });
    for (const account of [house.id, other]) {
      expect(names(await house.names(account, "refused"))).toEqual(["ash"]);
    }
    expect((await house.post(other, "accept", { names: ["ash.example"] })).status).toBe(200);
    // What the first account tells is no longer the register's.
    house.list("A", withMore({ expires: "2029-06-01" }));
    await house.read(house.id);
    expect(await house.domain("ash")).toMatchObject({
      account: "B",
      expires: { date: "2027-06-01", source: "account:porkbun:B", conflict: false },
    });
  });

  test("leaves alone what was changed between the addition and its undo", async () => {
    await using house = await startNew([{ name: "ash.example", price: USD }]);
    const added = await house.post(house.id, "accept", { all: true, expectedCount: 1 });
    const renewal = { minor: 1, currency: "EUR", years: 1 };
    await patchDomain(house.client, (await house.domain("ash")).id, { renewal }, "*");
    await house.undo((await added.json()).operation);
    await house.read(house.id);
    expect((await house.domain("ash")).renewal).toEqual(renewal);
  });

  test("is new, refused or accepted by a person, who can undo it", async () => {
    await using house = await startNew();
    const { id } = house;
    const answer = async (action: string, json: object) =>
      (await house.post(id, action, json)).json();
    const expectCounts = async (counts: object) =>
      expect((await house.show(id)).counts).toMatchObject(counts);
    await expectCounts({ listed: 5, new: 5, refused: 0 });
    const wrong = await answer("accept", { all: true, expectedCount: 4 });
    expect(wrong).toMatchObject({ status: 409, count: 5 });
    const { operation } = await answer("refuse", { names: ["ash.example", "none.example"] });
    await expectCounts({ new: 4, refused: 1 });
    await house.read(id);
    await expectCounts({ new: 4, refused: 1 });
    expect(await house.undo(operation)).toMatchObject({ restored: 1 });
    await answer("refuse", { names: ["ash.example"] });
    const added = await answer("accept", { names: ["ash.example"] });
    await expectCounts({ new: 4, refused: 0 });
    await house.undo(added.operation);
    const accepted = await answer("accept", { all: true, expectedCount: 5 });
    await expectCounts({ new: 0, listed: 5 });
    await deleteDomain(house.client, (await house.domain("elm")).id);
    await house.undo(accepted.operation);
    // What a person has deleted is not asked for again.
    await expectCounts({ new: 4, refused: 1 });
    expect(names(await house.names(id, "refused"))).toEqual(["elm"]);
  });

  onBoth("stands among the changes once it is refused, with undo and redo", async () => {
    await using house = await startNew();
    const { client, id } = house;
    const last = async (query = "") =>
      parseRecentChanges(await client.json(`/api/changes${query}`)).items[0];
    const turn = async (kind: "undo" | "redo", restored: number) => {
      const change = await last();
      const path = `/api/operations/${change?.operations}/undo/foretell`;
      const told = { restored, kept: [] };
      expect(await client.json(path, { method: "POST" })).toMatchObject(told);
      expect(change?.back).toBe(kind);
      expect(await house.undo(change?.operations)).toMatchObject(told);
    };
    await house.post(id, "refuse", { names: ["ash.example"] });
    const one = { kind: "refused", what: "{} refused", names: 1, account: id, back: "undo" };
    expect(await last()).toMatchObject({ ...one, domain: { name: "ash.example" } });
    await house.post(id, "refuse", { names: ["birch.example", "elm.example"] });
    const two = { ...one, names: 2, domain: null };
    expect(await last("?kind=refused&q=birch")).toMatchObject(two);
    expect(await last("?kind=edited")).toBeUndefined();

    await turn("undo", 2);
    expect(await last()).toMatchObject({ ...two, what: "Undone: {} refused", back: "redo" });
    expect((await house.show(id)).counts).toMatchObject({ new: 4, refused: 1 });
    // One that came into the register meanwhile stays there.
    await addDomain(client, { name: "elm.example" });
    await house.read(id);
    const { items } = parseRecentChanges(await client.json("/api/changes?kind=refused"));
    expect(items.map(({ isUndone }) => isUndone)).toEqual([false, true, false]);
    expect(await house.undo(items[0]?.operations)).toMatchObject({ restored: 1 });
    expect(await last("?kind=refused")).toMatchObject({ what: "Redone: {} refused", names: 1 });
    expect(names(await house.names(id, "refused"))).toEqual(["ash", "birch"]);
    // What the redo refused is refused by the first one again, too.
    expect(await house.undo(items[1]?.operations)).toMatchObject({ restored: 1 });
    expect(names(await house.names(id, "refused"))).toEqual(["ash"]);
  });

  test("keeps a name that was refused and then added by hand, also if the refusal is undone", async () => {
    await using house = await startNew(NAMES.slice(0, 1));
    const { id } = house;
    const refused = await house.post(id, "refuse", { names: ["ash.example"] });
    await addDomain(house.client, { name: "ash.example" });
    await house.read(id);
    const undone = await house.undo((await refused.json()).operation);
    expect(undone).toEqual({ restored: 0, kept: [], operation: null });
    house.list("A", [], { left: [{ name: "ash.example", reason: "gone" }] });
    await house.read(id);
    // It is in the register from the account: only such a name can vanish.
    expect(names(await house.names(id, "vanished"))).toEqual(["ash"]);
  });

  onBoth("keeps its new label, whatever was previewed, deleted or accepted before", async () => {
    await using house = await startWith(NAMES.slice(0, 4));
    const { client } = house;
    const { id: preview } = await previewOf(client, "Domain,Notes\nash.example,n\n");
    const deleted = await deleteDomain(client, (await house.domain("elm")).id);
    house.list("A", NAMES);
    await house.read(house.id);
    const [, accepted] = await Promise.all([
      house.patch(house.id, { label: "Main" }),
      house.post(house.id, "accept", { names: ["fir.example"] }),
    ]);
    expect(accepted.status).toBe(200);
    expect((await sendCommit(client, preview)).status).toBe(200);
    await house.undo((await deleted.json()).operation);
    await importFile(client, "Domain,Registrar,Expires\nelm.example,Gandi,2027-06-01\n");
    await house.read(house.id);
    for (const name of ["ash", "birch", "elm", "fir"]) {
      const { expires } = await house.domain(name);
      expect(expires).toMatchObject({ date: "2027-06-01", conflict: false });
    }
    const expires = { source: "account:porkbun:Main" };
    expect(await house.domain("ash")).toMatchObject({ account: "Main", notes: "n", expires });
    // Whichever of both was first.
    expect((await house.domain("fir")).account).toBe("Main");
    // Whichever it had when it was deleted.
    expect((await house.domain("elm")).account).toBe("Main");
  });

  onBoth("renames those of its domains in the bin that have its label", async () => {
    await using house = await startWith(NAMES.slice(0, 3));
    const { client } = house;
    await patchDomain(client, (await house.domain("birch")).id, { account: "mine" }, "*");
    // No name of the account, whatever its domain says.
    await addDomain(client, { name: "typed.example", account: "A" });
    const before = ["ash", "birch", "cedar", "typed"];
    const ids = (await Promise.all(before.map(house.domain))).map(({ id }) => id);
    await changeMany(client, { ids }, { kind: "delete" });
    await house.patch(house.id, { label: "Second" });
    await house.patch(house.id, { label: "Third" });
    await client.post("/api/bin/restore", { ids });
    const after = await Promise.all(before.map(house.domain));
    expect(after.map(({ account }) => account)).toEqual(["Third", "mine", "Third", "A"]);
    expect(await client.json("/api/domains?account=third")).toMatchObject({ total: 2 });
  });

  bunTest.each(["2028-06-01", null])(
    "gives up a name that left for another list with the day %p",
    async (day) => {
      await using house = await startWith();
      house.list("B", [{ ...registered("fir.example"), expires: day }]);
      const { id: other } = await house.add("B");
      await house.step();
      expect(await house.names(other, "new")).toEqual([]);
      expect((await house.names(other, "listed"))[0]?.reason).toContain("In more than one account");
      const left = [{ name: "fir.example", reason: "UPDATED_OWNERSHIP" }];
      house.list("A", NAMES.slice(0, 4), { left });
      await house.read(house.id);
      await house.read(other);
      expect(await house.names(house.id, "vanished")).toEqual([]);
      const { account, expires, observations, id } = await house.domain("fir");
      const after = day && { date: day, source: "account:porkbun:B", conflict: false };
      expect({ account, expires }).toMatchObject({ account: "B", expires: after });
      expect(observations).toContainEqual(
        expect.objectContaining({ source: "account:porkbun:A", date: null }),
      );
      const before = { date: "2027-06-01", source: "account:porkbun:A", conflict: false };
      expect((await house.history(id))[0]?.fields).toContainEqual({
        field: "expires",
        before,
        after,
      });
    },
  );

  test("has a name that the register has under its label, whatever else is called so", async () => {
    await using house = await startAccounts();
    house.list("Porkbun", [], { outcome: "credentials" });
    const fields = { apikey: "Porkbun", secretapikey: SECRET };
    await house.add("Main", { registrar: "porkbun", fields });
    const account = "Main";
    await addDomain(house.client, { name: "ash.example", registrar: "Gandi", account });
    await addDomain(house.client, { name: "birch.example", account });
    await addDomain(house.client, { name: "cedar.example", registrar: "Porkbun", account });
    house.list("Gandi", NAMES.slice(0, 3));
    const { id } = await house.add("Main", { registrar: "gandi", fields: { token: "Gandi" } });
    await house.step();
    const left = NAMES.slice(0, 3).map(({ name }) => ({ name, reason: "Transferred" }));
    house.list("Gandi", NAMES.slice(3), { left });
    await house.read(id);
    // Held names are flagged as gone; the other may be in the account that was never read.
    expect(names(await house.names(id, "vanished"))).toEqual(["ash", "birch"]);
  });

  test("leaves a name where it was seen first until the registry agrees", async (house) => {
    house.list("B", [{ name: "fir.example", status: "pending" }]);
    const { id: other } = await house.add("B");
    for (let day = 0; day < 3; day += 1) {
      await house.read(other);
      await house.read(house.id);
    }
    expect((await house.domain("fir")).account).toBe("A");
    house.list("B", NAMES.slice(4));
    await house.read(other);
    await house.read(other);
    expect((await house.domain("fir")).account).toBe("B");
    for (let day = 0; day < 3; day += 1) await house.read(house.id);
    // It does not come back to where it was, although both list it.
    expect((await house.domain("fir")).account).toBe("B");
  });

  test("says where a name is after its move was undone, and leaves what people call it", async (house) => {
    house.list("B", [{ name: "fir.example", status: "active" }]);
    const { id: other } = await house.add("B", { registrar: "gandi", fields: { token: "B" } });
    await house.read(other);
    await house.read(other);
    const { id } = await house.domain("fir");
    const expectFiled = async (account: string | null, registrar: string | null) =>
      expect(await house.domain("fir")).toMatchObject({ account, registrar });
    await expectFiled("B", "Gandi");
    const [move] = await house.history(id);
    await house.undo(move?.operation);
    await expectFiled("A", "Porkbun");
    await house.read(house.id);
    await house.read(other);
    await expectFiled("B", "Gandi");
    for (const [account, registrar] of [
      ["mine", "Gandi SAS"],
      ["B", "Gandi SAS"],
      [null, null],
    ] as const) {
      await patchDomain(house.client, id, { account, registrar }, "*");
      await house.read(house.id);
      await house.read(other);
      await expectFiled(account, registrar);
    }
  });

  test("follows the registry to another registrar, where two list a name", async (house) => {
    house.list("B", NAMES.slice(4));
    const { id: other } = await house.add("B", { registrar: "gandi", fields: { token: "B" } });
    const { id } = await house.domain("fir");
    const says = (registrar: string) =>
      house.server.write(async (sql) => {
        await sql`delete from checks`;
        const row = { domain_id: id, kind: "registry", name: "fir.example", queue: "rdap.example" };
        const known = {
          due_at: "2999",
          priority: 0,
          failures: 0,
          outcome: "ok",
          source: "rdap:rdap.example",
          checked_at: "2027-02-28T12:00:00.000Z",
          result: JSON.stringify({ registrar }),
        };
        await sql`insert into checks ${sql({ ...row, ...known })}`;
      });
    const why = async () => (await house.names(house.id, "listed"))[4]?.reason;
    await says("Porkbun LLC");
    for (let day = 0; day < 3; day += 1) await house.read(other);
    expect((await house.domain("fir")).account).toBe("A");
    expect(await why()).toContain("In more than one account");
    await says("GANDI SAS");
    await house.read(other);
    expect(await house.domain("fir")).toMatchObject({ account: "B", registrar: "Gandi" });
    expect(await why()).toBeNull();
  });

  test("takes along what its account is called, and stays when the account goes", async (house) => {
    const json = { name: "Mine", query: "account=A" };
    await house.client.post("/api/views", json);
    const views = () => house.client.json("/api/views");
    await house.patch(house.id, { label: "Main" });
    expect(await house.domain("ash")).toMatchObject({
      account: "Main",
      expires: { source: "account:porkbun:Main", conflict: false },
      observations: [{ source: "account:porkbun:Main" }],
    });
    await house.read(house.id);
    const { id, version } = await house.domain("ash");
    expect(version).toBe(2);
    expect(await house.history(id)).toMatchObject([
      { by: "ada@example.com", fields: [{ field: "account", before: "A", after: "Main" }] },
      { action: "added" },
    ]);
    expect(await views()).toMatchObject({ items: [{ query: "account=Main" }] });
    await house.patch(house.id, { label: "A" });
    expect(await views()).toMatchObject({ items: [{ query: "account=A" }] });
    // Of another source, it is still found by the old label.
    await addDomain(house.client, { name: "typed.example", account: "A" });
    await house.patch(house.id, { label: "Main" });
    expect(await views()).toMatchObject({ items: [{ query: "account=A" }] });
    expect((await house.client.delete(`/api/accounts/${house.id}`)).status).toBe(204);
    expect(await house.domain("ash")).toMatchObject({
      account: "Main",
      registrar: "Porkbun",
      expires: { date: "2027-06-01", source: "account:porkbun:Main" },
    });
  });
});
