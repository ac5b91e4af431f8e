/** What the checks find wrong with a domain: codes, how bad they are, and what to do about them. */

/** Worst first. */
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;
export type Severity = (typeof SEVERITIES)[number];

interface FindingSpec {
  severity: Severity;
  /** What it is, as a heading. */
  label: string;
  /** One sentence that says what to do. */
  advice: string;
}

/** Every finding by its code. */
export const FINDINGS = {
  redemption: {
    severity: "critical",
    label: "Deleted by the registrar, still restorable",
    advice:
      "Ask the registrar to restore the domain now: redemption lasts about 30 days and costs extra.",
  },
  "pending-delete": {
    severity: "critical",
    label: "About to be deleted",
    advice:
      "It can no longer be restored at most registries. Ask the registrar today, and be ready to register it anew.",
  },
  "client-hold": {
    severity: "critical",
    label: "Suspended by the registrar",
    advice:
      "The domain does not resolve. Ask the registrar why: often an unverified contact address or an unpaid bill.",
  },
  "server-hold": {
    severity: "critical",
    label: "Suspended by the registry",
    advice: "The domain does not resolve. Ask the registrar why the registry has suspended it.",
  },
  "auto-renewed-unpaid": {
    severity: "critical",
    label: "Renewed by the registry, not paid",
    advice:
      "The registry added a year by itself. Unless the renewal is paid, the registrar can give the domain back: pay it now.",
  },
  "not-registered": {
    severity: "critical",
    label: "Not registered",
    advice:
      "The registry does not know this domain. Register it again if you still want it, or delete it here.",
  },
  "no-server-answers": {
    severity: "critical",
    label: "No name server answers",
    advice: "Website and mail are out of reach. Check the name servers at your DNS provider.",
  },
  "ns-domain-unregistered": {
    severity: "critical",
    label: "Name server on an unregistered domain",
    advice:
      "Whoever registers that domain controls this one. Change the name servers at the registrar now.",
  },
  "dnssec-broken": {
    severity: "critical",
    label: "DNSSEC fails",
    advice:
      "Validating resolvers refuse the domain. Correct the DS record at the registrar, or remove it.",
  },
  "certificate-expired": {
    severity: "critical",
    label: "Certificate expired",
    advice: "Browsers refuse the website. Renew the certificate on the web server.",
  },
  "certificate-critical": {
    severity: "critical",
    label: "Certificate expires in days",
    advice:
      "Its automatic renewal has failed or there is none. Renew the certificate on the web server.",
  },
  "pending-transfer": {
    severity: "high",
    label: "Transfer to another registrar requested",
    advice: "If it was not you, reject the transfer at the registrar within five days.",
  },
  "lame-server": {
    severity: "high",
    label: "A name server does not serve the domain",
    advice: "Remove that name server at the registrar, or set up the zone there.",
  },
  "auto-renewed-unsure": {
    severity: "high",
    label: "Probably renewed by the registry only",
    advice: "Check at the registrar that the renewal is paid, or import its latest list.",
  },
  "certificate-soon": {
    severity: "high",
    label: "Certificate expires soon",
    advice: "See why it has not been renewed automatically yet.",
  },
  "certificate-name": {
    severity: "high",
    label: "Certificate is for another name",
    advice: "Add this name to the certificate of the web server.",
  },
  "private-address": {
    severity: "high",
    label: "Points to a private address",
    advice:
      "Nobody outside can reach it, and it tells about your network. Correct the A or AAAA record.",
  },
  "pending-restore": {
    severity: "high",
    label: "Restoration is not complete",
    advice: "The registrar must send its report within seven days. Ask whether it has.",
  },
  "delegation-differs": {
    severity: "medium",
    label: "Registry and name servers disagree",
    advice: "Enter the same name servers at the registrar and in the zone.",
  },
  "single-server": {
    severity: "medium",
    label: "Only one name server",
    advice: "Add a second name server in another network.",
  },
  "dangling-record": {
    severity: "medium",
    label: "A record leads nowhere",
    advice: "Remove the record, or set up what it points to.",
  },
  "expiry-conflict": {
    severity: "medium",
    label: "Conflicting expiry dates",
    advice: "See at the registrar which date is right, and choose it here.",
  },
  "renew-prohibited": {
    severity: "medium",
    label: "Renewal is prohibited",
    advice: "Ask the registrar to remove the status before the domain expires.",
  },
  "no-transfer-lock": {
    severity: "low",
    label: "No transfer lock",
    advice: "Turn on the transfer lock at the registrar.",
  },
  "mail-open": {
    severity: "low",
    label: "Others can send mail in its name",
    advice:
      "Publish one SPF record and one DMARC record; for a domain without mail, “v=spf1 -all”.",
  },
  "registrar-changed": {
    severity: "low",
    label: "Registrar has changed",
    advice: "If it was not you, ask both registrars at once.",
  },
  "name-servers-changed": {
    severity: "low",
    label: "Name servers have changed",
    advice: "If it was not you, check who has access to the registrar’s account.",
  },
} as const satisfies Readonly<Record<string, FindingSpec>>;

export type FindingCode = keyof typeof FINDINGS;
