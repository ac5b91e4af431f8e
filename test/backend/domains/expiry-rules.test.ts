import { expect, test } from "bun:test";
import {
  decideExpiry,
  type RegistryReport,
  type SourceDay,
} from "../../../src/backend/domains/expiry/expiry-rules.ts";

const AUTO = "auto renew period";
const UNPAID = "auto-renewed-unpaid";
const UNSURE = "auto-renewed-unsure";

/** The registry's date, as in the table of the README. */
function E(date: string, movedAt: string | null, ...statuses: string[]): RegistryReport {
  const observedAt = "2026-11-20T00:00:00.000Z";
  return { date, source: "rdap:registry", observedAt, movedAt, statuses };
}

/** The registrar's own word. */
function R(date: string, day: string): SourceDay {
  return { date, source: "GoDaddy", observedAt: `${day}T12:00:00.000Z` };
}

/** What is known, what has to come of it, and today where it matters. */
type Case = [
  known: Parameters<typeof decideExpiry>[0],
  is: { date: string; rule: number; finding?: string; conflict?: string } | null,
  today?: string,
];

const MOVED = "2026-11-02T10:00:00.000Z";
const manual = { date: "2027-01-01", source: "manual", observedAt: "2026-11-10T00:00:00.000Z" };
const whois = {
  date: "2027-05-05",
  source: "whois:whois.nic.it",
  observedAt: "2026-11-20T00:00:00.000Z",
};

const CASES: Record<string, Case> = {
  "a day set by hand": [{ manual }, { date: "2027-01-01", rule: 1 }],
  "a day set by hand and an earlier report": [
    { manual, registrar: [R("2028-01-01", "2026-11-09")] },
    { date: "2027-01-01", rule: 1 },
  ],
  "a day set by hand and a later report": [
    { manual, registrar: [R("2028-01-01", "2026-11-11")] },
    { date: "2027-01-01", rule: 1, conflict: "2028-01-01" },
  ],
  "a day set by hand and a later report two days off": [
    { manual, registrar: [R("2027-01-03", "2026-11-11")] },
    { date: "2027-01-01", rule: 1 },
  ],
  "a day set by hand and a later report three days off": [
    { manual, registrar: [R("2027-01-04", "2026-11-11")] },
    { date: "2027-01-01", rule: 1, conflict: "2027-01-04" },
  ],
  "the auto-renew period alone": [
    { registry: E("2027-11-02", MOVED, AUTO) },
    { date: "2026-11-02", rule: 2, finding: UNPAID },
  ],
  "the auto-renew period of 29 February": [
    { registry: E("2028-02-29", null, AUTO) },
    { date: "2027-02-28", rule: 2, finding: UNPAID },
  ],
  "the auto-renew period and an export from before it": [
    { registry: E("2027-11-02", MOVED, AUTO), registrar: [R("2026-11-02", "2026-11-01")] },
    { date: "2026-11-02", rule: 2, finding: UNPAID },
  ],
  "the auto-renew period without an instant, and an export of the first day after it": [
    { registry: E("2027-11-02", null, AUTO), registrar: [R("2027-11-02", "2026-11-02")] },
    { date: "2027-11-02", rule: 3 },
  ],
  "the registrar agrees in the auto-renew period": [
    { registry: E("2027-11-02", MOVED, AUTO), registrar: [R("2027-11-02", "2026-11-03")] },
    { date: "2027-11-02", rule: 3 },
  ],
  "the registry alone": [{ registry: E("2027-11-02", null) }, { date: "2027-11-02", rule: 3 }],
  "two days apart": [
    { registry: E("2027-11-02", null), registrar: [R("2027-11-04", "2026-11-03")] },
    { date: "2027-11-02", rule: 3 },
  ],
  "three days apart": [
    { registry: E("2027-11-02", null), registrar: [R("2027-11-05", "2026-11-03")] },
    { date: "2027-11-02", rule: 10, conflict: "2027-11-05" },
  ],
  "the registrar says a year less, on the last day of the grace period": [
    { registry: E("2027-11-02", MOVED), registrar: [R("2026-11-02", "2026-11-03")] },
    { date: "2026-11-02", rule: 4, finding: UNPAID },
    "2026-12-17",
  ],
  "the registrar says a year less, a day after the grace period": [
    { registry: E("2027-11-02", MOVED), registrar: [R("2026-11-02", "2026-11-03")] },
    { date: "2027-11-02", rule: 7 },
    "2026-12-18",
  ],
  "the registrar says a year less after the grace period, still in the auto-renew period": [
    { registry: E("2027-11-02", MOVED, AUTO), registrar: [R("2026-11-02", "2026-11-03")] },
    { date: "2026-11-02", rule: 4, finding: UNPAID },
    "2027-01-18",
  ],
  "the registrar says a year and two days less": [
    { registry: E("2027-11-02", MOVED), registrar: [R("2026-10-31", "2026-11-03")] },
    { date: "2026-10-31", rule: 4, finding: UNPAID },
  ],
  "the registrar says a year and three days less": [
    { registry: E("2027-11-02", MOVED), registrar: [R("2026-10-30", "2026-11-03")] },
    { date: "2026-10-30", rule: 10, conflict: "2027-11-02" },
  ],
  "renewed two days before the registrar's day": [
    { registry: E("2027-11-04", MOVED), registrar: [R("2026-11-04", "2026-10-01")] },
    { date: "2027-11-04", rule: 5 },
  ],
  "renewed one day before the registrar's day": [
    { registry: E("2027-11-03", MOVED), registrar: [R("2026-11-03", "2026-10-01")] },
    { date: "2027-11-03", rule: 10, conflict: "2026-11-03" },
  ],
  "moved on the registrar's day": [
    { registry: E("2027-11-02", MOVED), registrar: [R("2026-11-02", "2026-10-01")] },
    { date: "2026-11-02", rule: 6, finding: UNSURE },
  ],
  "moved three days after the registrar's day": [
    { registry: E("2027-10-30", MOVED), registrar: [R("2026-10-30", "2026-10-01")] },
    { date: "2026-10-30", rule: 6, finding: UNSURE },
  ],
  "moved four days after the registrar's day": [
    { registry: E("2027-10-29", MOVED), registrar: [R("2026-10-29", "2026-10-01")] },
    { date: "2027-10-29", rule: 10, conflict: "2026-10-29" },
  ],
  "moved at the expiry, on the last day of the grace period": [
    { registry: E("2027-11-02", MOVED), registrar: [R("2026-11-02", "2026-10-01")] },
    { date: "2026-11-02", rule: 6, finding: UNSURE },
    "2026-12-17",
  ],
  "moved at the expiry, and kept beyond the grace period": [
    { registry: E("2027-11-02", MOVED), registrar: [R("2026-11-02", "2026-10-01")] },
    { date: "2027-11-02", rule: 7 },
    "2026-12-18",
  ],
  "moved at the expiry, and on hold beyond the grace period": [
    { registry: E("2027-11-02", MOVED, "client hold"), registrar: [R("2026-11-02", "2026-10-01")] },
    { date: "2027-11-02", rule: 10, conflict: "2026-11-02" },
    "2026-12-18",
  ],
  "the registrar has booked two years that the registry has not": [
    { registry: E("2027-03-01", null), registrar: [R("2029-03-01", "2026-11-03")] },
    { date: "2029-03-01", rule: 8 },
  ],
  "the registrar has booked a year, and the registry's day is today": [
    { registry: E("2026-11-22", null), registrar: [R("2027-11-22", "2026-11-03")] },
    { date: "2026-11-22", rule: 10, conflict: "2027-11-22" },
  ],
  "a registry that publishes no date": [
    { registrar: [R("2027-03-01", "2026-11-03")], whois },
    { date: "2027-03-01", rule: 9, conflict: "2027-05-05" },
  ],
  "whois alone": [{ whois }, { date: "2027-05-05", rule: 9 }],
  "two exports that agree within two days": [
    { registrar: [R("2027-03-01", "2026-11-03"), R("2027-03-03", "2026-10-03")] },
    { date: "2027-03-01", rule: 9 },
  ],
  "two exports that disagree": [
    { registrar: [R("2027-03-01", "2026-11-03"), R("2027-03-04", "2026-10-03")] },
    { date: "2027-03-01", rule: 9, conflict: "2027-03-04" },
  ],
  "a registrar's word that is newer than the registry's change": [
    {
      registry: E("2027-03-01", "2026-09-01T00:00:00.000Z"),
      registrar: [R("2026-12-24", "2026-11-03")],
    },
    { date: "2026-12-24", rule: 10, conflict: "2027-03-01" },
  ],
  nothing: [{}, null],
};

test.each(Object.entries(CASES))("decideExpiry: %s", (_, [known, is, today = "2026-11-22"]) => {
  const decided: unknown = decideExpiry(known, today);
  expect(decided).toEqual(is && expect.objectContaining({ finding: null, conflict: null, ...is }));
});
