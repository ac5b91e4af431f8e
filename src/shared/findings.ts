import type { Severity } from "./check-summary.ts";

/** What is wrong with a domain: codes, how bad they are, and what they are called. */

/** Every finding by its code, the worst first. `registrar-…`, but for `-changed`, is a meaning of its status. */
export const FINDINGS = {
  redemption: { severity: "critical", label: "Deleted by the registrar, still restorable" },
  "registrar-redemption": { severity: "critical", label: "In redemption at the registrar" },
  "pending-delete": { severity: "critical", label: "About to be deleted" },
  "registrar-pending-delete": {
    severity: "critical",
    label: "About to be deleted at the registrar",
  },
  "client-hold": { severity: "critical", label: "Suspended by the registrar" },
  "server-hold": { severity: "critical", label: "Suspended by the registry" },
  "registrar-on-hold": { severity: "critical", label: "On hold at the registrar" },
  "auto-renewed-unpaid": { severity: "critical", label: "Renewed by the registry, not paid" },
  "not-registered": { severity: "critical", label: "Not registered" },
  "registrar-cancelled": { severity: "critical", label: "Cancelled at the registrar" },
  "no-server-answers": { severity: "critical", label: "No name server answers" },
  "ns-domain-unregistered": {
    severity: "critical",
    label: "Name server on an unregistered domain",
  },
  "dnssec-broken": { severity: "critical", label: "DNSSEC fails" },
  "certificate-expired": { severity: "critical", label: "Certificate expired" },
  "certificate-critical": { severity: "critical", label: "Certificate about to expire" },
  "pending-transfer": { severity: "high", label: "Transfer to another registrar requested" },
  "lame-server": { severity: "high", label: "A name server does not serve the domain" },
  "auto-renewed-unsure": { severity: "high", label: "Probably renewed by the registry only" },
  "certificate-soon": { severity: "high", label: "Certificate expires soon" },
  "certificate-name": { severity: "high", label: "Certificate is for another name" },
  "private-address": { severity: "high", label: "Points to a private address" },
  "pending-restore": { severity: "high", label: "Restoration is not complete" },
  "delegation-differs": { severity: "medium", label: "Registry and name servers disagree" },
  "single-server": { severity: "medium", label: "Only one name server" },
  "dangling-record": { severity: "medium", label: "A record leads nowhere" },
  "expiry-conflict": { severity: "medium", label: "Conflicting expiry dates" },
  "not-checked": { severity: "medium", label: "Not checked for 7 days" },
  "renew-prohibited": { severity: "medium", label: "Renewal is prohibited" },
  "no-transfer-lock": { severity: "low", label: "No transfer lock" },
  "mail-open": { severity: "low", label: "Others can send mail in its name" },
  "registrar-changed": { severity: "low", label: "Registrar has changed" },
  "name-servers-changed": { severity: "low", label: "Name servers have changed" },
} as const satisfies Readonly<Record<string, { severity: Severity; label: string }>>;

export type FindingCode = keyof typeof FINDINGS;
