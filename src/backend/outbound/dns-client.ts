import { connect } from "node:net";
import * as packets from "dns-packet";

/**
 * DNS on sockets of our own: `node:dns` of Bun 1.4.5 cannot tell NODATA from NXDOMAIN, knows no DS,
 * and cannot ask a given server without recursion.
 */

/** A server to ask; `address` is an IP literal. */
export interface DnsServer {
  address: string;
  port: number;
}

export interface DnsQuestion {
  /** Lower-case A-label form, without a final dot. */
  name: string;
  type: packets.RecordType;
}

export type DnsOutcome =
  | "data"
  | "nodata"
  | "nxdomain"
  | "servfail"
  | "refused"
  | "formerr"
  | "notimp"
  | "other"
  | Silence;

type Silence = "timeout" | "unreachable" | "malformed";

/** Whether a server said what there is, or that there is nothing. */
export function isConclusive(outcome: string): outcome is "data" | "nodata" | "nxdomain" {
  return outcome === "data" || outcome === "nodata" || outcome === "nxdomain";
}

export interface DnsAnswer {
  outcome: DnsOutcome;
  answers: readonly packets.Answer[];
  authorities: readonly packets.Answer[];
  /** The server speaks for the zone, RFC 1035 §4.1.1. */
  authoritative: boolean;
}

interface DnsOptions {
  /** RD. False for a server that has to know by itself. */
  recurse: boolean;
  /** CD: answer even what fails DNSSEC, RFC 4035 §3.2.2. */
  checkingDisabled?: boolean;
  signal: AbortSignal;
}

/** Per try; there are two by UDP. */
const TRY_TIMEOUT_MS = 2_000;
const UDP_TRIES = 2;
const TCP_TIMEOUT_MS = 5_000;
/** Fits into every path's smallest IPv6 packet, DNS Flag Day 2020. */
const UDP_PAYLOAD_BYTES = 1_232;

const BY_RCODE: Readonly<Record<string, DnsOutcome>> = {
  NOERROR: "data",
  FORMERR: "formerr",
  SERVFAIL: "servfail",
  NXDOMAIN: "nxdomain",
  NOTIMP: "notimp",
  REFUSED: "refused",
};

const KNOWS_NO_EDNS: ReadonlySet<DnsOutcome> = new Set(["formerr", "notimp"]);

/**
 * Asks by UDP with EDNS, by TCP if the answer was cut, and without EDNS if a server does not know
 * it (RFC 6891 §7). Throws only if aborted.
 */
export async function askDns(
  server: DnsServer,
  question: DnsQuestion,
  options: DnsOptions,
): Promise<DnsAnswer> {
  const answer = await askByUdp(server, question, { ...options, edns: true });
  if (!KNOWS_NO_EDNS.has(answer.outcome)) return answer;
  return askByUdp(server, question, { ...options, edns: false });
}

async function askByUdp(
  server: DnsServer,
  question: DnsQuestion,
  options: DnsOptions & { edns: boolean },
): Promise<DnsAnswer> {
  let last = failed("timeout");
  let isMixed = true;
  for (let tries = 0; tries < UDP_TRIES; tries += 1) {
    options.signal.throwIfAborted();
    const query = createQuery(question, { ...options, isMixed });
    const received = await sendDatagram(server, query, options.signal);
    if (received === "folded" && isMixed) {
      // Some servers repeat the question in lower case.
      isMixed = false;
      tries -= 1;
    } else if (typeof received === "string") {
      last = failed(received === "folded" ? "timeout" : received);
    } else if (received.flag_tc) {
      return askByTcp(server, query, options.signal);
    } else {
      return readAnswer(received, question);
    }
  }
  return last;
}

type Query = ReturnType<typeof createQuery>;

/** By UDP in mixed case, which an answer has to repeat: harder to guess than the id alone. */
function createQuery(
  { name, type }: DnsQuestion,
  { edns, isMixed, ...options }: DnsOptions & { edns: boolean; isMixed: boolean },
) {
  const [id = 0] = crypto.getRandomValues(new Uint16Array(1));
  const bits = crypto.getRandomValues(new Uint8Array(name.length));
  const mixed = [...name]
    .map((letter, at) => (isMixed && (bits[at] ?? 0) & 1 ? letter.toUpperCase() : letter))
    .join("");
  const recursion = options.recurse ? packets.RECURSION_DESIRED : 0;
  const checking = options.checkingDisabled === true ? packets.CHECKING_DISABLED : 0;
  const opt: packets.OptAnswer = {
    type: "OPT",
    name: ".",
    udpPayloadSize: UDP_PAYLOAD_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: packets.DNSSEC_OK,
    flag_do: true,
    options: [],
  };
  const bytes = packets.encode({
    type: "query",
    id,
    flags: recursion | checking,
    questions: [{ type, name: mixed }],
    additionals: edns ? [opt] : [],
  });
  return { id, name: mixed, type, bytes };
}

/** `folded`: only answers came that repeat the question in another letter case. */
type Received = packets.DecodedPacket | Silence | "folded";

/**
 * Uses a fresh, connected socket, which takes nothing from other addresses. In Bun 1.4.5 a shared
 * one loses answers of healthy servers after one ICMP error.
 */
async function sendDatagram(server: DnsServer, query: Query, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<Received>();
  let silence: Received = "timeout";
  const timer = setTimeout(() => resolve(silence), TRY_TIMEOUT_MS);
  const abort = () => resolve("timeout");
  signal.addEventListener("abort", abort);
  let socket: Bun.udp.ConnectedSocket<"buffer"> | undefined;
  try {
    socket = await Bun.udpSocket({
      connect: { hostname: server.address, port: server.port },
      socket: {
        data: (_socket, bytes) => {
          const packet = decode(bytes);
          // Anything else is forged or late.
          if (packet === null) silence = silence === "timeout" ? "malformed" : silence;
          else if (isAnswerTo(packet, query, true)) resolve(packet);
          else if (isAnswerTo(packet, query, false)) silence = "folded";
        },
        error: () => resolve("unreachable"),
      },
    });
    socket.send(query.bytes);
    return await promise;
  } catch {
    return "unreachable";
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    socket?.close();
  }
}

/** RFC 7766: two bytes of length before each message. */
function askByTcp(server: DnsServer, query: Query, signal: AbortSignal): Promise<DnsAnswer> {
  const { promise, resolve } = Promise.withResolvers<DnsAnswer>();
  const socket = connect({ host: server.address, port: server.port });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TCP_TIMEOUT_MS)]);
  deadline.addEventListener("abort", () => resolve(failed("timeout")));
  let received = Buffer.alloc(0);
  socket.on("connect", () => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.bytes.length);
    socket.write(Buffer.concat([length, query.bytes]));
  });
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    const packet = decode(received.subarray(2, 2 + received.readUInt16BE(0)));
    // On a connection of our own the case of the letters proves nothing more.
    const isAnswer = packet !== null && isAnswerTo(packet, query, false);
    resolve(isAnswer ? readAnswer(packet, query) : failed("malformed"));
  });
  socket.on("error", () => resolve(failed("unreachable")));
  socket.on("close", () => resolve(failed("unreachable")));
  return promise.finally(() => socket.destroy());
}

function isAnswerTo(
  packet: packets.DecodedPacket,
  { id, name, type }: Query,
  isExact: boolean,
): boolean {
  const [question, more] = packet.questions ?? [];
  if (!packet.flag_qr || packet.id !== id || more !== undefined) return false;
  // A server that cannot read the question does not repeat it.
  if (question === undefined) return KNOWS_NO_EDNS.has(outcomeOf(packet));
  const fold = (text: string) => (isExact ? text : text.toLowerCase());
  return fold(question.name) === fold(name) && question.type === type;
}

function readAnswer(packet: packets.DecodedPacket, { type }: { type: string }): DnsAnswer {
  const answers = packet.answers ?? [];
  const outcome = outcomeOf(packet);
  const hasData = answers.some((answer) => answer.type === type);
  return {
    outcome: outcome === "data" && !hasData ? "nodata" : outcome,
    answers,
    authorities: packet.authorities ?? [],
    authoritative: packet.flag_aa,
  };
}

function outcomeOf(packet: packets.DecodedPacket): DnsOutcome {
  // `dns-packet` decodes the code, but its types do not say so.
  return BY_RCODE["rcode" in packet ? String(packet.rcode) : ""] ?? "other";
}

function decode(bytes: Buffer): packets.DecodedPacket | null {
  try {
    return packets.decode(bytes);
  } catch {
    return null;
  }
}

export function failed(outcome: DnsOutcome): DnsAnswer {
  return { outcome, answers: [], authorities: [], authoritative: false };
}
