import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from "node:tls";
import { getDomain } from "tldts";
import type { Certificate, WebResult } from "../../shared/checks.ts";
import { codeOf } from "../../shared/log.ts";
import { type Outbound, redirectOf } from "../outbound/outbound.ts";
import { cleanText } from "../outbound/received-text.ts";
import { answered, type CheckResult, nothing } from "./check-result.ts";

const TIMEOUT_MS = 10_000;
const MAX_ADDRESSES = 8;

interface TlsQuestion {
  name: string;
  port: number;
  now: Date;
  signal: AbortSignal;
}

/**
 * Reads the certificate on the HTTPS port of each address of a name; dates, name and chain are judged apart.
 * While one address answers, those that do not keep their certificate of `before`.
 */
export async function checkTls(
  outbound: Outbound,
  { before, ...of }: TlsQuestion & { before: readonly Certificate[] },
): Promise<CheckResult<Certificate[]>> {
  const { name, signal } = of;
  const { addresses, refused, outcome } = await outbound.locate(name, signal);
  signal.throwIfAborted(); // An address may have come before; no listener would hear of it later.
  if (addresses.length === 0) {
    const [refusedOne] = refused;
    if (refusedOne !== undefined)
      return nothing("blocked", `${name} points to a private address, ${refusedOne}`);
    if (outcome === "nodata" || outcome === "nxdomain") return answered([], "absent");
    return nothing(outcome === "timeout" ? "timeout" : "unreachable");
  }
  const asked = addresses.slice(0, MAX_ADDRESSES);
  const read = await Promise.all(asked.map((address) => readCertificate(address, of)));
  const result = read.filter((each) => typeof each !== "string");
  const failure = read.findLast((each) => typeof each === "string") ?? "unreachable";
  if (result.length === 0) return nothing(failure);
  const hasAnswered = new Set(result.map(({ address }) => address));
  const kept = before.filter(
    ({ address }) => addresses.includes(address) && !hasAnswered.has(address),
  );
  return answered([...result, ...kept]);
}

/** Never `Bun.connect`, which calls an untrusted chain authorized; never a resumed session. */
function readCertificate(
  address: string,
  { name, port, now, signal }: TlsQuestion,
): Promise<Certificate | "timeout" | "unreachable" | "malformed"> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof readCertificate>>>();
  const socket = connect({ host: address, port, servername: name, rejectUnauthorized: false });
  // A closed port never connects; what connects and then fails speaks no TLS.
  let failure: "unreachable" | "malformed" = "unreachable";
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  deadline.addEventListener("abort", () => resolve("timeout"));
  socket.on("connect", () => {
    failure = "malformed";
  });
  socket.on("secureConnect", () => {
    resolve(judge(socket, socket.getPeerCertificate(), { address, name, now }));
  });
  socket.on("error", () => resolve(failure));
  socket.on("close", () => resolve(failure));
  return promise.finally(() => socket.destroy());
}

/** `not-judged`: OpenSSL reports only the first fault, so an expired certificate hides its chain. */
const CHAINS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "incomplete",
  CERT_HAS_EXPIRED: "not-judged",
  CERT_NOT_YET_VALID: "not-judged",
  // The name is judged apart.
  ERR_TLS_CERT_ALTNAME_INVALID: "trusted",
};

const MAX_NAMES = 100;
const MAX_NAME = 300;

function judge(
  socket: TLSSocket,
  certificate: PeerCertificate,
  { address, name, now }: { address: string; name: string; now: Date },
): Certificate | "malformed" {
  const fault: unknown = socket.authorizationError;
  const code = codeOf(fault) || String(fault ?? "");
  const [from, to] = [new Date(certificate.valid_from), new Date(certificate.valid_to)];
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return "malformed";
  const names = (certificate.subjectaltname ?? "")
    .split(", ")
    .filter((each) => each.startsWith("DNS:"))
    .map((each) => cleanText(each.slice("DNS:".length, MAX_NAME)));
  const commonName = [certificate.subject?.CN ?? ""].flat().join(", ");
  return {
    address,
    // Authorities have begun to leave out the common name.
    subject: cleanText(commonName.slice(0, MAX_NAME)) || (names[0] ?? ""),
    names: names.slice(0, MAX_NAMES),
    validFrom: from.toISOString(),
    validTo: to.toISOString(),
    nameMatches: checkServerIdentity(name, certificate) === undefined,
    chain: socket.authorized ? "trusted" : (CHAINS[code] ?? "untrusted"),
    seenAt: now.toISOString(),
  };
}

const MAX_REDIRECTS = 5;
const MAX_URL = 500;

/** Follows the redirects of `http://<name>/` up to another registrable domain. @throws {OutboundError} */
export async function checkWeb(
  outbound: Outbound,
  { name, port, signal }: { name: string; port: number; signal: AbortSignal },
): Promise<CheckResult<WebResult>> {
  const urls: string[] = [];
  const first = new URL(`http://${name}:${port}/`);
  let url = first;
  for (;;) {
    urls.push(url.href.slice(0, MAX_URL));
    const answer = await outbound.request(url, { timeoutMs: TIMEOUT_MS, maxBytes: 0, signal });
    const next = redirectOf(answer, url);
    const isWeb = next?.protocol === "http:" || next?.protocol === "https:";
    const leaves =
      next !== null &&
      (getDomain(next.hostname) !== getDomain(name) || !["", first.port].includes(next.port));
    if (next === null || !isWeb || leaves || urls.length > MAX_REDIRECTS) {
      const leadsTo = leaves ? next.href.slice(0, MAX_URL) : null;
      return answered({ status: answer.status, urls, leadsTo });
    }
    next.username = "";
    next.password = "";
    url = next;
  }
}
