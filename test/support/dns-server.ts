import { createServer } from "node:net";
import * as packets from "dns-packet";

/** What a test's server does with a question: an answer, bytes as they are, or nothing. */
export type DnsReply = Partial<packets.Packet> & { rcode?: number };
export type DnsHandler = (
  query: packets.DecodedPacket,
  transport: "udp" | "tcp",
) => DnsReply | Buffer | null;

/** A DNS server on a free port of the loopback, over UDP and TCP, that answers as it is told. */
export async function startDnsServer(handle: DnsHandler) {
  const asked: { name: string; type: string; transport: "udp" | "tcp" }[] = [];
  const answer = (bytes: Buffer, transport: "udp" | "tcp"): Buffer | null => {
    const query = packets.decode(bytes);
    const [question] = query.questions ?? [];
    asked.push({ name: question?.name ?? "", type: question?.type ?? "", transport });
    const reply = handle(query, transport);
    if (reply === null || Buffer.isBuffer(reply)) return reply;
    const { rcode = 0, flags = 0, ...rest } = reply;
    return packets.encode({
      type: "response",
      id: query.id ?? 0,
      flags: flags | rcode,
      questions: query.questions ?? [],
      ...rest,
    });
  };
  const { udp, tcp } = await bindBoth(answer);
  return {
    server: { address: "127.0.0.1", port: udp.port },
    asked,
    [Symbol.dispose]() {
      udp.close();
      tcp.close();
    },
  };
}

type Answer = (bytes: Buffer, transport: "udp" | "tcp") => Buffer | null;

/** The port that UDP is given may be taken by somebody else's TCP: then with another. */
async function bindBoth(answer: Answer) {
  for (;;) {
    const udp = await Bun.udpSocket({
      hostname: "127.0.0.1",
      socket: {
        data(socket, bytes, port, address) {
          const reply = answer(bytes, "udp");
          if (reply !== null) socket.send(reply, port, address);
        },
      },
    });
    const tcp = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (bytes: Buffer) => {
        const reply = answer(bytes.subarray(2), "tcp");
        if (reply === null) return;
        const length = Buffer.alloc(2);
        length.writeUInt16BE(reply.length);
        socket.end(Buffer.concat([length, reply]));
      });
    });
    const isFree = await new Promise<boolean>((resolve) => {
      tcp.once("error", () => resolve(false));
      tcp.listen(udp.port, "127.0.0.1", () => resolve(true));
    });
    if (isFree) return { udp, tcp };
    udp.close();
  }
}
