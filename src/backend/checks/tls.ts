import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from "node:tls";
import type { Certificate } from "../../shared/checks.ts";
import { cleanText } from "../outbound/clean-text.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { answered, type CheckResult, nothing } from "./check-result.ts";

/**
 * Whether a certificate leads to an authority that this machine trusts. An expired one hides its
 * chain: OpenSSL reports the first fault only.
 */
type CertificateChain = "trusted" | "self-signed" | "untrusted" | "incomplete" | "not-judged";

const TIMEOUT_MS = 10_000;
/** Addresses of one name whose certificate is read. */
const MAX_ADDRESSES = 8;

/** Reads the certificate on the HTTPS port of each address of a name; dates, name and chain are judged apart. */
export async function checkTls(
  outbound: Outbound,
  { name, port, signal }: { name: string; port: number; signal: AbortSignal },
): Promise<CheckResult<Certificate[]>> {
  const { addresses, refused, outcome } = await outbound.locate(name, signal);
  if (addresses.length === 0) {
    const [refusedOne] = refused;
    if (refusedOne !== undefined)
      return nothing("blocked", "tls", `${name} points to a private address, ${refusedOne}`);
    // Without an address there is no certificate: what was known of one is over.
    if (outcome === "nodata" || outcome === "nxdomain") return answered("tls", [], "absent");
    return nothing(outcome === "timeout" ? "timeout" : "unreachable", "tls");
  }
  const asked = addresses.slice(0, MAX_ADDRESSES);
  const read = await Promise.all(
    asked.map((address) => readCertificate({ address, port }, name, signal)),
  );
  const result = read.filter((each) => typeof each !== "string");
  const failure = read.findLast((each) => typeof each === "string") ?? "unreachable";
  return result.length === 0 ? nothing(failure, "tls") : answered("tls", result);
}

/** Never `Bun.connect`, which calls an untrusted chain authorized; never a resumed session. */
function readCertificate(
  { address, port }: { address: string; port: number },
  name: string,
  signal: AbortSignal,
): Promise<Certificate | "timeout" | "unreachable" | "malformed"> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof readCertificate>>>();
  const socket = connect({ host: address, port, servername: name, rejectUnauthorized: false });
  let connected = false;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  deadline.addEventListener("abort", () => resolve("timeout"));
  socket.on("connect", () => {
    connected = true;
  });
  socket.on("secureConnect", () => {
    resolve(judge(socket, socket.getPeerCertificate(), { address, name }));
  });
  // A closed port never connects; what connects and then fails speaks no TLS.
  socket.on("error", () => resolve(connected ? "malformed" : "unreachable"));
  socket.on("close", () => resolve(connected ? "malformed" : "unreachable"));
  return promise.finally(() => socket.destroy());
}

/** What OpenSSL says of a chain that does not hold. */
const CHAINS: Readonly<Record<string, CertificateChain>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "incomplete",
  CERT_HAS_EXPIRED: "not-judged",
  CERT_NOT_YET_VALID: "not-judged",
  // The name is looked at once the chain holds, and is judged apart.
  ERR_TLS_CERT_ALTNAME_INVALID: "trusted",
};

/** Names of a certificate, and characters of each, that are kept. */
const MAX_NAMES = 100;
const MAX_NAME = 300;

function judge(
  socket: TLSSocket,
  certificate: PeerCertificate,
  { address, name }: { address: string; name: string },
): Certificate | "malformed" {
  const fault: unknown = socket.authorizationError;
  const code = fault instanceof Error && "code" in fault ? String(fault.code) : String(fault ?? "");
  const [from, to] = [new Date(certificate.valid_from), new Date(certificate.valid_to)];
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return "malformed";
  const names = (certificate.subjectaltname ?? "")
    .split(", ")
    .filter((each) => each.startsWith("DNS:"))
    .map((each) => cleanText(each.slice("DNS:".length, MAX_NAME)));
  return {
    address,
    subject: cleanText([certificate.subject?.CN ?? ""].flat().join(", ").slice(0, MAX_NAME)),
    names: names.slice(0, MAX_NAMES),
    validFrom: from.toISOString(),
    validTo: to.toISOString(),
    nameMatches: checkServerIdentity(name, certificate) === undefined,
    chain: socket.authorized ? "trusted" : (CHAINS[code] ?? "untrusted"),
  };
}
