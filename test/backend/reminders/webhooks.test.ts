import { afterAll, describe, expect, setSystemTime, test as once } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
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
import { type BackendServer, startBackend } from "../../support/backend-server.ts";
import { onSqlite, databaseKind, test } from "../../support/both-databases.ts";
import { selfSigned } from "../../support/certificate.ts";
import { startDnsServer } from "../../support/dns-server.ts";
import { addDomain } from "../../support/domains.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When what a test has is not there yet, it asks again, until it times out. */
async function until<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    await Bun.sleep(20);
  }
}

interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** An HTTP server that keeps what it got and answers as it is told. */
function startReceiver(answer: (received: Received) => Response | Promise<Response>) {
  const received: Received[] = [];
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
    /** Waits until so many messages have come. */
    came: (count: number) =>
      until(
        async () => received.length,
        (length) => length === count,
      ),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const open: { close(): unknown }[] = [];
afterAll(() => {
  for (const each of open) each.close();
});

/** A TCP server, which answers in ways that an HTTP server cannot. */
async function listen(
  handle: (socket: Socket) => void,
  make: (accept: (socket: Socket) => void) => Server = createServer,
) {
  let connections = 0;
  const server = make((socket) => {
    connections += 1;
    socket.on("error", () => {});
    open.push({ close: () => socket.destroy() });
    handle(socket);
  });
  open.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { port, count: () => connections };
}

const REMINDERS: RemindersOptions = {
  publicUrl: "https://register.example/names",
  allow: ["127.0.0.0/8"],
  pollMs: 20,
};

/** A register that may send to this machine, with one domain and a time that can be moved. */
async function startRegister(
  options: Partial<RemindersOptions> = {},
  dnsServers: readonly string[] = [],
) {
  const time = { now: Date.now() };
  const server = await startBackend({
    reminders: { ...REMINDERS, ...options },
    dnsServers,
    clock: () => new Date(time.now),
  });
  const client = await server.owner();
  const expires = new Date(time.now + 9 * 24 * HOUR_MS).toISOString().slice(0, 10);
  const domain = await addDomain(client, {
    name: "bücher.example",
    owner: "<!channel> @everyone [pay](https://evil.example)",
    expires,
  });
  const post = (json: object) => client.request("/api/channels", { method: "POST", json });
  const deliveries = async (state = "") =>
    parseDeliveries(await client.json(`/api/deliveries?state=${state}`)).items;
  return {
    server,
    client,
    time,
    domain,
    expires,
    post,
    deliveries,
    /** Waits until so many messages are in a state. */
    has: (count: number, state: string) =>
      until(
        () => deliveries(state),
        ({ length }) => length === count,
      ),
    add: async (target: string, kind: ChannelKind = "webhook"): Promise<Channel> =>
      parseChannel(await (await post({ kind, name: `My ${kind}`, target })).json()),
    channel: async (id: string) => {
      const { items } = parseChannels(await client.json("/api/channels"));
      return items.find((each) => each.id === id);
    },
    patch: async (id: string, json: object): Promise<Channel> =>
      parseChannel(await client.json(`/api/channels/${id}`, { method: "PATCH", json })),
    remind: (channel: Channel, ...ids: string[]) =>
      remind(server, channel, { expires, at: time.now, ids: ids.length > 0 ? ids : [domain.id] }),
    /** The one delivery of a channel, once it is as expected. */
    deliveryOf: (channel: Channel, isRight: (delivery: Delivery) => boolean) =>
      until(
        async () => (await deliveries()).find(({ channelId }) => channelId === channel.id),
        (delivery) => delivery !== undefined && isRight(delivery),
      ),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Puts a message about domains into the outbox, as an evaluation does. */
async function remind(
  { write }: BackendServer,
  { id: channelId }: Channel,
  { expires, at, ids }: { expires: string; at: number; ids: string[] },
): Promise<void> {
  const names = ids.map((domainId) => ({
    domainId,
    expiresOn: expires,
    threshold: 14,
    reason: "due" as const,
  }));
  const payload = { ...EMPTY_PAYLOAD, names };
  const key = crypto.randomUUID();
  await write((sql) =>
    addDelivery(sql, { channelId, key, type: "reminder.due", payload, at: new Date(at) }),
  );
}

const jsonOf = ({ body }: Received): Record<string, unknown> => {
  const json: unknown = JSON.parse(body);
  return isRecord(json) ? json : {};
};

describe("webhooks", () => {
  once("are signed by Standard Webhooks, for a day after rotation by both secrets", async () => {
    await using register = await startRegister();
    await using receiver = startReceiver(() => new Response("thanks"));
    const { time, domain, expires } = register;
    const channel = await register.add(receiver.url);
    expect(channel.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const verify = (secret = "", at = -1) => {
      const { body = "", headers = {} } = receiver.received.at(at) ?? {};
      return new Webhook(secret).verify(body, headers);
    };

    await register.remind(channel);
    const sent = await register.deliveryOf(channel, ({ state }) => state === "sent");
    expect(sent).toMatchObject({ attempts: 1, nextAt: null, lastError: null });
    expect(sent).toMatchObject({ subject: "bücher.example expires in 9 days", domains: 1 });
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
            registrar: null,
            account: null,
            owner: domain.owner,
            tags: [],
            price: null,
            autoRenew: null,
            decision: null,
            advice: "Undecided, auto-renew unknown. Renew it at the registrar, or drop it.",
            url: "https://register.example/names/domains/xn--bcher-kva.example",
          },
        ],
        link: expect.stringContaining("https://register.example/names/"),
      },
    });
    expect(receiver.received[0]?.headers["webhook-id"]).toBe(sent?.id);
    expect(JSON.stringify(await register.channel(channel.id))).not.toContain("whsec_");

    const rotated = await register.patch(channel.id, { rotateSecret: true });
    expect(rotated.secret).not.toBe(channel.secret);
    await register.remind(channel);
    await receiver.came(2);
    expect([verify(channel.secret), verify(rotated.secret)]).toHaveLength(2);
    time.now += 25 * HOUR_MS;
    await register.remind(channel, domain.id);
    await receiver.came(3);
    expect(verify(rotated.secret)).toMatchObject({ type: "reminder.due" });
    expect(() => verify(channel.secret)).toThrow("No matching signature");
  });

  once("come again after longer and longer pauses, then only if a person says so", async () => {
    await using register = await startRegister();
    let status = 500;
    await using receiver = startReceiver(() => new Response("out of order", { status }));
    const { time, client } = register;
    const channel = await register.add(receiver.url);
    await register.remind(channel);
    const pauses = [5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS);
    for (const [failures, pause] of pauses.entries()) {
      const failed = await register.deliveryOf(
        channel,
        ({ attempts, state }) => attempts === failures + 1 && state === "pending",
      );
      expect(failed?.lastError).toBe("500 out of order");
      const waits = Date.parse(failed?.nextAt ?? "") - time.now;
      expect(waits / pause).toBeWithin(0.79, 1.21);
      // Not a moment before.
      time.now += waits;
    }
    const dead = await register.deliveryOf(channel, ({ state }) => state === "dead");
    expect(dead).toMatchObject({ attempts: 10, nextAt: null });
    const broken = { state: "broken", lastError: "500 out of order" };
    expect(await register.channel(channel.id)).toMatchObject(broken);
    for (const { headers } of receiver.received) expect(headers["webhook-id"]).toBe(dead?.id);

    status = 204;
    const path = `/api/deliveries/${dead?.id}/retry`;
    expect((await client.request(path, { method: "POST" })).status).toBe(200);
    await register.deliveryOf(channel, ({ state }) => state === "sent");
    expect((await client.request(path, { method: "POST" })).status).toBe(409);
    const working = { state: "working", lastError: null };
    expect(await register.channel(channel.id)).toMatchObject(working);
    expect(receiver.received).toHaveLength(11);
  });

  once("take each answer for what it is, and none of them delays another", async () => {
    await using register = await startRegister();
    const inside = await listen(() => {});
    const hanging = await listen(() => {});
    const garbage = await listen((socket) => {
      socket.once("data", () => socket.end("220 mail.example ESMTP\r\n\r\n"));
    });
    await using receiver = startReceiver(({ path }) => {
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
      [`${receiver.url}gone`, "broken", { state: "dead", lastError: "410 unsubscribed" }],
      [`${receiver.url}long`, "working", { state: "sent" }],
      [`${receiver.url}later`, "working", { state: "pending", nextAt: twoHoursLater }],
      [`${receiver.url}moved`, "working", { state: "pending", lastError: moved }],
      [`http://127.0.0.1:${garbage.port}/`, "working", { state: "pending" }],
    ] as const) {
      const channel = await register.add(target);
      await register.remind(channel);
      const isTried = ({ attempts }: Delivery) => attempts === 1;
      expect(await register.deliveryOf(channel, isTried)).toMatchObject(ended);
      expect(await register.channel(channel.id)).toMatchObject({ state: channelState });
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
    await using receiver = startReceiver(async () => {
      most.push((underWay += 1));
      await Bun.sleep(10);
      underWay -= 1;
      return new Response();
    });
    const channels = await Promise.all([1, 2, 3].map(() => register.add(receiver.url)));
    for (const channel of channels) await register.patch(channel.id, { state: "paused" });
    for (const channel of channels) await register.remind(channel);
    await Promise.all(channels.map(({ id }) => register.patch(id, { state: "working" })));
    await register.has(3, "sent");
    expect(most).toEqual([1, 1, 1]);
  });

  once("reach no private address, whether it is typed, looked up, or comes up later", async () => {
    const silent = await listen(() => {});
    let address = "127.0.0.1";
    using dns = await startDnsServer((query) => {
      const { name = "", type = "A" } = query.questions?.[0] ?? {};
      return type === "A" ? { answers: [{ type: "A", name, data: address, ttl: 0 }] } : {};
    });
    await using register = await startRegister({ allow: ["127.0.0.2/32"] }, [
      `127.0.0.1:${dns.server.port}`,
    ]);
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
    expect(failed?.state).toBe("pending");
    expect(failed?.lastError).toMatch(/127\.0\.0\.1.*OUTBOUND_ALLOW/);
    expect(silent.count()).toBe(0);
  });

  test("wait while a channel is paused, and come as one message", async () => {
    const { key, cert } = selfSigned("hook.test");
    const untrusted = await listen(
      () => {},
      (accept) => createTlsServer({ key, cert }, accept),
    );
    await using register = await startRegister();
    await using receiver = startReceiver(() => new Response());
    const { client, expires } = register;
    const other = await addDomain(client, { name: "other.example", expires });
    const channel = await register.add(`https://127.0.0.1:${untrusted.port}/`);
    await register.remind(channel);
    await until(
      () => register.channel(channel.id),
      (found) => found?.state === "paused",
    );
    await register.remind(channel, register.domain.id, other.id);
    expect(await register.deliveries("pending")).toHaveLength(2);

    const { state } = await register.patch(channel.id, { target: receiver.url });
    expect(state).toBe("working");
    await register.has(1, "sent");
    expect(await register.deliveries("cancelled")).toMatchObject([
      { lastError: "Merged into one message." },
    ]);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received.map(jsonOf)).toMatchObject([{ data: { names: { length: 2 } } }]);
    const page = parseDeliveries(await client.json("/api/deliveries?limit=1"));
    const rest = parseDeliveries(await client.json(`/api/deliveries?after=${page.next}`));
    expect([page.items.length, rest.items.length, rest.next]).toEqual([1, 1, null]);
  });

  once("sign in as their address says, with any characters", async () => {
    await using register = await startRegister();
    await using receiver = startReceiver(() => new Response());
    const login = receiver.url.replace("//", "//100%:a%3Ab@");
    await register.remind(await register.add(login));
    await receiver.came(1);
    const authorization = `Basic ${Buffer.from("100%:a:b").toString("base64")}`;
    expect(receiver.received[0]?.headers).toMatchObject({ authorization });
  });

  once("say only what a channel’s filter lets through when they are sent", async () => {
    await using register = await startRegister();
    await using receiver = startReceiver(() => new Response());
    const { client, expires, domain } = register;
    const other = await addDomain(client, { name: "x.example", owner: "X", expires });
    const channel = await register.add(receiver.url);
    await register.patch(channel.id, { state: "paused" });
    await register.remind(channel, domain.id, other.id);
    await register.patch(channel.id, { filter: "owner=X", state: "working" });
    await register.deliveryOf(channel, ({ state }) => state === "sent");
    expect(receiver.received.map(jsonOf)).toMatchObject([
      { data: { counts: { 14: 1 }, names: [{ name: "x.example" }] } },
    ]);
  });

  once("hold as many domains as fit into 20 KB, and count the others", async () => {
    await using register = await startRegister();
    await using receiver = startReceiver(() => new Response());
    const label = "ü".repeat(50);
    const ids: string[] = [];
    for (let count = 10; count < 70; count += 1) {
      const name = `${count}.${label}.${label}.${label}.example`;
      ids.push((await addDomain(register.client, { name, expires: register.expires })).id);
    }
    await register.remind(await register.add(receiver.url), ...ids);
    await register.has(1, "sent");
    const [message] = receiver.received;
    expect(Buffer.byteLength(message?.body ?? "")).toBeWithin(15_000, 20_001);
    const { data } = message ? jsonOf(message) : {};
    const { names, more } = isRecord(data) ? data : {};
    expect(Array.isArray(names) && names.length + Number(more)).toBe(60);
  });

  once("are not sent where nothing is left to tell, and go with their channel", async () => {
    await using register = await startRegister();
    await using receiver = startReceiver(() => new Response());
    const channel = await register.add(receiver.url);
    await register.remind(channel, crypto.randomUUID());
    const cancelled = await register.deliveryOf(channel, ({ state }) => state === "cancelled");
    expect(cancelled?.lastError).not.toBeNull();
    expect(receiver.received).toHaveLength(0);
    const remove = () =>
      register.client.request(`/api/channels/${channel.id}`, { method: "DELETE" });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect(await register.deliveries()).toEqual([]);
  });

  once("that cannot be read hold up no others, nor their channel", async () => {
    await using register = await startRegister();
    await using receiver = startReceiver(() => new Response());
    const channel = await register.add(receiver.url);
    await register.patch(channel.id, { state: "paused" });
    const spoil = () =>
      register.server.write(
        (sql) => sql`update deliveries set payload = '[' where state = 'pending'`,
      );
    await register.remind(channel);
    await spoil();
    await register.remind(channel);
    expect((await register.patch(channel.id, { state: "working" })).state).toBe("working");
    await register.has(1, "sent");
    // One that becomes unreadable while its channel works.
    const later = { expires: register.expires, at: Date.now() + MINUTE_MS, ids: [] };
    await remind(register.server, channel, later);
    await spoil();
    register.time.now += 5 * MINUTE_MS;
    const dead = await register.has(2, "dead");
    for (const each of dead) expect(each.lastError).toBe("The stored message can’t be read.");
    expect(await register.channel(channel.id)).toMatchObject({ state: "working" });
  });
});

describe("channels", () => {
  once("whose settings cannot be read are broken until saved, and cost no other", async () => {
    await using register = await startRegister();
    await using receiver = startReceiver(() => new Response());
    const spoilt = await register.add(receiver.url);
    const other = await register.add(receiver.url);
    await register.server.write(
      (sql) => sql`update channels set config = '[' where id = ${spoilt.id}`,
    );
    const broken = { state: "broken", lastError: expect.stringContaining("save it again") };
    expect(await register.channel(spoilt.id)).toMatchObject(broken);
    await register.remind(spoilt);
    await register.remind(other);
    await register.deliveryOf(other, ({ state }) => state === "sent");
    expect(receiver.received).toHaveLength(1);
    const saved = await register.patch(spoilt.id, { name: "Saved again" });
    expect(saved).toMatchObject({ state: "working", secret: expect.any(String) });
    // An attempt may have been under way.
    register.time.now += 61_000;
    await register.deliveryOf(spoilt, ({ state }) => state === "sent");
  });

  once("refuse what is no target of their kind, and no filter", async () => {
    await using register = await startRegister();
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

  test("are found by their id only, whatever stands in its place", async () => {
    await using register = await startRegister();
    const { client } = register;
    for (const path of ["/api/deliveries?after=%00", "/api/reminders/preview?channel=%00"]) {
      expect((await client.request(path)).status).toBe(400);
    }
    const json = { escalation: "\0" };
    expect((await client.request("/api/reminders", { method: "PUT", json })).status).toBe(400);
  });

  test("are resumed by the clock of the database, which leases what is under way", async () => {
    await using server = await startBackend({ reminders: REMINDERS });
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await using receiver = startReceiver(() => answered.then(() => new Response()));
    const client = await server.owner();
    const expires = new Date(Date.now() + 9 * 24 * HOUR_MS).toISOString().slice(0, 10);
    const { id } = await addDomain(client, { name: "shop.example", expires });
    const json = { kind: "webhook", name: "Hook", target: receiver.url };
    const channel = parseChannel(await client.json("/api/channels", { method: "POST", json }));
    const at = Date.now();
    await remind(server, channel, { expires, at, ids: [id] });
    await receiver.came(1);
    await remind(server, channel, { expires, at, ids: [id] });
    // On SQLite, this machine's clock is that of the database.
    if (databaseKind() === "postgres") setSystemTime(at + 2 * HOUR_MS);
    try {
      const working = { method: "PATCH", json: { state: "working" } };
      await client.json(`/api/channels/${channel.id}`, working);
    } finally {
      setSystemTime();
    }
    const { items } = parseDeliveries(await client.json("/api/deliveries"));
    expect(items.at(-1)?.state).toBe("leased");
    answer();
    await until(
      async () => parseDeliveries(await client.json("/api/deliveries?state=sent")).items,
      ({ length }) => length === 2,
    );
    expect(receiver.received).toHaveLength(2);
  });

  once("heed no answer to what was sent before they were corrected", async () => {
    await using register = await startRegister();
    const { promise: corrected, resolve: answer } = Promise.withResolvers<void>();
    await using receiver = startReceiver(async ({ path }) => {
      if (path === "/right") return new Response();
      await corrected;
      return new Response("gone", { status: 410 });
    });
    const channel = await register.add(`${receiver.url}wrong`);
    await register.remind(channel);
    await register.deliveryOf(channel, ({ state }) => state === "leased");
    await register.patch(channel.id, { target: `${receiver.url}right` });
    answer();
    await Bun.sleep(200);
    expect(await register.channel(channel.id)).toMatchObject({ state: "working", lastError: null });
    register.time.now += 61_000;
    await register.deliveryOf(channel, ({ state }) => state === "sent");
    expect(receiver.received.map(({ path }) => path)).toEqual(["/wrong", "/right"]);
  });

  test("keep what a change leaves out, pause and resume", async () => {
    await using register = await startRegister();
    const added = await register.add("http://127.0.0.1/hook", "slack");
    const { id } = added;
    expect(await register.patch(id, { changes: true })).toEqual({ ...added, changes: true });
    const filtered = { filter: "owner=Ada", rhythm: "weekly", name: "Ada’s" };
    const paused = await register.patch(id, { ...filtered, state: "paused" });
    expect(paused).toMatchObject({ ...filtered, changes: true, state: "paused" });
    expect(paused.lastError).toContain("ada@example.com");
    const resumed = { ...filtered, state: "working", lastError: null };
    expect(await register.patch(id, { state: "working" })).toMatchObject(resumed);
    await Promise.all([register.patch(id, { changes: false }), register.patch(id, { name: "A" })]);
    expect(await register.channel(id)).toMatchObject({ name: "A", changes: false });
    const rotated = { method: "PATCH", json: { rotateSecret: true } };
    expect((await register.client.request(`/api/channels/${id}`, rotated)).status).toBe(409);
  });
});

describe("chat messages", () => {
  once("have the form of each service, in which labels mention and link nothing", async () => {
    await using register = await startRegister();
    await using receiver = startReceiver(() => new Response("ok"));
    const kinds: ChannelKind[] = ["slack", "discord", "teams", "ntfy"];
    for (const kind of kinds) {
      const channel = await register.add(`${receiver.url}${kind}/topic?auth=key`, kind);
      expect(channel).toMatchObject({ hasSecret: false });
      await register.remind(channel);
      await register.deliveryOf(channel, ({ state }) => state === "sent");
    }
    const [slack, discord, teams, ntfy] = receiver.received;
    for (const { path, body, headers } of receiver.received) {
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
    const long = await register.add(`${receiver.url}long`, "discord");
    await register.remind(long, ...added.map(({ id }) => id));
    await register.deliveryOf(long, ({ state }) => state === "sent");
    const { embeds } = jsonOf(receiver.received.at(-1) ?? { path: "", headers: {}, body: "{}" });
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
