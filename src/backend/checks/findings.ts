import type {
  Certificate,
  CheckResults,
  DelegatedServer,
  DelegationResult,
  DnsResult,
} from "../../shared/checks.ts";
import { DAY_MS, type Instant } from "../../shared/day.ts";
import type { CheckKind } from "../../shared/check-summary.ts";
import type { FindingCode } from "../../shared/findings.ts";
import { sourceInWords } from "../../shared/source.ts";
import type { EffectiveExpiry } from "../domains/expiry/expiry.ts";
import { isConclusive } from "../outbound/dns-client.ts";

/** The last answer of each kind, however old. */
export type KnownResults = { readonly [K in CheckKind]?: CheckResults[K] | null };

interface FindingContext {
  /** In A-labels. */
  name: string;
  results: KnownResults;
  /** Of the registry's answer. */
  source: string;
  expires: Pick<EffectiveExpiry, "renewal" | "alternatives"> | null;
  /** Two answers "not found", a day apart, and NXDOMAIN at the parent; null: not known. */
  isGone: boolean | null;
  now: Date;
}

/** Evidence, or null if it is not so. An absent code was not judged: what was known stays. */
export type Judgement = { [C in FindingCode]?: string | null | undefined };

/** The evidence; without any, null if that is certain, undefined if it could not be judged. */
function judge(evidence: string | false | null | undefined, isKnown = true) {
  return evidence || (isKnown ? null : undefined);
}

export function judgeFindings(context: FindingContext): Judgement {
  const { delegation, dns, tls } = context.results;
  return {
    ...judgeRegistration(context),
    ...(delegation && judgeDelegation(delegation)),
    ...(dns && judgeDns(dns)),
    ...(tls && judgeCertificates(tls, context.now)),
  };
}

/** Statuses (RFC 5731, RFC 3915) that are findings by themselves. */
const BY_STATUS = {
  "redemption period": "redemption",
  "pending delete": "pending-delete",
  "client hold": "client-hold",
  "server hold": "server-hold",
  "pending transfer": "pending-transfer",
  "pending restore": "pending-restore",
  "client renew prohibited": "renew-prohibited",
  "server renew prohibited": "renew-prohibited",
} as const satisfies Readonly<Record<string, FindingCode>>;

function judgeRegistration(context: FindingContext): Judgement {
  const { name, results, source, expires, isGone } = context;
  const result = results.registry ?? results.whois ?? null;
  const renewal = expires?.renewal;
  const conflict = expires?.alternatives[0]?.date;
  const unpaid = `The registry’s date is ${result?.expiresAt?.slice(0, 10) ?? "unknown"}.`;
  const judged: Judgement = {
    "auto-renewed-unpaid": judge(renewal === "auto-renewed-unpaid" && unpaid),
    "auto-renewed-unsure": judge(renewal === "auto-renewed-unsure" && unpaid),
    "expiry-conflict": judge(conflict && `Another source says ${conflict}.`),
    "not-registered": judge(
      isGone && `${sourceInWords(source)} does not know it.`,
      isGone !== null,
    ),
  };
  if (isGone === true) return { ...judged, ...judgeStatuses([], false) };
  // "Not found" once takes back no status.
  if (!result?.statuses || result.registered === false) return judged;
  const isRegistered = results.registry?.registered === true;
  const hasLocks = isRegistered && publishesLocks(name, result.statuses);
  return { ...judged, ...judgeStatuses(result.statuses, hasLocks) };
}

/** A registry of a country may publish no lock at all: there, only one that names another tells of it. */
function publishesLocks(name: string, statuses: readonly string[]): boolean {
  const isCountry = /\.(?:[a-z]{2}|xn--[^.]+)$/.test(name);
  return !isCountry || statuses.some((status) => status.endsWith(" prohibited"));
}

/** @param hasLocks Whether the source reports transfer locks. */
function judgeStatuses(statuses: readonly string[], hasLocks: boolean): Judgement {
  const judged: Judgement = {};
  const listed = `Status: ${statuses.join(", ")}`;
  for (const [status, code] of Object.entries(BY_STATUS)) {
    judged[code] ??= statuses.includes(status) ? listed : null;
  }
  // A domain in redemption is "pending delete" too (RFC 3915 §2); it can still be saved.
  const isRestorable = statuses.includes("redemption period");
  if (isRestorable) judged["pending-delete"] = null;
  const isLocked = statuses.some((status) => status.endsWith("transfer prohibited"));
  judged["no-transfer-lock"] = judge(hasLocks && !isLocked && !isRestorable && listed);
  return judged;
}

function judgeDelegation({ ns, servers, unknownHosts, unaskedHosts }: DelegationResult): Judgement {
  const isDelegated = ns.outcome === "data";
  const hosts = unknownHosts.join(", ");
  const unknown = `${hosts} ${unknownHosts.length === 1 ? "is" : "are"} not registered.`;
  return {
    "ns-domain-unregistered": judge(hosts && unknown, unaskedHosts.length === 0),
    "single-server": judge(isDelegated && ns.data.length === 1 && `Only ${ns.data[0]}`),
    ...judgeServers(ns.data, isDelegated ? servers : []),
  };
}

function judgeServers(wanted: readonly string[], servers: readonly DelegatedServer[]): Judgement {
  const { answering = [], unasked = [], lame = [], silent = [] } = Object.groupBy(servers, stateOf);
  const isDown = servers.length > 0 && answering.length + unasked.length === 0;
  const faulty = isDown ? servers : lame;
  const said = faulty.map(({ host, outcome }) => `${host}: ${outcome}`).join(", ");
  const other = answering.find(
    (server) => server.ns !== null && server.ns.join(" ") !== wanted.join(" "),
  );
  const differs =
    other &&
    `The registry has ${wanted.join(", ")}; ${other.host} has ${other.ns?.join(", ") ?? ""}.`;
  const areAllKnown = answering.length === servers.length && servers.every(({ ns }) => ns !== null);
  return {
    "no-server-answers": judge(isDown && said, answering.length > 0 || unasked.length === 0),
    "lame-server": judge(
      !isDown && lame.length > 0 && said,
      isDown || silent.length + unasked.length === 0,
    ),
    "delegation-differs": judge(differs, areAllKnown),
  };
}

function stateOf({ address, outcome, authoritative }: DelegatedServer) {
  if (outcome === "data" && authoritative) return "answering";
  // Its address is not known, or may not be connected to.
  if (address === null && !isConclusive(outcome)) return "unasked";
  const isLame = isConclusive(outcome) ? !authoritative : /^(?:refused|servfail)$/.test(outcome);
  return isLame ? "lame" : "silent";
}

function judgeDns(result: DnsResult): Judgement {
  const { a, aaaa, ds, dnskey, txt, dmarc, dnssecFault, privateAddresses, dangling } = result;
  const areKnown = (...sets: { outcome: string }[]) =>
    sets.every(({ outcome }) => isConclusive(outcome));
  const addresses = `It points to a private address, ${privateAddresses.join(", ")}.`;
  return {
    "dnssec-broken": judge(dnssecFault, areKnown(ds, dnskey)),
    "private-address": judge(privateAddresses.length > 0 && addresses, areKnown(a, aaaa)),
    "dangling-record": judge(dangling?.join(", "), dangling !== null),
    "mail-open": areKnown(txt, dmarc) ? mailFaults(result) : undefined,
  };
}

/** What is wrong with the policies for mail; null for nothing, or a name that does not exist. */
function mailFaults({ txt, dmarc }: DnsResult): string | null {
  if (txt.outcome === "nxdomain") return null;
  const policies = txt.data.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const reports = dmarc.data.filter((text) => /^v=dmarc1\b/i.test(text));
  const lookUps = policies.map(countLookUps);
  const faults = [
    policies.length !== 1 && `${policies.length} SPF records`,
    reports.length !== 1 && `${reports.length} DMARC records`,
    lookUps.some((count) => count > MAX_SPF_LOOK_UPS) &&
      `SPF needs ${Math.max(...lookUps)} look-ups`,
  ].filter((fault) => fault !== false);
  return faults.length > 0 ? faults.join(", ") : null;
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

/** At most this many days before its end a certificate is critical or due; fewer for a short-lived one. */
const CRITICAL_DAYS = 3;
const SOON_DAYS = 14;

function judgeCertificates(certificates: readonly Certificate[], now: Date): Judgement {
  const judged: Judgement = {
    "certificate-expired": null,
    "certificate-critical": null,
    "certificate-soon": null,
    "certificate-name": null,
  };
  for (const { address, validFrom, validTo, nameMatches, subject, seenAt } of certificates) {
    // By the clock alone, a port that is closed for good would get an expired certificate.
    const code = certificateDue(validFrom, validTo, seenAt ?? now.toISOString());
    const verb = code === "certificate-expired" ? "expired" : "expires";
    if (code !== null) judged[code] = `At ${address} it ${verb} on ${validTo.slice(0, 10)}.`;
    if (!nameMatches) judged["certificate-name"] = `At ${address} it is for ${subject}.`;
  }
  return judged;
}

function certificateDue(validFrom: Instant, validTo: Instant, at: Instant): FindingCode | null {
  const lifetime = (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
  const left = (Date.parse(validTo) - Date.parse(at)) / DAY_MS;
  if (left <= 0) return "certificate-expired";
  if (left <= Math.min(CRITICAL_DAYS, lifetime / 10)) return "certificate-critical";
  return left <= Math.min(SOON_DAYS, lifetime / 3) ? "certificate-soon" : null;
}
