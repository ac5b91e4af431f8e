import { describe, expect, test } from "bun:test";
import * as packets from "dns-packet";
import { askDns, type DnsOutcome } from "../../../src/backend/outbound/dns-client.ts";
import { type DnsHandler, startDnsServer } from "../../support/dns-server.ts";

const QUESTION = { name: "amberfield.com", type: "A" as const };
const RECORD: packets.Answer = { type: "A", name: "amberfield.com", data: "192.0.2.7", ttl: 60 };
const signal = new AbortController().signal;

async function ask(handle: DnsHandler, recurse = true) {
  using dns = await startDnsServer(handle);
  const answer = await askDns(dns.server, QUESTION, { recurse, signal });
  return { ...answer, asked: dns.asked };
}

describe("askDns", () => {
  test.each<[DnsOutcome, DnsHandler]>([
    ["data", () => ({ answers: [RECORD] })],
    ["nodata", () => ({})],
    ["nodata", () => ({ answers: [{ type: "CNAME", name: "amberfield.com", data: "x.test" }] })],
    ["formerr", () => ({ rcode: 1 })],
    ["servfail", () => ({ rcode: 2 })],
    ["nxdomain", () => ({ rcode: 3 })],
    ["notimp", () => ({ rcode: 4 })],
    ["refused", () => ({ rcode: 5 })],
    ["other", () => ({ rcode: 9 })],
  ])("tells %s apart", async (outcome, handle) => {
    expect(await ask(handle)).toMatchObject({ outcome });
  });

  test("asks servers that fold letter case as the name was given, by UDP and by TCP", async () => {
    const fold = (query: packets.DecodedPacket, changes: Partial<packets.Packet>) =>
      packets.encode({
        type: "response",
        id: query.id ?? 0,
        questions: (query.questions ?? []).map((question) =>
          Object.assign(question, { name: question.name.toLowerCase() }),
        ),
        ...changes,
      });
    const [folding, cut] = await Promise.all([
      ask((query) => fold(query, { answers: [RECORD] })),
      ask((query, transport) =>
        transport === "udp"
          ? fold(query, { flags: packets.TRUNCATED_RESPONSE })
          : fold(query, { answers: [RECORD] }),
      ),
    ]);
    expect([folding.outcome, cut.outcome]).toEqual(["data", "data"]);
  });

  test("asks by TCP what was cut, and once without EDNS where a server does not know it", async () => {
    const cut = await ask((_query, transport) =>
      transport === "udp" ? { flags: packets.TRUNCATED_RESPONSE } : { answers: [RECORD] },
    );
    expect(cut.outcome).toBe("data");
    expect(cut.asked.map(({ transport }) => transport)).toEqual(["udp", "tcp"]);
    const old = await ask((query) =>
      (query.additionals ?? []).length > 0 ? { rcode: 1 } : { answers: [RECORD] },
    );
    expect(old.outcome).toBe("data");
  });

  test("waits on after a forgery: another id, question or letter case, or no packet", async () => {
    // Long enough to be in mixed case.
    const question = { name: `${"a".repeat(60)}.com`, type: "A" as const };
    const asked: string[] = [];
    const server = await Bun.udpSocket({
      hostname: "127.0.0.1",
      socket: {
        data(socket, bytes, port, address) {
          const { id = 0, questions = [] } = packets.decode(bytes);
          const name = questions[0]?.name ?? "";
          asked.push(name);
          const send = (of: number, repeated: string, data: string) => {
            const answers: packets.Answer[] = [{ ...RECORD, name: repeated, data }];
            const answer = { id: of, questions: [{ type: "A" as const, name: repeated }], answers };
            socket.send(packets.encode({ type: "response", ...answer }), port, address);
          };
          send((id + 1) % 65_536, name, "192.0.2.66");
          send(id, "x.test", "192.0.2.66");
          send(id, name.toLowerCase(), "192.0.2.66");
          send(id, name.toUpperCase(), "192.0.2.66");
          socket.send("not a packet", port, address);
          send(id, name, "192.0.2.7");
        },
      },
    });
    const { port } = server;
    const options = { recurse: true, signal };
    const answer = await askDns({ address: "127.0.0.1", port }, question, options);
    server.close();
    expect(answer).toMatchObject({ outcome: "data", answers: [{ data: "192.0.2.7" }] });
    expect(asked).toHaveLength(1);
  });

  test("says when nobody answers, or nothing that can be read, and when nothing listens", async () => {
    // 65,535 records of pointers to pointers.
    const counted = Buffer.from("000184000000ffff00000000", "hex");
    const pointers = Buffer.concat([counted, Buffer.alloc(65_000, "c00c", "hex")]);
    const [silent, unreadable, hostile, closed] = await Promise.all([
      ask(() => null),
      ask(() => Buffer.from("not a packet")),
      ask(() => pointers),
      askDns({ address: "127.0.0.1", port: 1 }, QUESTION, { recurse: true, signal }),
    ]);
    const outcomes = [silent, unreadable, hostile, closed].map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["timeout", "malformed", "malformed", "unreachable"]);
    expect(silent.asked).toHaveLength(2);
  });

  test("sends RD and CD as it is told, and gives up when it is stopped", async () => {
    const flags: boolean[] = [];
    await ask((query) => {
      flags.push(query.flag_rd);
      return { answers: [RECORD] };
    }, false);
    expect(flags).toEqual([false]);
    const stopped = await askDns({ address: "127.0.0.1", port: 1 }, QUESTION, {
      recurse: true,
      signal: AbortSignal.abort(),
    }).catch((error: unknown) => error);
    expect(stopped).toHaveProperty("name", "AbortError");
  });
});
