import { describe, expect, setSystemTime } from "bun:test";
import { Webhook } from "standardwebhooks";
import { addDelivery } from "../../../src/backend/reminders/deliveries.ts";
import { EMPTY_PAYLOAD } from "../../../src/backend/reminders/payload.ts";
import type { RemindersOptions } from "../../../src/backend/reminders/reminders.ts";
import {
  type Channel,
  type ChannelKind,
  type Delivery,
  parseChannel,
  parseChannels,
  parseDeliveries,
  parseTested,
} from "../../../src/shared/reminders.ts";
import { isRecord } from "../../../src/shared/parse.ts";
import { startBackend } from "../../support/backend-server.ts";
import { databaseKind, onSqlite, test as both } from "../../support/both-databases.ts";
import { selfSigned } from "../../support/certificate.ts";
import { startDnsServer } from "../../support/dns-server.ts";
import { addDomain } from "../../support/domains.ts";
import { startTcpServer } from "../../support/tcp-server.ts";
import { testWith } from "../../support/test-with.ts";

const HOUR_MS = 3_600_000;

/** Asks until there is what a test waits for, or it times out. */
async function until<T>(read: () => Promise<T | false | undefined>): Promise<T> {
  for (;;) {
    const value = await read();
    if (value) return value;
    await Bun.sleep(20);
  }
}

interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

type Answer = (received: Received) => Response | Promise<Response>;

/** An HTTP server that keeps what it got, and thanks unless it is told to answer otherwise. */
function startReceiver() {
  const received: Received[] = [];
  let answer: Answer = () => new Response();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = Object.fromEntries(request.headers);
      const each = { path: `${pathname}${search}`, headers, body: await request.text() };
      received.push(each);
      return answer(each);
    },
  });
  return {
    url: server.url.href,
    received,
    answerWith: (other: Answer) => void (answer = other),
    /** Waits until so many messages have come. */
    came: (count: number) => until(async () => received.length === count),
    stop: () => server.stop(true),
  };
}

/**
 * A register that may send to this machine, with one domain, a time that can be moved unless it is the
 * machine's, and somebody who receives what it sends.
 */
async function startRegister(
  options: { allow?: string[]; dnsServers?: string[]; isMoved?: boolean } = {},
) {
  const { allow = ["127.0.0.0/8"], dnsServers = [], isMoved = true } = options;
  const time = { now: Date.now() };
  const publicUrl = "https://register.example/names";
  const reminders: RemindersOptions = { publicUrl, allow, pollMs: 20 };
  const clock = () => new Date(time.now);
  const server = await startBackend({ reminders, dnsServers, ...(isMoved && { clock }) });
  const receiver = startReceiver();
  const client = await server.owner();
  const expires = new Date(time.now + 9 * 24 * HOUR_MS).toISOString().slice(0, 10);
  const domain = await addDomain(client, {
    name: "bücher.example",
    owner: "<!channel> @everyone [pay](https://evil.example)",
    expires,
  });
  const post = (json: object) => client.post("/api/channels", json);
  const deliveries = async (state = "") =>
    parseDeliveries(await client.json(`/api/deliveries?state=${state}`)).items;
  /** The one delivery of a channel, once it is as expected. */
  const deliveryOf = ({ id }: Channel, isRight: (delivery: Delivery) => boolean) =>
    until(async () =>
      (await deliveries()).find((delivery) => delivery.channelId === id && isRight(delivery)),
    );
  return {
    server,
    client,
    time,
    domain,
    expires,
    receiver,
    received: receiver.received,
    post,
    deliveries,
    deliveryOf,
    /** The one delivery of a channel, once it is in a state. */
    deliveryIn: (state: string, channel: Channel) =>
      deliveryOf(channel, (delivery) => delivery.state === state),
    /** Waits until so many messages are in a state. */
    has: (count: number, state: string) =>
      until(async () => {
        const found = await deliveries(state);
        return found.length === count && found;
      }),
    add: async (target = receiver.url, kind: ChannelKind = "webhook"): Promise<Channel> =>
      parseChannel(await (await post({ kind, name: `My ${kind}`, target })).json()),
    channel: async ({ id }: Channel) => {
      const { items } = parseChannels(await client.json("/api/channels"));
      return items.find((each) => each.id === id);
    },
    patch: async ({ id }: Channel, json: object): Promise<Channel> =>
      parseChannel(await client.json(`/api/channels/${id}`, { method: "PATCH", json })),
    /** Puts a message about domains into the outbox, as an evaluation does. */
    async remind({ id: channelId }: Channel, ids = [domain.id], after = 0) {
      const about = { expiresOn: expires, threshold: 14, reason: "due" as const };
      const names = ids.map((domainId) => Object.assign({ domainId }, about));
      const message = { type: "reminder.due" as const, payload: { ...EMPTY_PAYLOAD, names } };
      const at = new Date(time.now + after);
      const key = crypto.randomUUID();
      await server.write((sql) => addDelivery(sql, { channelId, key, at, ...message }));
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await receiver.stop();
    },
  };
}

const test = testWith(startRegister);
const testBoth = testWith(startRegister, both);

const jsonOf = ({ body }: Received): Record<string, unknown> => {
  const json: unknown = JSON.parse(body);
  return isRecord(json) ? json : {};
};

describe("webhooks", () => {
  test("are Standard Webhooks, signed by both secrets for a day of rotation", async (register) => {
    const { time, domain, expires } = register;
    const channel = await register.add(register.receiver.url.replace("//", "//100%:a%3Ab@"));
    expect(channel.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const verify = (secret = "", at = -1) => {
      const { body = "", headers = {} } = register.received.at(at) ?? {};
      return new Webhook(secret).verify(body, headers);
    };

    await register.remind(channel);
    const sent = await register.deliveryIn("sent", channel);
    expect(sent).toMatchObject({ attempts: 1, nextAt: null, lastError: null });
    expect(sent).toMatchObject({ subject: "bücher.example expires in 9 days", domains: 1 });
    const facts = { registrar: null, account: null, price: null };
    expect(verify(channel.secret)).toMatchObject({
      type: "reminder.due",
      data: {
        counts: { 14: 1 },
        late: null,
        names: [
          {
            name: "xn--bcher-kva.example",
            unicode: "bücher.example",
            expires,
            days: 9,
            dateStatus: "agreed",
            threshold: 14,
            reason: "due",
            owner: domain.owner,
            tags: [],
            ...facts,
            autoRenew: null,
            decision: null,
            advice: "Undecided, auto-renew unknown. Renew it at the registrar, or drop it.",
            url: "https://register.example/names/domains/xn--bcher-kva.example",
          },
        ],
        link: expect.stringContaining("https://register.example/names/"),
      },
    });
    const authorization = `Basic ${Buffer.from("100%:a:b").toString("base64")}`;
    expect(register.received[0]?.headers).toMatchObject({ "webhook-id": sent.id, authorization });
    expect(JSON.stringify(await register.channel(channel))).not.toContain("whsec_");

    const rotated = await register.patch(channel, { rotateSecret: true });
    expect(rotated.secret).not.toBe(channel.secret);
    await register.remind(channel);
    await register.receiver.came(2);
    expect([verify(channel.secret), verify(rotated.secret)]).toHaveLength(2);
    time.now += 25 * HOUR_MS;
    await register.remind(channel, [domain.id]);
    await register.receiver.came(3);
    expect(verify(rotated.secret)).toMatchObject({ type: "reminder.due" });
    expect(() => verify(channel.secret)).toThrow("No matching signature");
  });

  test("come again after longer and longer pauses, then if a person says so", async (register) => {
    let status = 500;
    const { time, client, receiver } = register;
    receiver.answerWith(() => new Response("out of order", { status }));
    const channel = await register.add();
    await register.remind(channel);
    const pauses = [5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS);
    for (const [failures, pause] of pauses.entries()) {
      const failed = await register.deliveryOf(
        channel,
        ({ attempts, state }) => attempts === failures + 1 && state === "pending",
      );
      expect(failed.lastError).toBe("500 out of order");
      const waits = Date.parse(failed.nextAt ?? "") - time.now;
      expect(waits / pause).toBeWithin(0.79, 1.21);
      // Not a moment before.
      time.now += waits;
    }
    const dead = await register.deliveryIn("dead", channel);
    expect(dead).toMatchObject({ attempts: 10, nextAt: null });
    const broken = { state: "broken", lastError: "500 out of order" };
    expect(await register.channel(channel)).toMatchObject(broken);
    for (const { headers } of register.received) expect(headers["webhook-id"]).toBe(dead.id);

    status = 204;
    const path = `/api/deliveries/${dead.id}/retry`;
    expect((await client.post(path)).status).toBe(200);
    await register.deliveryIn("sent", channel);
    expect((await client.post(path)).status).toBe(409);
    const working = { state: "working", lastError: null };
    expect(await register.channel(channel)).toMatchObject(working);
    expect(register.received).toHaveLength(11);
  });

  test("take each answer for what it is, and none of them delays another", async (register) => {
    using inside = await startTcpServer(() => {});
    using hanging = await startTcpServer(() => {});
    using garbage = await startTcpServer((socket) => {
      socket.once("data", () => socket.end("220 mail.example ESMTP\r\n\r\n"));
    });
    register.receiver.answerWith(({ path }) => {
      if (path === "/gone") return new Response("unsubscribed", { status: 410 });
      if (path === "/long") return new Response("x".repeat(10_000_000));
      if (path === "/later") {
        return new Response(null, { status: 429, headers: { "retry-after": "7200" } });
      }
      return Response.redirect(`http://127.0.0.1:${inside.port}/`, 302);
    });
    const hung = await register.add(`http://127.0.0.1:${hanging.port}/`);
    await register.remind(hung);
    const twoHoursLater = new Date(register.time.now + 2 * HOUR_MS).toISOString();
    const moved = expect.stringContaining("302 (redirects are not followed)");
    for (const [target, channelState, ended] of [
      [`${register.receiver.url}gone`, "broken", { state: "dead", lastError: "410 unsubscribed" }],
      [`${register.receiver.url}long`, "working", { state: "sent" }],
      [`${register.receiver.url}later`, "working", { state: "pending", nextAt: twoHoursLater }],
      [`${register.receiver.url}moved`, "working", { state: "pending", lastError: moved }],
      [`http://127.0.0.1:${garbage.port}/`, "working", { state: "pending" }],
    ] as const) {
      const channel = await register.add(target);
      await register.remind(channel);
      const isTried = ({ attempts }: Delivery) => attempts === 1;
      expect(await register.deliveryOf(channel, isTried)).toMatchObject(ended);
      expect(await register.channel(channel)).toMatchObject({ state: channelState });
    }
    expect(inside.count()).toBe(0);
    const leased = [{ channelId: hung.id, attempts: 0 }];
    expect(await register.deliveries("leased")).toMatchObject(leased);
    // Whoever waits for a test is told before the browser gives up.
    const path = `/api/channels/${hung.id}/test`;
    const tested = await register.client.json(path, { method: "POST" });
    expect(parseTested(tested)).toEqual({ ok: false, said: "No answer in time" });
  });

  onSqlite("go one after the other, so that a kill repeats only one", async () => {
    await using register = await startRegister();
    let underWay = 0;
    const most: number[] = [];
    register.receiver.answerWith(async () => {
      most.push((underWay += 1));
      await Bun.sleep(10);
      underWay -= 1;
      return new Response();
    });
    const channels = await Promise.all([1, 2, 3].map(() => register.add()));
    for (const channel of channels) await register.patch(channel, { state: "paused" });
    for (const channel of channels) await register.remind(channel);
    await Promise.all(channels.map((each) => register.patch(each, { state: "working" })));
    await register.has(3, "sent");
    expect(most).toEqual([1, 1, 1]);
  });

  test("reach no private address, whether it is typed, looked up, or comes up later", async () => {
    using silent = await startTcpServer(() => {});
    let address = "127.0.0.1";
    using dns = await startDnsServer((query) => {
      const { name = "", type = "A" } = query.questions?.[0] ?? {};
      return type === "A" ? { answers: [{ type: "A", name, data: address, ttl: 0 }] } : {};
    });
    const dnsServers = [`127.0.0.1:${dns.server.port}`];
    await using register = await startRegister({ allow: ["127.0.0.2/32"], dnsServers });
    const { port } = silent;
    const hosts = ["localhost", "127.0.0.1", "hook.test", "[::1]", "169.254.169.254", "10.0.0.8"];
    for (const host of hosts) {
      const target = `http://${host}:${port}/`;
      const response = await register.post({ kind: "slack", name: "In here", target });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        errors: [{ pointer: "/target", detail: expect.stringContaining("OUTBOUND_ALLOW") }],
      });
    }
    address = "127.0.0.2";
    const channel = await register.add(`http://hook.test:${port}/`);
    address = "127.0.0.1";
    await register.remind(channel);
    const failed = await register.deliveryOf(channel, ({ attempts }) => attempts === 1);
    expect(failed.state).toBe("pending");
    expect(failed.lastError).toMatch(/127\.0\.0\.1.*OUTBOUND_ALLOW/);
    expect(silent.count()).toBe(0);
  });

  testBoth("wait while a channel is paused, and come as one message", async (register) => {
    using untrusted = await startTcpServer(() => {}, { tls: selfSigned("hook.test") });
    const { client, expires } = register;
    const other = await addDomain(client, { name: "other.example", expires });
    const channel = await register.add(`https://127.0.0.1:${untrusted.port}/`);
    await register.remind(channel);
    await until(async () => (await register.channel(channel))?.state === "paused");
    await register.remind(channel, [register.domain.id, other.id]);
    expect(await register.deliveries("pending")).toHaveLength(2);

    const { state } = await register.patch(channel, { target: register.receiver.url });
    expect(state).toBe("working");
    await register.has(1, "sent");
    expect(await register.deliveries("cancelled")).toMatchObject([
      { lastError: "Merged into one message." },
    ]);
    expect(register.received).toHaveLength(1);
    expect(register.received.map(jsonOf)).toMatchObject([{ data: { names: { length: 2 } } }]);
    const page = parseDeliveries(await client.json("/api/deliveries?limit=1"));
    const rest = parseDeliveries(await client.json(`/api/deliveries?after=${page.next}`));
    expect([page.items.length, rest.items.length, rest.next]).toEqual([1, 1, null]);
  });

  test("say what a channel’s filter lets through when they are sent, and go with it", async (register) => {
    const { client, expires, domain } = register;
    const other = await addDomain(client, { name: "x.example", owner: "X", expires });
    const channel = await register.add();
    await register.patch(channel, { state: "paused" });
    await register.remind(channel, [domain.id, other.id]);
    await register.patch(channel, { filter: "owner=X", state: "working" });
    await register.deliveryIn("sent", channel);
    expect(register.received.map(jsonOf)).toMatchObject([
      { data: { counts: { 14: 1 }, names: [{ name: "x.example" }] } },
    ]);
    await register.remind(channel, [domain.id, crypto.randomUUID()]);
    const [cancelled] = await register.has(1, "cancelled");
    expect(cancelled?.lastError).toBe("There is nothing left to report.");
    expect(register.received).toHaveLength(1);
    const remove = () => client.delete(`/api/channels/${channel.id}`);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect(await register.deliveries()).toEqual([]);
  });

  test("hold as many domains as fit into 20 KB, and count the others", async (register) => {
    const label = "ü".repeat(50);
    const ids: string[] = [];
    for (let count = 10; count < 70; count += 1) {
      const name = `${count}.${label}.${label}.${label}.example`;
      ids.push((await addDomain(register.client, { name, expires: register.expires })).id);
    }
    await register.remind(await register.add(), ids);
    await register.has(1, "sent");
    const [message] = register.received;
    expect(Buffer.byteLength(message?.body ?? "")).toBeWithin(15_000, 20_001);
    const { data } = message ? jsonOf(message) : {};
    const { names, more } = isRecord(data) ? data : {};
    expect(Array.isArray(names) && names.length + Number(more)).toBe(60);
  });

  test("that cannot be read hold up no others, nor their channel", async (register) => {
    const channel = await register.add();
    await register.patch(channel, { state: "paused" });
    const { write } = register.server;
    const spoil = () =>
      write((sql) => sql`update deliveries set payload = '[' where state = 'pending'`);
    await register.remind(channel);
    await spoil();
    await register.remind(channel);
    expect((await register.patch(channel, { state: "working" })).state).toBe("working");
    await register.has(1, "sent");
    // One that becomes unreadable while its channel works.
    await register.remind(channel, [], 60_000);
    await spoil();
    register.time.now += 300_000;
    const dead = await register.has(2, "dead");
    for (const each of dead) expect(each.lastError).toBe("The stored message can’t be read.");
    expect(await register.channel(channel)).toMatchObject({ state: "working" });
  });
});

describe("channels", () => {
  test("with unreadable settings are broken until saved, and cost no other", async (register) => {
    const spoilt = await register.add();
    const other = await register.add();
    await register.server.write(
      (sql) => sql`update channels set config = '[' where id = ${spoilt.id}`,
    );
    const broken = { state: "broken", lastError: expect.stringContaining("save it again") };
    expect(await register.channel(spoilt)).toMatchObject(broken);
    await register.remind(spoilt);
    await register.remind(other);
    await register.deliveryIn("sent", other);
    expect(register.received).toHaveLength(1);
    const saved = await register.patch(spoilt, { name: "Saved again" });
    expect(saved).toMatchObject({ state: "working", secret: expect.any(String) });
    // An attempt may have been under way.
    register.time.now += 61_000;
    await register.deliveryIn("sent", spoilt);
  });

  test("refuse what is no target of their kind, and no filter", async (register) => {
    const refused: [ChannelKind, string, string][] = [
      ["mail", "ada", ""],
      ["mail", "ada@example.com, bob@example.com", ""],
      ["mail", "ada@example.com\r\nBcc: bob@example.com", ""],
      ["mail", "ada\0@example.com", ""],
      ["webhook", "ftp://127.0.0.1/", ""],
      ["webhook", "hook", ""],
      ["ntfy", "127.0.0.1", ""],
      ["ntfy", "127.0.0.1/no topic", ""],
      ["webhook", "http://127.0.0.1/", "colour=red"],
    ];
    for (const [kind, target, filter] of refused) {
      expect((await register.post({ kind, name: "New", target, filter })).status).toBe(400);
    }
    const { target } = await register.add("127.0.0.1/my-topic", "ntfy");
    expect(target).toBe("https://127.0.0.1/my-topic");
  });

  testBoth("are found by their id only, whatever stands in its place", async (register) => {
    const { client } = register;
    for (const path of ["/api/deliveries?after=%00", "/api/reminders/preview?channel=%00"]) {
      expect((await client.request(path)).status).toBe(400);
    }
    expect((await client.put("/api/reminders", { escalation: "\0" })).status).toBe(400);
  });

  testBoth("are resumed by the clock of the database, which leases what is under way", async () => {
    await using register = await startRegister({ isMoved: false });
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    register.receiver.answerWith(() => answered.then(() => new Response()));
    const channel = await register.add();
    await register.remind(channel);
    await register.receiver.came(1);
    await register.remind(channel);
    // On SQLite, this machine's clock is that of the database.
    if (databaseKind() === "postgres") setSystemTime(Date.now() + 2 * HOUR_MS);
    try {
      await register.patch(channel, { state: "working" });
    } finally {
      setSystemTime();
    }
    expect((await register.deliveries()).at(-1)?.state).toBe("leased");
    answer();
    await register.has(2, "sent");
    expect(register.received).toHaveLength(2);
  });

  test("heed no answer to what was sent before they were corrected", async (register) => {
    const { promise: corrected, resolve: answer } = Promise.withResolvers<void>();
    register.receiver.answerWith(async ({ path }) => {
      if (path === "/right") return new Response();
      await corrected;
      return new Response("gone", { status: 410 });
    });
    const channel = await register.add(`${register.receiver.url}wrong`);
    await register.remind(channel);
    await register.deliveryIn("leased", channel);
    await register.patch(channel, { target: `${register.receiver.url}right` });
    answer();
    await Bun.sleep(200);
    expect(await register.channel(channel)).toMatchObject({ state: "working", lastError: null });
    register.time.now += 61_000;
    await register.deliveryIn("sent", channel);
    expect(register.received.map(({ path }) => path)).toEqual(["/wrong", "/right"]);
  });

  testBoth("keep what a change leaves out, pause and resume", async (register) => {
    const added = await register.add("http://127.0.0.1/hook", "slack");
    expect(await register.patch(added, { changes: true })).toEqual({ ...added, changes: true });
    const filtered = { filter: "owner=Ada", rhythm: "weekly", name: "Ada’s" };
    const paused = await register.patch(added, { ...filtered, state: "paused" });
    expect(paused).toMatchObject({ ...filtered, changes: true, state: "paused" });
    expect(paused.lastError).toContain("ada@example.com");
    const resumed = { ...filtered, state: "working", lastError: null };
    expect(await register.patch(added, { state: "working" })).toMatchObject(resumed);
    await Promise.all([
      register.patch(added, { changes: false }),
      register.patch(added, { name: "A" }),
    ]);
    expect(await register.channel(added)).toMatchObject({ name: "A", changes: false });
    const rotate = register.client.patch(`/api/channels/${added.id}`, { rotateSecret: true });
    expect((await rotate).status).toBe(409);
  });
});

describe("chat messages", () => {
  test("have the form of each service, where labels mention and link nothing", async (register) => {
    const kinds: ChannelKind[] = ["slack", "discord", "teams", "ntfy"];
    for (const kind of kinds) {
      const channel = await register.add(`${register.receiver.url}${kind}/topic?auth=key`, kind);
      expect(channel).toMatchObject({ hasSecret: false });
      await register.remind(channel);
      await register.deliveryIn("sent", channel);
    }
    const [slack, discord, teams, ntfy] = register.received;
    for (const { path, body, headers } of register.received) {
      expect(path).toMatch(/^\/(?:(?:slack|discord|teams)\/topic|ntfy\/)\?auth=key$/);
      expect(body).toContain("bücher.example");
      expect(body).toContain("Undecided, auto-renew unknown. Renew it at the registrar");
      expect(headers["webhook-signature"]).toBeUndefined();
    }
    expect(slack?.body).toContain("&lt;!channel&gt;");
    for (const chat of [slack, discord, teams]) {
      expect(chat?.body).not.toContain("<!channel>");
      expect(chat?.body).not.toContain("@everyone");
      expect(chat?.body).not.toContain("](");
    }
    expect(discord && jsonOf(discord)).toMatchObject({ allowed_mentions: { parse: [] } });
    // What Discord takes, where each character is escaped.
    const owner = "@".repeat(200);
    const { client, expires } = register;
    const adding = Array.from({ length: 30 }, (_, place) =>
      addDomain(client, { name: `${place}.example`, owner: `${place}${owner.slice(2)}`, expires }),
    );
    const added = await Promise.all(adding);
    const long = await register.add(`${register.receiver.url}long`, "discord");
    await register.remind(
      long,
      added.map(({ id }) => id),
    );
    await register.deliveryIn("sent", long);
    const { embeds } = jsonOf(register.received.at(-1) ?? { path: "", headers: {}, body: "{}" });
    expect(JSON.stringify(embeds).length).toBeLessThan(4_096);
    expect(teams && jsonOf(teams)).toMatchObject({
      type: "message",
      attachments: [{ content: { type: "AdaptiveCard", actions: [{ type: "Action.OpenUrl" }] } }],
    });
    const click = expect.stringContaining("https://register.example/names/");
    const title = expect.any(String);
    expect(ntfy && jsonOf(ntfy)).toMatchObject({ topic: "topic", title, click });
  });
});
