import type { Registration } from "../../shared/checks.ts";
import { formatSource } from "../../shared/source.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { answered, type CheckResult, failedCheck, knownOf, nothing } from "./check-result.ts";
import { readWhoisResponse, type WhoisServer } from "./whois-response.ts";

const PORT = 43;
const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 15_000;
const MAX_BYTES = 65_536;

/**
 * Asks a WHOIS server about one domain, RFC 3912. Referrals are never followed: they lead where the
 * answer wants.
 *
 * @param name Lower-case A-label form; it has been checked, so it holds no control character.
 */
export async function askWhois(
  outbound: Outbound,
  {
    name,
    server,
    now,
    signal,
  }: { name: string; server: WhoisServer; now: Date; signal: AbortSignal },
): Promise<CheckResult<Registration>> {
  const source = formatSource({ kind: "whois", host: server.host });
  const [host = "", port = PORT] = server.host.split(":");
  try {
    const socket = await outbound.connect(host, Number(port), {
      timeoutMs: CONNECT_TIMEOUT_MS,
      signal,
    });
    const bytes = await readAll(socket, `${name}\r\n`, signal);
    if (bytes === null) return nothing("timeout", source);
    const { outcome, result } = readWhoisResponse(bytes, { name, server, now });
    return answered(source, knownOf(result), outcome);
  } catch (error) {
    return failedCheck(source, error);
  }
}

type Connection = Awaited<ReturnType<Outbound["connect"]>>;

/** What comes back until the server closes, cut at 64 KB; null where it does not close in time. */
function readAll(socket: Connection, line: string, signal: AbortSignal): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = () => resolve(Buffer.concat(chunks, Math.min(bytes, MAX_BYTES)));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
  deadline.addEventListener("abort", () => resolve(null));
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_BYTES) finish();
  });
  socket.on("end", finish);
  // A reset after the answer is common; what came before it counts, nothing is "malformed".
  socket.on("error", finish);
  socket.write(line);
  return promise.finally(() => socket.destroy());
}
