import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from "node:tls";
import type { Instant } from "../../shared/day.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { type CheckResult, nothing } from "./check-result.ts";

/**
 * Whether a certificate leads to an authority that this machine trusts. An expired one hides its
 * chain: OpenSSL reports the first fault only.
 */
export type CertificateChain =
  "trusted" | "self-signed" | "untrusted" | "incomplete" | "not-judged";

/** The certificate that one address shows for a name. */
export interface Certificate {
  address: string;
  subject: string;
  names: string[];
  validFrom: Instant;
  validTo: Instant;
  nameMatches: boolean;
  chain: CertificateChain;
}

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
    const hasNone = outcome === "nodata" || outcome === "nxdomain";
    const why = outcome === "timeout" ? "timeout" : "unreachable";
    return nothing(hasNone ? "absent" : why, "tls");
  }
  const asked = addresses.slice(0, MAX_ADDRESSES);
  const read = await Promise.all(
    asked.map((address) => readCertificate({ address, port }, name, signal)),
  );
  const result = read.filter((each) => typeof each !== "string");
  const failure = read.findLast((each) => typeof each === "string") ?? "unreachable";
  if (result.length === 0) return nothing(failure, "tls");
  return { outcome: "ok", source: "tls", detail: null, result, retryAfterMs: null };
}

/** Never `Bun.connect`, which calls an untrusted chain authorized; never a resumed session. */
function readCertificate(
  { address, port }: { address: string; port: number },
  name: string,
  signal: AbortSignal,
): Promise<Certificate | "timeout" | "unreachable" | "malformed"> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof readCertificate>>>();
  const socket = connect({
    host: address,
    port,
    servername: name,
    rejectUnauthorized: false,
  });
  let connected = false;
  const giveUp = () => resolve("timeout");
  const timer = setTimeout(giveUp, TIMEOUT_MS);
  signal.addEventListener("abort", giveUp);
  socket.on("connect", () => {
    connected = true;
  });
  socket.on("secureConnect", () => {
    const certificate = socket.getPeerCertificate();
    resolve(
      certificate.valid_to === undefined
        ? "malformed"
        : judge(socket, certificate, { address, name }),
    );
  });
  // A closed port never connects; what connects and then fails speaks no TLS.
  socket.on("error", () => resolve(connected ? "malformed" : "unreachable"));
  socket.on("close", () => resolve(connected ? "malformed" : "unreachable"));
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    socket.destroy();
  });
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
};

function judge(
  socket: TLSSocket,
  certificate: PeerCertificate,
  { address, name }: { address: string; name: string },
): Certificate {
  const fault: unknown = socket.authorizationError;
  const code = fault instanceof Error && "code" in fault ? String(fault.code) : String(fault ?? "");
  const names = (certificate.subjectaltname ?? "")
    .split(", ")
    .filter((each) => each.startsWith("DNS:"))
    .map((each) => each.slice("DNS:".length));
  return {
    address,
    subject: [certificate.subject.CN].flat().join(", "),
    names,
    validFrom: new Date(certificate.valid_from).toISOString(),
    validTo: new Date(certificate.valid_to).toISOString(),
    nameMatches: checkServerIdentity(name, certificate) === undefined,
    chain: socket.authorized ? "trusted" : (CHAINS[code] ?? "untrusted"),
  };
}
