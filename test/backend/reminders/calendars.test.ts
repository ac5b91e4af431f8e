import { describe, expect } from "bun:test";
import ICAL from "ical.js";
import { addDays } from "../../../src/shared/day.ts";
import { parseCalendars } from "../../../src/shared/reminders.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { onSqlite, test as both } from "../../support/both-databases.ts";
import { addDomain, expectRefused, patchDomain } from "../../support/domains.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { testWith } from "../../support/test-with.ts";

const TODAY = "2027-03-10";
const PUBLIC_URL = "https://register.example/names";

/** The owner of a backend whose clock stands at noon of a day until a test moves it. */
async function startOwner() {
  const clock = { now: `${TODAY}T12:00:00Z` };
  const reminders = { publicUrl: PUBLIC_URL };
  const server = await startBackend({ brand: "Acme", clock: () => new Date(clock.now), reminders });
  const end = () => server[Symbol.asyncDispose]();
  return Object.assign(await server.owner(), { server, clock, [Symbol.asyncDispose]: end });
}

const test = testWith(startOwner);
const testBoth = testWith(startOwner, both);

async function subscribe(client: ApiClient, json: object = {}) {
  const given = { name: "Domains", filter: "", alarmDays: null, ...json };
  const response = await client.post("/api/calendars", given);
  const { url, ...calendar } = await response.json();
  expect([response.status, url]).toEqual([201, expect.stringMatching(ADDRESS)]);
  return { calendar, path: url.slice(PUBLIC_URL.length) };
}

const ADDRESS = /^https:\/\/register\.example\/names\/api\/calendar\/[\w-]{43}\.ics$/;

/** What a calendar program makes of an address. */
async function open(visitor: ApiClient, path: string) {
  const response = await visitor.request(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  const text = await response.text();
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((event) => {
    const property = (name: string) => String(event.getFirstPropertyValue(name));
    return {
      uid: property("uid"),
      day: property("dtstart"),
      summary: property("summary"),
      description: property("description"),
      url: property("url"),
      sequence: Number(property("sequence")),
      stamp: property("dtstamp"),
      alarms: event.getAllSubcomponents("valarm").length,
    };
  });
  return { text, events, etag: response.headers.get("etag") ?? "" };
}

describe("/api/calendar", () => {
  testBoth("is read by its address until it is revoked, and says when it was", async (client) => {
    const { clock } = client;
    const { calendar, path } = await subscribe(client, { name: " Domains ", alarmDays: 14 });
    const unread = { lastFetchedAt: null, lastFetchedBy: null };
    expect(calendar).toMatchObject({ name: "Domains", filter: "", alarmDays: 14, ...unread });
    expect(await client.json("/api/calendars")).toEqual({ items: [calendar] });

    const visitor = client.server.visitor();
    const agent = { headers: { "User-Agent": "Calendar/1.0 ".padEnd(300, "x") } };
    expect((await visitor.request(path, agent)).status).toBe(200);
    /** When it was fetched last, once that is written down. */
    const fetched = async (before: unknown = null) => {
      for (;;) {
        const [item] = parseCalendars(await client.json("/api/calendars")).items;
        if (item?.lastFetchedAt !== before) return item;
        await Bun.sleep(1);
      }
    };
    const noon = { lastFetchedAt: `${TODAY}T12:00:00.000Z` };
    const lastFetchedBy = expect.stringMatching(/^Calendar\/1\.0 x{187}$/);
    expect(await fetched()).toMatchObject({ ...noon, lastFetchedBy });
    // The same program that comes again soon is not worth a write.
    clock.now = `${TODAY}T12:59:59Z`;
    await visitor.request(path, agent);
    expect(await client.json("/api/calendars")).toMatchObject({ items: [noon] });
    clock.now = `${TODAY}T13:00:00Z`;
    const head = await visitor.request(path, { method: "HEAD" });
    const { length } = await (await visitor.request(path)).bytes();
    expect([head.status, Number(head.headers.get("content-length"))]).toEqual([200, length]);
    const again = { lastFetchedAt: `${TODAY}T13:00:00.000Z` };
    expect(await fetched(noon.lastFetchedAt)).toMatchObject(again);

    const other = path.replace(/.{5}(?=\.ics)/, "AAAAA");
    expect((await visitor.request(other)).status).toBe(404);
    const remove = () => client.delete(`/api/calendars/${calendar.id}`);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    const revoked = await visitor.request(path);
    expect(revoked.status).toBe(404);
    expect(await revoked.json()).toEqual(await (await visitor.request(other)).json());
  });

  onSqlite("answers where it cannot be written down that it was read", async () => {
    await using client = await startOwner();
    const { path } = await subscribe(client);
    await client.server.write(
      (sql) => sql`create trigger busy before update on calendars
        begin select raise(abort, 'busy'); end`,
    );
    expect((await client.server.visitor().request(path)).status).toBe(200);
  });

  testBoth("shows its filter’s domains of 30 days ago to 400 ahead", async (client) => {
    const add = (name: string, days: number, more: object = {}) =>
      addDomain(client, { name, expires: addDays(TODAY, days), tags: ["mine"], ...more });
    const old = await add("old.example", -30);
    await add("older.example", -31);
    const unpaid = await add("unpaid.example", -29, { autoRenew: true, registrar: "IONOS" });
    await add("sold.example", 3, { soldOn: TODAY });
    await add("other.example", 3, { tags: [] });
    await add("unknown.example", 3, { expires: null });
    const labels = { registrar: "Müller; Söhne, Ltd", owner: "Ada", account: "main" };
    const renewal = { minor: 1450, currency: "EUR", years: 1 };
    const odd = await add("bücher.example", 14, { ...labels, renewal, decision: "keep" });
    const renewing = await add("auto.example", 15, { autoRenew: true });
    const dropped = await add("dropped.example", 400, { decision: "drop" });
    await add("later.example", 401);

    const { path } = await subscribe(client, { filter: "tag=mine", alarmDays: 7 });
    const { events, text } = await open(client.server.visitor(), path);
    expect(text).toContain("PRODID:-//Acme//");
    expect(events.map(({ day, summary }) => [day, summary])).toEqual([
      [addDays(TODAY, -30), "Decide on old.example"],
      [addDays(TODAY, -29), "unpaid.example expired, check the payment (IONOS)"],
      [addDays(TODAY, 14), "Renew bücher.example (Müller; Söhne, Ltd, €14.50)"],
      [addDays(TODAY, 15), "auto.example renews by itself"],
    ]);
    expect(events.map(({ alarms }) => alarms)).toEqual([1, 1, 1, 1]);
    expect(events[2]?.url).toBe(`${PUBLIC_URL}/domains/xn--bcher-kva.example`);
    expect(events[1]?.description).toContain("To do: Check at IONOS why it hasn’t renewed");
    expect(events[2]?.description.split("\n")).toEqual([
      "xn--bcher-kva.example",
      "Registrar: Müller; Söhne, Ltd",
      "Account: main",
      "Owner: Ada",
      "Price: €14.50",
      "Auto-renew: unknown",
      "Decision: keep",
      "To do: Renew it at Müller; Söhne, Ltd",
      `Open: ${PUBLIC_URL}/domains/xn--bcher-kva.example`,
    ]);
    const ids = events.map(({ uid }) => uid.split("@"));
    expect(ids.map(([id]) => id)).toEqual([old.id, unpaid.id, odd.id, renewing.id]);
    expect(new Set(ids.map(([, register]) => register)).size).toBe(1);
    const plain = await subscribe(client, { filter: "tag=mine&decision=drop" });
    const quiet = await open(client.server.visitor(), plain.path);
    expect(quiet.events).toMatchObject([
      { uid: `${dropped.id}@${ids[0]?.[1]}`, summary: "dropped.example expires, to be dropped" },
    ]);
    expect(quiet.events[0]?.alarms).toBe(0);
  });

  test("keeps its bytes until something changes, then moves that event alone", async (client) => {
    const { clock } = client;
    const first = await addDomain(client, { name: "a.example", expires: addDays(TODAY, 5) });
    await addDomain(client, { name: "b.example", expires: addDays(TODAY, 6) });
    const { path } = await subscribe(client);
    const visitor = client.server.visitor();
    const before = await open(visitor, path);
    clock.now = `${TODAY}T23:00:00Z`;
    expect(await open(visitor, path)).toEqual(before);
    clock.now = `${addDays(TODAY, 1)}T01:00:00Z`;
    expect(await open(visitor, path)).toEqual(before);
    const ask = (etag: string) => visitor.request(path, { headers: { "If-None-Match": etag } });
    for (const etag of [before.etag, `W/${before.etag}`, `"x", ${before.etag}`]) {
      const same = await ask(etag);
      expect([same.status, same.headers.get("etag")]).toEqual([304, before.etag]);
      expect(await same.text()).toBe("");
    }

    const moved = addDays(TODAY, 370);
    const changed = await patchDomain(client, first.id, { expires: moved }, `"${first.version}"`);
    const { updatedAt } = await changed.json();
    expect((await ask(before.etag)).status).toBe(200);
    const after = await open(visitor, path);
    const [b, a] = after.events;
    expect(b).toEqual(before.events[1]);
    expect(a).toMatchObject({ uid: before.events[0]?.uid, day: moved });
    expect(a?.sequence).toBeGreaterThan(before.events[0]?.sequence ?? Infinity);
    expect(a?.stamp).toBe(updatedAt.replace(/\.\d+Z$/, "Z"));
  });

  test("makes one event of a day with more than 10 domains", async (client) => {
    const day = addDays(TODAY, 5);
    const name = (index: number) => `n${String(index).padStart(2, "0")}.example`;
    const add = (index: number) => addDomain(client, { name: name(index), expires: day });
    for (let index = 0; index < 10; index += 1) await add(index);
    const { path } = await subscribe(client, { filter: "q=example" });
    const visitor = client.server.visitor();
    expect((await open(visitor, path)).events).toHaveLength(10);
    await add(10);
    await add(11);
    const { events } = await open(visitor, path);
    expect(events).toMatchObject([{ day, summary: "12 domains expire" }]);
    expect(events[0]?.uid).toStartWith(`${day}@`);
    const query = `q=example&expiresFrom=${day}&expiresBefore=${addDays(day, 1)}`;
    expect(events[0]?.url).toBe(`${PUBLIC_URL}/domains?${query}`);
    const listed = Array.from({ length: 10 }, (_each, index) => name(index));
    expect(events[0]?.description.split("\n")).toEqual([...listed, "and 2 more"]);
  });

  test("shows the 2,000 nearest events of a large register", async (client) => {
    await fillRegister(await client.server.openDatabase(), 5000);
    const { path } = await subscribe(client);
    const { events } = await open(client.server.visitor(), path);
    expect(events).toHaveLength(2000);
    expect(events[0]?.day).toBe(addDays(TODAY, -30));
    expect(String(events.at(-1)?.day) < addDays(TODAY, 390)).toBe(true);
  });

  test("refuses bad names, filters and a 101st, and keeps no secret", async (client) => {
    const { path } = await subscribe(client);
    const rows = await client.server.read((sql) => sql`select * from calendars`);
    expect(JSON.stringify(rows)).not.toContain(path.slice("/api/calendar/".length, -4));
    const add = (json: object) => client.post("/api/calendars", { name: "x", ...json });
    for (const [json, pointer] of [
      [{ name: " " }, "/name"],
      [{ filter: "colour=red" }, "/filter"],
    ] as const) {
      await expectRefused(add(json), pointer);
    }
    for (let index = 1; index < 100; index += 1) expect((await add({})).status).toBe(201);
    expect((await add({})).status).toBe(409);
  });
});
