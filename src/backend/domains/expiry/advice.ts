import type { FindingCode } from "../../../shared/findings.ts";
import { HOLDS } from "../../../shared/advice.ts";

/**
 * One sentence or two that say what to do about a finding.
 *
 * @param isOver The domain's due day has passed.
 */
export function findingAdvice(code: FindingCode, isOver: boolean): string {
  if (isOver && HOLDS.includes(code)) return "It has expired: renew it at the registrar now.";
  return ADVICE[code];
}

const ADVICE: Readonly<Record<FindingCode, string>> = {
  redemption:
    "Ask the registrar to restore the domain now: redemption lasts about 30 days and costs extra.",
  "pending-delete":
    "It can no longer be restored at most registries. Ask the registrar today, and be ready to register it again.",
  "client-hold":
    "The domain does not resolve. Ask the registrar why: often an unverified contact address or an unpaid bill.",
  "server-hold":
    "The domain does not resolve. Ask the registrar why the registry has suspended it.",
  "auto-renewed-unpaid":
    "The registry added a year by itself. Unless the renewal is paid, the registrar can give the domain back: pay it now.",
  "not-registered":
    "The registry does not know this domain. Register it again if you still want it, or delete it here.",
  "no-server-answers":
    "Website and mail are out of reach. Check the name servers at your DNS provider.",
  "ns-domain-unregistered":
    "Anyone who registers that domain controls this one. Change the name servers at the registrar now.",
  "dnssec-broken":
    "Validating resolvers refuse the domain. Correct the DS record at the registrar, or remove it.",
  "certificate-expired": "Browsers refuse the website. Renew the certificate on the web server.",
  "certificate-critical":
    "Its automatic renewal has failed or was never set up. Renew the certificate on the web server.",
  "registrar-cancelled": "Restore it there, or mark it Drop.",
  "registrar-on-hold":
    "Ask there why: often an unverified contact address or an unpaid bill. Or mark it Drop.",
  "registrar-redemption": "Restore it there now, which costs extra, or mark it Drop.",
  "registrar-pending-delete": "Ask there today whether it can still be restored, or mark it Drop.",
  "pending-transfer": "If it was not you, reject the transfer at the registrar within five days.",
  "lame-server": "Remove that name server at the registrar, or set up the zone there.",
  "auto-renewed-unsure":
    "Check at the registrar that the renewal is paid, or import its latest list.",
  "certificate-soon": "See why it has not been renewed automatically yet.",
  "certificate-name": "Add this name to the certificate of the web server.",
  "private-address":
    "It cannot be reached from outside, and reveals an address of your network. Correct the A or AAAA record.",
  "pending-restore": "The registrar must send its report within seven days. Ask whether it has.",
  "delegation-differs": "Enter the same name servers at the registrar and in the zone.",
  "single-server": "Add a second name server in another network.",
  "dangling-record": "Remove the record, or set up what it points to.",
  "expiry-conflict": "See at the registrar which date is right, and choose it here.",
  "renew-prohibited": "Ask the registrar to remove the status before the domain expires.",
  "not-checked":
    "Its dates come from you and your imports only. “Live checks” shows which servers can’t be reached.",
  "no-transfer-lock": "Turn on the transfer lock at the registrar.",
  "mail-open":
    "Publish one SPF record and one DMARC record; for a domain without mail, “v=spf1 -all”.",
  "registrar-changed": "If it was not you, ask both registrars at once.",
  "name-servers-changed": "If it was not you, check who has access to the registrar’s account.",
};

/** What a row of the list calls a finding; those of low severity, and what its status says, are not there. */
export const SHORT_LABELS: Readonly<Record<string, string>> = {
  redemption: "Redemption",
  "pending-delete": "Pending delete",
  "client-hold": "On hold",
  "server-hold": "On hold",
  "auto-renewed-unpaid": "Not paid",
  "not-registered": "Not registered",
  "no-server-answers": "No DNS",
  "ns-domain-unregistered": "DNS at risk",
  "dnssec-broken": "DNSSEC fails",
  "certificate-expired": "Certificate",
  "certificate-critical": "Certificate",
  "registrar-cancelled": "Cancelled",
  "registrar-on-hold": "On hold",
  "registrar-redemption": "Redemption",
  "registrar-pending-delete": "Pending delete",
  "pending-transfer": "Transfer",
  "lame-server": "DNS server",
  "auto-renewed-unsure": "Paid?",
  "certificate-soon": "Certificate",
  "certificate-name": "Certificate",
  "private-address": "Private address",
  "pending-restore": "Restoring",
  "delegation-differs": "DNS differs",
  "single-server": "One DNS server",
  "dangling-record": "Dead record",
  "not-checked": "Not checked",
  "renew-prohibited": "Not renewable",
};
