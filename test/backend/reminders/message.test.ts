import { describe, expect } from "bun:test";
import { createSigner, findChannel } from "../../../src/backend/reminders/channel-store.ts";
import { mailHtml, mailText } from "../../../src/backend/reminders/mail-body.ts";
import {
  EMPTY_PAYLOAD,
  type MessageType,
  type Payload,
} from "../../../src/backend/reminders/payload.ts";
import { addDays } from "../../../src/shared/day.ts";
import { type Domain, parseDomain } from "../../../src/shared/domain.ts";
import { test as both } from "../../support/both-databases.ts";
import { deleteDomain } from "../../support/domains.ts";
import { expectAnswer } from "../../support/expect-answer.ts";
import { startReminders } from "../../support/reminders.ts";
import { testWith } from "../../support/test-with.ts";

const TODAY = "2026-12-07";
const PUBLIC_URL = "https://register.example/names";

/** A register on 7 December 2026 with a mail channel, and what its messages would say. */
async function startRegister() {
  const register = await startReminders({ now: `${TODAY}T08:00:00Z` });
  const ada = { kind: "mail", name: "Ada", target: "ada@example.com", state: "working" } as const;
  await register.addChannel({ id: "c1", ...ada });
  const render = (
    payload: Partial<Payload>,
    type: MessageType = "reminder.due",
    publicUrl: string | null = PUBLIC_URL,
  ) => register.render("c1", { type, payload: { ...EMPTY_PAYLOAD, ...payload } }, publicUrl);
  return {
    ...register,
    /** A domain that expires in so many days. */
    add: (name: string, days: number, values: object = {}) =>
      register.add(name, addDays(TODAY, days), { autoRenew: null, ...values }),
    render,
    title: async (...given: Parameters<typeof render>) => (await render(...given))?.title,
  };
}

const test = testWith(startRegister);
const testBoth = testWith(startRegister, both);

/** What a reminder of a domain is made of. */
function due({ id, expires }: Domain, threshold: number) {
  return { domainId: id, expiresOn: expires?.date ?? "", threshold, reason: "due" as const };
}

describe("renderMessage", () => {
  test("groups by threshold, then owner, and says what to do with each", async (register) => {
    const { add, render, title } = register;
    const renewal = { minor: 1550, currency: "EUR", years: 2 };
    const b = await add("b.example", 12, { owner: "Acme", registrar: "Gandi", renewal });
    const a = await add("a.example", 13, { owner: "Acme", decision: "keep" });
    const c = await add("münchen.example", 5, { decision: "transfer", account: "ops" });
    const d = await add("d.example", -1);
    const e = await add("e.example", 6, { autoRenew: true, registrar: "Gandi" });
    const message = await render({
      names: [due(a, 14), due(b, 14), due(c, 7), due(d, -1), due(e, 7)],
      more: [{ threshold: 30, reason: "due", names: 2 }],
    });
    expect(message).toMatchObject({
      title: "1 domain has expired, 5 more expire within 30 days, 1 is set to renew",
      counts: { "-1": 1, "7": 2, "14": 2, "30": 2 },
      more: 2,
      notes: [],
    });
    const rows = message?.names.map(({ domain, group, advice }) =>
      [domain.unicode, group, advice].join(" / "),
    );
    expect(rows).toEqual([
      "d.example / Expired / Expired. Renew it at the registrar now; that may still be possible.",
      "e.example / Auto-renew is due / Set to renew on 13 Dec. Check the payment at Gandi.",
      "münchen.example / Within 7 days / Start the transfer from the registrar: it can take a week.",
      "b.example / Within 14 days · Acme / Undecided, auto-renew unknown. Renew it at Gandi, or drop it.",
      "a.example / Within 14 days · Acme / Auto-renew is unknown. Renew it at the registrar.",
    ]);
    expect(message?.names[3]).toMatchObject({ days: 12, expires: addDays(TODAY, 12) });
    expect(message && mailText(message)).toContain("Gandi · renewal €15.50 for 2 years");
    expect(await title({ names: [due(c, 7)] })).toBe("münchen.example expires in 5 days");
  });

  test("counts in the title what the message says, by the day of sending", async (register) => {
    const { add, render, title } = register;
    const days = [0, 0, 1, 1, 1, 3, 9];
    const domains = await Promise.all(days.map((each, at) => add(`n${at}.example`, each)));
    const names = domains.map((domain) => due(domain, 60));
    const more: Payload["more"] = [{ threshold: 60, reason: "baseline", names: 35 }];
    const expired = due(await add("gone.example", -2), -1);
    expect(await title({ names, more })).toBe(
      "2 domains expire today, 3 tomorrow, 37 more within 60 days",
    );
    expect(await title({ names: [...names, expired] })).toBe(
      "2 domains expire today, 3 tomorrow, 1 has expired, 2 more expire within 60 days",
    );
    expect(await title({ names: names.slice(-3) })).toBe(
      "1 domain expires tomorrow, 2 more within 60 days",
    );
    const renewing = due(await add("auto.example", 0, { autoRenew: true }), 7);
    expect(await title({ names: [renewing] })).toBe("auto.example is set to renew today");
    const late = due(await add("late.example", -1, { autoRenew: true, registrar: "Gandi" }), -1);
    const advice = "Expired, though auto-renew is on. Check at Gandi why it hasn’t renewed.";
    expect(await render({ names: [late] })).toMatchObject({
      title: "late.example expired yesterday",
      names: [{ group: "Should have renewed by now", advice }],
    });
  });

  test("asks whether auto-renew is off of what is to be dropped", async (register) => {
    const { add, render, title } = register;
    const dropped = { decision: "drop", registrar: "Gandi" };
    const adding = [null, true, false, false].map((autoRenew, at) =>
      add(`n${at}.example`, 20, { ...dropped, autoRenew }),
    );
    const inDigest = (domain: Domain, threshold: number) =>
      Object.assign(due(domain, threshold), { reason: "digest" } as const);
    const names = (await Promise.all(adding)).map((domain) => inDigest(domain, 30));
    const digest = await render({ names }, "reminder.digest");
    expect(digest?.title).toBe("Daily digest: 2 domains expire within 30 days");
    expect(digest?.names.map(({ group, advice }) => [group, advice])).toEqual([
      ["To be dropped", "Check that auto-renew is off at Gandi."],
      ["To be dropped", "Turn off auto-renew at Gandi."],
    ]);
    expect(digest?.settledNotes).toEqual([
      "2 domains to be dropped expire within 30 days. Auto-renew is off: nothing to do.",
    ]);
    // Sent a day late, it is about the last day.
    const last = inDigest(await add("last.example", 0, { ...dropped, autoRenew: false }), 1);
    expect(await title({ names: [last] }, "reminder.digest")).toBe(
      "Daily digest: 1 domain to be dropped expires today",
    );
    const late = [null, true, false].map((autoRenew, at) =>
      add(`d${at}.example`, -at, { ...dropped, autoRenew }),
    );
    const over = (await Promise.all(late)).map((domain) => inDigest(domain, 0));
    const kept = due(await add("kept.example", 5), 7);
    expect(await render({ names: [kept, ...over] })).toMatchObject({
      title: "kept.example expires in 5 days",
      names: [{ domain: { name: "kept.example" } }],
      more: 0,
      settledNotes: [
        "1 domain to be dropped may still renew: d1.example. Turn off auto-renew at Gandi.",
        "1 domain to be dropped may still renew: d0.example. Check that auto-renew is off at Gandi.",
      ],
    });
    const only = await render({ names: names.slice(2) }, "reminder.digest");
    expect(only).toMatchObject({
      title: "Daily digest: 2 domains to be dropped expire within 30 days",
      names: [],
      more: 0,
    });
    expect(only && mailText(only)).not.toContain("Acknowledge");
  });

  test("leaves out what was renewed, deleted or acknowledged meanwhile", async (register) => {
    const { client, add, change, render } = register;
    const renewed = await add("renewed.example", 5);
    const deleted = await add("deleted.example", 5);
    const known = await add("known.example", 5);
    const names = [renewed, deleted, known].map((domain) => due(domain, 7));
    expect((await render({ names }))?.names).toHaveLength(3);
    await change(renewed.id, { expires: "2027-12-12" });
    await deleteDomain(client, deleted.id);
    await client.put(`/api/domains/${known.id}/handled`, { until: null });
    expect(await render({ names })).toBeNull();
    const moved = [{ domainId: renewed.id, expiresOn: renewed.expires?.date ?? "" }];
    expect((await render({ names, renewed: moved }))?.title).toBe("1 domain renewed");
    const news = await render({ renewed: moved, unknown: 2, overdue: 13 }, "reminder.digest");
    expect(news).toMatchObject({
      title: "Daily digest: 1 domain renewed",
      notes: [
        "13 domains expired over a week ago although auto-renew is on. The home screen shows them.",
        "No reminders come for 2 domains without an expiry date.",
      ],
      names: [],
      settled: [{ group: "Renewed", expires: "2027-12-12", acknowledgeLink: null }],
      settledNotes: ["Renewed: renewed.example."],
    });
  });

  test("names what is urgent first and what expired newest first, like home", async (register) => {
    const of = async (days: number) => due(await register.add(`n${days + 99}.example`, days), days);
    const names = await Promise.all([of(-20), of(5), of(-3), of(1), of(0)]);
    const message = await register.render({ names, longExpired: 36 });
    expect(message?.names.map(({ days }) => days)).toEqual([0, 1, -3, -20, 5]);
    expect(message?.settledNotes).toEqual([
      "36 more expired over 45 days ago. The home screen shows all of them.",
    ]);
    const old = await register.render({ longExpired: 1 });
    expect(old?.title).toBe("1 domain expired over 45 days ago");
    expect(old?.settledNotes).toEqual([
      "1 domain expired over 45 days ago. The home screen shows all of them.",
    ]);
  });

  test("names 50 at most and counts the rest", async (register) => {
    const reason = "baseline" as const;
    const domain = await register.add("first.example", 10);
    const first = { ...due(domain, 14), reason };
    // What is told to a first channel at once is not everything.
    const urgent = { ...due(await register.add("tomorrow.example", 1), 1), reason };
    expect((await register.render({ names: [urgent] }))?.notes).toEqual([]);
    const more = [{ threshold: 14, reason, names: 19_999 }];
    const baseline = await register.render({ names: [first], more });
    expect(baseline?.title).toBe("20,000 domains expire within 14 days");
    expect(baseline?.more).toBe(19_999);
    expect(baseline?.notes).toEqual([
      "This first message lists the most urgent that are due within 60 days. The home screen shows all of them. Later ones bring only what’s new.",
    ]);
    const ids = await register.addCopies(domain, 60, first.expiresOn);
    const names = ids.map((id) => due({ ...domain, id }, 14));
    const message = await register.render({ names });
    expect(message?.names).toHaveLength(50);
    expect(message && mailText(message)).toContain("and 10 more");
  });

  test("says that no one has acknowledged a domain only while that is so", async (register) => {
    const domain = await register.add("shop.example", 0);
    const notes = async () =>
      (await register.render({ names: [{ ...due(domain, 0), escalated: true }] }))?.notes;
    expect(await notes()).toEqual(["No one has acknowledged these yet."]);
    await register.client.put(`/api/domains/${domain.id}/handled`, { until: null });
    expect(await notes()).toEqual([]);
  });

  testBoth("says what was late, what is broken, and what the checks found", async (register) => {
    const { add, addChannel, database, client, render, title } = register;
    await addChannel({ id: "c2", kind: "slack", name: "Ops", state: "broken" });
    await client.put("/api/reminders", { timeZone: "Europe/Berlin" });
    const domain = await add("shop.example", 5);
    const late = { from: "2026-11-03T07:00:00Z", to: "2026-11-21T08:00:00Z", names: 1 };
    expect((await render({ names: [due(domain, 7)], late }))?.notes).toEqual([
      "Acme was not running from 3 November 2026 at 08:00 to 21 November 2026 at 09:00; 1 of these is late.",
      "Messages to “Ops” are not getting through. See Settings.",
    ]);
    const finding = "client-hold" as const;
    const found = { ...due(domain, 7), expiresOn: null, threshold: null, finding };
    const row = { domain_id: domain.id, code: "client-hold", severity: 0, since: TODAY };
    expect(await render({ names: [found] }, "finding.opened")).toBeNull();
    await database.write(
      (sql) => sql`insert into findings ${sql({ ...row, evidence: "Status: client hold" })}`,
    );
    const opened = await render({ names: [found] }, "finding.opened");
    expect(opened?.title).toBe("shop.example: Suspended by the registrar");
    const other = await add("other.example", 90, { status: "Cancelled" });
    const cancelled = { ...found, domainId: other.id, finding: "registrar-cancelled" as const };
    expect(await title({ names: [found, cancelled] }, "finding.opened")).toBe(
      "2 domains: cancelled at the registrar, suspended by the registrar",
    );
    const advice = expect.stringMatching(/unverified contact address.* Seen: Status: client hold$/);
    expect(opened?.names).toMatchObject([{ advice, acknowledgeLink: null, finding }]);
    expect(await render({ names: [found] }, "finding.closed")).toBeNull();
    await database.write((sql) => sql`delete from findings`);
    expect(await title({ names: [found] }, "finding.closed")).toBe(
      "Resolved on shop.example: Suspended by the registrar",
    );
    expect(await title({}, "channel.test")).toBe("Test message from Acme");
    const { finding: _, ...name } = found;
    const edited = await render({ names: [name], changedBy: "ada@example.com" }, "domain.changed");
    expect(edited).toMatchObject({
      title: "shop.example changed by ada@example.com",
      names: [{ group: "Changed", acknowledgeLink: null }],
    });
  });

  test("is shown before it is sent, as the page that a mail is", async () => {
    await using register = await startReminders({ publicUrl: PUBLIC_URL });
    const { client, put, evaluate, add, addChannel } = register;
    const channel = await addChannel();
    const preview = () => client.request(`/api/reminders/preview?channel=${channel}`);
    await put("2026-12-07T09:00:00Z");
    expect(await (await preview()).text()).toContain("<h1>Nothing to send</h1>");
    await add("shop.example", "2026-12-20");
    await evaluate("2026-12-07T10:00:00Z");
    const page = await preview();
    const policy = page.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha/);
    const html = await page.text();
    expect(html).toContain("<h1>shop.example expires in 12 days</h1>");
    expect(html).toContain("<h2>Within 14 days</h2>");
    // What a link of the message does, its channel may do, not whoever looks at it.
    expect(html).not.toMatch(/\/api\/(?:acknowledge|unsubscribe)\//);
    const unknown = await client.request("/api/reminders/preview?channel=x");
    expect(unknown.status).toBe(404);
  });

  test("is shown as of its own day, with those that it does not name", async () => {
    await using register = await startReminders();
    const { client, put, add, addCopies, addChannel } = register;
    await addCopies(await add("shop.example", "2026-12-08"), 21, "2026-12-08");
    await put("2026-12-07T09:00:00Z");
    const page = await client.request(`/api/reminders/preview?channel=${await addChannel()}`);
    expect(await page.text()).toContain("<h1>22 domains expire today</h1>");
  });

  test("has no links without PUBLIC_URL, and says where to look", async (register) => {
    const domain = await register.add("shop.example", 5);
    const message = await register.render({ names: [due(domain, 7)] }, "reminder.due", null);
    if (message === null) throw new Error("No message");
    for (const body of [mailText(message), mailHtml(message)]) {
      expect(body).not.toMatch(/https?:|href/);
      expect(body).toContain("Open Acme in your browser");
    }
  });
});

describe("the links of a message", () => {
  test("acknowledge a domain by POST only, for anybody who holds one", async (register) => {
    const { server, client, add, change, render } = register;
    const domain = await add("shop.example", 5);
    const message = await render({ names: [due(domain, 7)] });
    const path = (message?.names[0]?.acknowledgeLink ?? "").slice(PUBLIC_URL.length);
    const stranger = server.visitor();
    const handled = async () => parseDomain(await client.json(`/api/domains/${domain.id}`)).handled;

    const page = await stranger.request(path);
    expect(page.status).toBe(200);
    const policy = page.headers.get("content-security-policy");
    expect(policy).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(policy).not.toContain("sandbox");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(await page.text()).toContain("Acknowledge shop.example?");
    const head = await stranger.request(path, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(page.headers.get("content-length"));
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1000);
    expect(await handled()).toBeNull();

    // What a stranger invents waits for no writer, and no writer for it.
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = server.write(async (sql) => {
      await sql`update domains set notes = notes`;
      begun.resolve();
      await ended.promise;
    });
    await begun.promise;
    const others = [`${path}x`, path.replace("c1", "c2"), path.replace(domain.id, "0")];
    for (const bad of [...others, "/api/acknowledge/x"]) {
      await expectAnswer(stranger.post(bad), 404, "This link does not work");
    }
    ended.resolve();
    await writing;

    const snooze = (until: string) =>
      stranger.request(path, { method: "POST", body: new URLSearchParams({ until }) });
    for (const bad of ["soon", "2020-01-01", TODAY, addDays(TODAY, 5), addDays(TODAY, 400)]) {
      await expectAnswer(snooze(bad), 400, "Choose a day from");
    }
    expect(await handled()).toBeNull();
    await expectAnswer(snooze(addDays(TODAY, 3)), 200, "shop.example is snoozed");
    expect(await handled()).toMatchObject({ until: addDays(TODAY, 3), by: "ada@example.com" });

    // As a browser sends the form of a page without a referrer.
    const done = stranger.request(path, { method: "POST", headers: { Origin: "null" } });
    await expectAnswer(done, 200, "shop.example is acknowledged");
    expect(await handled()).toMatchObject({ until: null, by: "ada@example.com" });
    expect(await (await stranger.request(path)).text()).not.toContain("<form");

    await change(domain.id, { expires: "2027-12-12" });
    expect(await (await stranger.post(path)).text()).toContain("This domain has been renewed");
    expect(await handled()).toBeNull();
  });

  test("say what is still to come before an expiry", async (register) => {
    const { server, database, add } = register;
    for (const [days, said, isBefore] of [
      [2, "It expires on 9 December 2026.", true],
      [1, "It expires on 8 December 2026.", false],
      [-4, "It expired on 3 December 2026.", false],
    ] as const) {
      const { id, expires } = await add(`shop${days + 9}.example`, days);
      const link = await database.read(async (sql) => {
        const channel = await findChannel(sql, "c1");
        return (await createSigner(sql, "", channel))("acknowledge", id, expires?.date ?? "");
      });
      for (const method of ["GET", "POST"]) {
        const page = await expectAnswer(server.visitor().request(link, { method }), 200, said);
        expect(/the next reminder comes the day before/i.test(page)).toBe(isBefore);
      }
    }
  });

  testBoth("stop a channel with one click", async (register) => {
    const { server, database, render } = register;
    const message = await render({}, "channel.test");
    const path = (message?.unsubscribeLink ?? "").slice(PUBLIC_URL.length);
    const stranger = server.visitor();
    const state = async () =>
      Array.from(await database.read((sql) => sql`select state, last_error from channels`));
    expect(await (await stranger.request(path)).text()).toContain("Stop these messages?");
    expect(await state()).toMatchObject([{ state: "working" }]);
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await stranger.request(path, { method: "POST", body })).status).toBe(200);
    const paused = { state: "paused", last_error: "Unsubscribed by ada@example.com" };
    expect(await state()).toMatchObject([paused]);
    expect((await stranger.request(path, { method: "POST", body })).status).toBe(200);
    const entries = await database.read(
      (sql) => sql`select by_id, subject, detail from audit where action = 'channel-changed'`,
    );
    expect([...entries]).toEqual([{ by_id: null, subject: "Ada", detail: "unsubscribed" }]);
    await database.write((sql) => sql`update channels set target = 'eve@example.com'`);
    expect((await stranger.request(path)).status).toBe(404);
    for (const token of ["c1.x", "%00"]) {
      const refused = await stranger.post(`/api/unsubscribe/${token}`);
      expect(refused.status).toBe(404);
    }
  });
});
