import type { Socket } from "node:net";
import type { Registration } from "../../shared/checks.ts";
import { formatSource } from "../../shared/source.ts";
import { type HttpAnswer, type Outbound, parseRetryAfter } from "../outbound/outbound.ts";
import { answered, type CheckResult, failedCheck, knownOf, nothing } from "./check-result.ts";
import { readRdapResponse } from "./rdap-response.ts";
import { readWhoisResponse, type WhoisServer } from "./whois-response.ts";

const TIMEOUT_MS = 15_000;
const MAX_RDAP_BYTES = 1_048_576;
const MAX_REDIRECTS = 3;

/** `related` is the registrar's own address, if it may be asked. */
export type RdapResult = CheckResult<Registration> & { related: URL | null };

/** @param of `name` in lower-case A-labels. */
export async function askRdap(
  outbound: Outbound,
  of: { url: URL; name: string; from: "registry" | "registrar"; now: Date; signal: AbortSignal },
): Promise<RdapResult> {
  const { url, name, from, now, signal } = of;
  const source = formatSource({ kind: from, host: url.host });
  let answer: HttpAnswer;
  try {
    answer = await followRedirects(outbound, url, signal);
  } catch (error) {
    return { ...failedCheck(source, error), related: null };
  }
  const retryAfter = answer.headers["retry-after"];
  const response = { status: answer.status, retryAfter: retryAfter ?? null, body: answer.body };
  const { outcome, result, related } = readRdapResponse(response, { name, from, now });
  return {
    outcome,
    source,
    detail: outcome === "refused" ? `The server answered ${answer.status}` : null,
    result: knownOf(result),
    retryAfterMs: parseRetryAfter(retryAfter, now),
    related: related === null || from === "registrar" ? null : askableLink(related, url),
  };
}

/** RFC 7480 §5.2; never from https to http. */
async function followRedirects(
  outbound: Outbound,
  start: URL,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const headers = { accept: "application/rdap+json, application/json;q=0.9" };
  const options = { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_RDAP_BYTES, signal };
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await outbound.request(url, options);
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status);
    const next = isRedirect ? URL.parse(answer.headers["location"] ?? "", url) : null;
    const isAllowed = next?.protocol === "https:" || next?.protocol === url.protocol;
    if (next === null || !isAllowed || redirects === MAX_REDIRECTS) return answer;
    url = next;
  }
}

/** With a dot, unlike the kinds of checks; addresses end with a number. */
const PUBLIC_HOST = /^(?:[a-z\d-]+\.)+[a-z][a-z\d-]*$/;

function askableLink(link: string, registry: URL): URL | null {
  const url = URL.parse(link);
  const isOther =
    url !== null && url.hostname !== registry.hostname && PUBLIC_HOST.test(url.hostname);
  return isOther && url.protocol === "https:" && url.username === "" ? url : null;
}

const WHOIS_PORT = 43;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_WHOIS_BYTES = 65_536;

/** Asks a WHOIS server, RFC 3912. Referrals are not followed: they lead where the answer wants. */
export async function askWhois(
  outbound: Outbound,
  question: { name: string; server: WhoisServer; now: Date; signal: AbortSignal },
): Promise<CheckResult<Registration>> {
  const { name, server, now, signal } = question;
  const source = formatSource({ kind: "whois", host: server.host });
  const [host = "", port = WHOIS_PORT] = server.host.split(":");
  try {
    const limits = { timeoutMs: CONNECT_TIMEOUT_MS, signal };
    const socket = await outbound.connect(host, Number(port), limits);
    const bytes = await readAll(socket, `${name}\r\n`, signal);
    if (bytes === null) return nothing("timeout", source);
    const { outcome, result } = readWhoisResponse(bytes, { name, server, now });
    return answered(source, knownOf(result), outcome);
  } catch (error) {
    return failedCheck(source, error);
  }
}

/** What comes until the server closes, cut at 64 KB; null if it does not close in time. */
function readAll(socket: Socket, line: string, signal: AbortSignal): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = () => resolve(Buffer.concat(chunks, Math.min(bytes, MAX_WHOIS_BYTES)));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  deadline.addEventListener("abort", () => resolve(null));
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_WHOIS_BYTES) finish();
  });
  socket.on("end", finish);
  // A reset after the answer is common; what came before it counts, nothing is "malformed".
  socket.on("error", finish);
  socket.write(line);
  return promise.finally(() => socket.destroy());
}
