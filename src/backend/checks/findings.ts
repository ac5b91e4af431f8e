import type { Day, Instant } from "../../shared/day.ts";
import type { FindingCode } from "../../shared/findings.ts";
import type { UnpaidRenewal } from "../domains/expiry-rules.ts";
import type { CheckResult } from "./check-result.ts";
import type { DelegationResult } from "./delegation.ts";
import type { DnsResult } from "./dns.ts";
import type { Registration } from "./registration.ts";
import type { Certificate } from "./tls.ts";
import type { WebResult } from "./web.ts";

/** The latest result of each kind of check that has been made of a domain. */
export interface LatestChecks {
  registry?: CheckResult<Registration>;
  registrar?: CheckResult<Registration>;
  whois?: CheckResult<Registration>;
  dns?: CheckResult<DnsResult>;
  delegation?: CheckResult<DelegationResult>;
  tls?: CheckResult<Certificate[]>;
  http?: CheckResult<WebResult>;
}

/** What findings are derived from besides the checks. */
export interface FindingContext {
  checks: LatestChecks;
  /** What the rule of the effective expiry found. */
  renewal: UnpaidRenewal | null;
  /** The other day of a conflict. */
  conflict: Day | null;
  /** Two answers "not found", a day apart, and NXDOMAIN at the parent. */
  isGone: boolean;
  now: Date;
}

/** A finding without its heading and advice; `evidence` is what was seen, in words. */
export interface FoundFinding {
  code: FindingCode;
  evidence: string;
}

const DAY_MS = 86_400_000;

/** Everything that is wrong with a domain, as far as the latest checks tell. */
export function deriveFindings(context: FindingContext): FoundFinding[] {
  return [
    ...fromRegistration(context),
    ...fromDelegation(context.checks.delegation?.result ?? null),
    ...fromDns(context.checks.dns?.result ?? null),
    ...fromCertificates(context.checks.tls?.result ?? [], context.now),
  ];
}

/** Statuses (RFC 5731, RFC 3915) that are findings by themselves. */
const BY_STATUS: Readonly<Record<string, FindingCode>> = {
  "redemption period": "redemption",
  "pending delete": "pending-delete",
  "client hold": "client-hold",
  "server hold": "server-hold",
  "pending transfer": "pending-transfer",
  "pending restore": "pending-restore",
  "client renew prohibited": "renew-prohibited",
  "server renew prohibited": "renew-prohibited",
};

function fromRegistration({ checks, renewal, conflict, isGone }: FindingContext): FoundFinding[] {
  const found: FoundFinding[] = [];
  const { result = null, source = "" } = checks.registry ?? checks.whois ?? {};
  if (isGone) found.push({ code: "not-registered", evidence: `${source} does not know it.` });
  const statuses = isGone || result === null ? [] : result.statuses;
  // A domain in redemption is "pending delete" too (RFC 3915 §2); it can still be saved.
  const isRestorable = statuses.includes("redemption period");
  const codes = new Set(statuses.flatMap((status) => BY_STATUS[status] ?? []));
  if (isRestorable) codes.delete("pending-delete");
  const listed = `Status: ${statuses.join(", ")}`;
  for (const code of codes) found.push({ code, evidence: listed });
  const isLocked = statuses.some((status) => status.endsWith("transfer prohibited"));
  if (checks.registry?.result?.registered === true && !isLocked && !isRestorable) {
    found.push({ code: "no-transfer-lock", evidence: listed });
  }
  if (renewal !== null) {
    found.push({
      code: renewal,
      evidence: `The registry’s date is ${result?.expiresAt?.slice(0, 10) ?? "unknown"}.`,
    });
  }
  if (conflict !== null)
    found.push({ code: "expiry-conflict", evidence: `Another source says ${conflict}.` });
  return found;
}

function fromDelegation(result: DelegationResult | null): FoundFinding[] {
  if (result === null || result.ns.outcome !== "data") return [];
  const found: FoundFinding[] = [];
  const { ns, servers, unknownHosts } = result;
  for (const host of unknownHosts) {
    found.push({ code: "ns-domain-unregistered", evidence: `${host} is not registered.` });
  }
  const isLame = ({ outcome, authoritative }: (typeof servers)[number]) =>
    outcome === "refused" || outcome === "servfail" || (isConclusive(outcome) && !authoritative);
  const answering = servers.filter(
    ({ outcome, authoritative }) => outcome === "data" && authoritative,
  );
  const lame = servers.filter(isLame);
  const isDown = answering.length === 0 && servers.every(({ outcome }) => outcome !== "blocked");
  const faulty = isDown ? servers : lame;
  const said = faulty.map(({ host, outcome }) => `${host}: ${outcome}`).join(", ");
  if (isDown) found.push({ code: "no-server-answers", evidence: said });
  else if (lame.length > 0) found.push({ code: "lame-server", evidence: said });
  if (ns.data.length === 1) found.push({ code: "single-server", evidence: `Only ${ns.data[0]}` });
  const other = answering.find((server) => server.ns.join(" ") !== ns.data.join(" "));
  if (other !== undefined) {
    const evidence = `The registry has ${ns.data.join(", ")}; ${other.host} has ${other.ns.join(", ")}.`;
    found.push({ code: "delegation-differs", evidence });
  }
  return found;
}

function fromDns(result: DnsResult | null): FoundFinding[] {
  if (result === null) return [];
  const found: FoundFinding[] = [];
  const { dnssecFault, privateAddresses, dangling } = result;
  if (dnssecFault !== null) found.push({ code: "dnssec-broken", evidence: dnssecFault });
  if (privateAddresses.length > 0) {
    const evidence = `It points to a private address, ${privateAddresses.join(", ")}.`;
    found.push({ code: "private-address", evidence });
  }
  if (dangling.length > 0) found.push({ code: "dangling-record", evidence: dangling.join(", ") });
  const policies = result.txt.data.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const dmarc = result.dmarc.data.filter((text) => /^v=dmarc1\b/i.test(text));
  const isKnown =
    ["data", "nodata"].includes(result.txt.outcome) && isConclusive(result.dmarc.outcome);
  const lookUps = policies.map(countLookUps);
  const faults = [
    policies.length !== 1 && `${policies.length} SPF records`,
    dmarc.length !== 1 && `${dmarc.length} DMARC records`,
    lookUps.some((count) => count > MAX_SPF_LOOK_UPS) && `SPF needs ${lookUps[0]} look-ups`,
  ].filter((fault) => fault !== false);
  if (isKnown && faults.length > 0) found.push({ code: "mail-open", evidence: faults.join(", ") });
  return found;
}

/** RFC 7208 §4.6.4. */
const MAX_SPF_LOOK_UPS = 10;

function countLookUps(policy: string): number {
  return policy
    .split(/\s+/)
    .filter((term) =>
      /^[+\-~?]?(?:include:|a(?:[:/]|$)|mx(?:[:/]|$)|ptr(?::|$)|exists:)|^redirect=/i.test(term),
    ).length;
}

function isConclusive(outcome: string): boolean {
  return outcome === "data" || outcome === "nodata" || outcome === "nxdomain";
}

/** Days before the end at which a certificate is critical or due, at most; a short one has less. */
const CRITICAL_DAYS = 3;
const SOON_DAYS = 14;

function fromCertificates(certificates: readonly Certificate[], now: Date): FoundFinding[] {
  const found = new Map<FindingCode, string>();
  for (const { address, validFrom, validTo, nameMatches, subject } of certificates) {
    const code = certificateDue(validFrom, validTo, now);
    if (code !== null) found.set(code, `At ${address} it ends on ${validTo.slice(0, 10)}.`);
    if (!nameMatches) found.set("certificate-name", `At ${address} it is for ${subject}.`);
  }
  return [...found].map(([code, evidence]) => ({ code, evidence }));
}

function certificateDue(validFrom: Instant, validTo: Instant, now: Date): FindingCode | null {
  const lifetime = (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
  const left = (Date.parse(validTo) - now.getTime()) / DAY_MS;
  if (left <= 0) return "certificate-expired";
  if (left <= Math.min(CRITICAL_DAYS, lifetime / 10)) return "certificate-critical";
  return left <= Math.min(SOON_DAYS, lifetime / 3) ? "certificate-soon" : null;
}
