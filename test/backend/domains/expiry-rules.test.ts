import { describe, expect, test } from "bun:test";
import {
  decideExpiry,
  type SourceDay,
  type RegistryReport,
} from "../../../src/backend/domains/expiry/expiry-rules.ts";

const AUTO_RENEW = ["auto renew period"];

function registry(
  date: string,
  movedAt: string | null,
  statuses: readonly string[] = [],
): RegistryReport {
  return {
    date,
    source: "rdap:registry",
    observedAt: "2026-11-20T00:00:00.000Z",
    movedAt,
    statuses,
  };
}

function registrar(date: string, observedAt: string): SourceDay {
  return { date, source: "GoDaddy", observedAt: `${observedAt}T12:00:00.000Z` };
}

/** A row of the table: what is known, today, and the day, rule and finding that have to come of it. */
interface Case {
  name: string;
  manual?: SourceDay;
  registry?: RegistryReport;
  registrar?: SourceDay | SourceDay[];
  whois?: SourceDay;
  today?: string;
  date: string | null;
  rule: number;
  finding?: string;
  conflict?: string;
}

const MOVED = "2026-11-02T10:00:00.000Z";
const manual = { date: "2027-01-01", source: "manual", observedAt: "2026-11-10T00:00:00.000Z" };
const whois = {
  date: "2027-05-05",
  source: "whois:whois.nic.it",
  observedAt: "2026-11-20T00:00:00.000Z",
};

const CASES: Case[] = [
  { name: "a day set by hand", manual, date: "2027-01-01", rule: 1 },
  {
    name: "a day set by hand and an earlier report",
    manual,
    registrar: registrar("2028-01-01", "2026-11-09"),
    date: "2027-01-01",
    rule: 1,
  },
  {
    name: "a day set by hand and a later report",
    manual,
    registrar: registrar("2028-01-01", "2026-11-11"),
    date: "2027-01-01",
    rule: 1,
    conflict: "2028-01-01",
  },
  {
    name: "a day set by hand and a later report two days off",
    manual,
    registrar: registrar("2027-01-03", "2026-11-11"),
    date: "2027-01-01",
    rule: 1,
  },
  {
    name: "a day set by hand and a later report three days off",
    manual,
    registrar: registrar("2027-01-04", "2026-11-11"),
    date: "2027-01-01",
    rule: 1,
    conflict: "2027-01-04",
  },
  {
    name: "the auto-renew period alone",
    registry: registry("2027-11-02", MOVED, AUTO_RENEW),
    date: "2026-11-02",
    rule: 2,
    finding: "auto-renewed-unpaid",
  },
  {
    name: "the auto-renew period of 29 February",
    registry: registry("2028-02-29", null, AUTO_RENEW),
    date: "2027-02-28",
    rule: 2,
    finding: "auto-renewed-unpaid",
  },
  {
    name: "the auto-renew period and an export from before it",
    registry: registry("2027-11-02", MOVED, AUTO_RENEW),
    registrar: registrar("2026-11-02", "2026-11-01"),
    date: "2026-11-02",
    rule: 2,
    finding: "auto-renewed-unpaid",
  },
  {
    name: "the auto-renew period without an instant, and an export of the first day after it",
    registry: registry("2027-11-02", null, AUTO_RENEW),
    registrar: registrar("2027-11-02", "2026-11-02"),
    date: "2027-11-02",
    rule: 3,
  },
  {
    name: "the registrar agrees in the auto-renew period",
    registry: registry("2027-11-02", MOVED, AUTO_RENEW),
    registrar: registrar("2027-11-02", "2026-11-03"),
    date: "2027-11-02",
    rule: 3,
  },
  {
    name: "the registry alone",
    registry: registry("2027-11-02", null),
    date: "2027-11-02",
    rule: 3,
  },
  {
    name: "two days apart",
    registry: registry("2027-11-02", null),
    registrar: registrar("2027-11-04", "2026-11-03"),
    date: "2027-11-02",
    rule: 3,
  },
  {
    name: "three days apart",
    registry: registry("2027-11-02", null),
    registrar: registrar("2027-11-05", "2026-11-03"),
    date: "2027-11-02",
    rule: 10,
    conflict: "2027-11-05",
  },
  {
    name: "the registrar says a year less, on the last day of the grace period",
    registry: registry("2027-11-02", MOVED),
    registrar: registrar("2026-11-02", "2026-11-03"),
    today: "2026-12-17",
    date: "2026-11-02",
    rule: 4,
    finding: "auto-renewed-unpaid",
  },
  {
    name: "the registrar says a year less, a day after the grace period",
    registry: registry("2027-11-02", MOVED),
    registrar: registrar("2026-11-02", "2026-11-03"),
    today: "2026-12-18",
    date: "2027-11-02",
    rule: 7,
  },
  {
    name: "the registrar says a year less after the grace period, still in the auto-renew period",
    registry: registry("2027-11-02", MOVED, AUTO_RENEW),
    registrar: registrar("2026-11-02", "2026-11-03"),
    today: "2027-01-18",
    date: "2026-11-02",
    rule: 4,
    finding: "auto-renewed-unpaid",
  },
  {
    name: "the registrar says a year and two days less",
    registry: registry("2027-11-02", MOVED),
    registrar: registrar("2026-10-31", "2026-11-03"),
    date: "2026-10-31",
    rule: 4,
    finding: "auto-renewed-unpaid",
  },
  {
    name: "the registrar says a year and three days less",
    registry: registry("2027-11-02", MOVED),
    registrar: registrar("2026-10-30", "2026-11-03"),
    date: "2026-10-30",
    rule: 10,
    conflict: "2027-11-02",
  },
  {
    name: "renewed two days before the registrar's day",
    registry: registry("2027-11-04", MOVED),
    registrar: registrar("2026-11-04", "2026-10-01"),
    date: "2027-11-04",
    rule: 5,
  },
  {
    name: "renewed one day before the registrar's day",
    registry: registry("2027-11-03", MOVED),
    registrar: registrar("2026-11-03", "2026-10-01"),
    date: "2027-11-03",
    rule: 10,
    conflict: "2026-11-03",
  },
  {
    name: "moved on the registrar's day",
    registry: registry("2027-11-02", MOVED),
    registrar: registrar("2026-11-02", "2026-10-01"),
    date: "2026-11-02",
    rule: 6,
    finding: "auto-renewed-unsure",
  },
  {
    name: "moved three days after the registrar's day",
    registry: registry("2027-10-30", MOVED),
    registrar: registrar("2026-10-30", "2026-10-01"),
    date: "2026-10-30",
    rule: 6,
    finding: "auto-renewed-unsure",
  },
  {
    name: "moved four days after the registrar's day",
    registry: registry("2027-10-29", MOVED),
    registrar: registrar("2026-10-29", "2026-10-01"),
    date: "2027-10-29",
    rule: 10,
    conflict: "2026-10-29",
  },
  {
    name: "moved at the expiry, on the last day of the grace period",
    registry: registry("2027-11-02", MOVED),
    registrar: registrar("2026-11-02", "2026-10-01"),
    today: "2026-12-17",
    date: "2026-11-02",
    rule: 6,
    finding: "auto-renewed-unsure",
  },
  {
    name: "moved at the expiry, and kept beyond the grace period",
    registry: registry("2027-11-02", MOVED),
    registrar: registrar("2026-11-02", "2026-10-01"),
    today: "2026-12-18",
    date: "2027-11-02",
    rule: 7,
  },
  {
    name: "moved at the expiry, and on hold beyond the grace period",
    registry: registry("2027-11-02", MOVED, ["client hold"]),
    registrar: registrar("2026-11-02", "2026-10-01"),
    today: "2026-12-18",
    date: "2027-11-02",
    rule: 10,
    conflict: "2026-11-02",
  },
  {
    name: "the registrar has booked two years that the registry has not",
    registry: registry("2027-03-01", null),
    registrar: registrar("2029-03-01", "2026-11-03"),
    date: "2029-03-01",
    rule: 8,
  },
  {
    name: "the registrar has booked a year, and the registry's day is today",
    registry: registry("2026-11-22", null),
    registrar: registrar("2027-11-22", "2026-11-03"),
    date: "2026-11-22",
    rule: 10,
    conflict: "2027-11-22",
  },
  {
    name: "a registry that publishes no date",
    registrar: registrar("2027-03-01", "2026-11-03"),
    whois,
    date: "2027-03-01",
    rule: 9,
    conflict: "2027-05-05",
  },
  { name: "whois alone", whois, date: "2027-05-05", rule: 9 },
  {
    name: "two exports that agree within two days",
    registrar: [registrar("2027-03-01", "2026-11-03"), registrar("2027-03-03", "2026-10-03")],
    date: "2027-03-01",
    rule: 9,
  },
  {
    name: "two exports that disagree",
    registrar: [registrar("2027-03-01", "2026-11-03"), registrar("2027-03-04", "2026-10-03")],
    date: "2027-03-01",
    rule: 9,
    conflict: "2027-03-04",
  },
  {
    name: "a registrar's word that is newer than the registry's change",
    registry: registry("2027-03-01", "2026-09-01T00:00:00.000Z"),
    registrar: registrar("2026-12-24", "2026-11-03"),
    date: "2026-12-24",
    rule: 10,
    conflict: "2027-03-01",
  },
  { name: "nothing", date: null, rule: 0 },
];

describe("decideExpiry", () => {
  test.each(CASES)("$name", (given) => {
    const { registrar: reports = [], today = "2026-11-22" } = given;
    const expiry = decideExpiry(
      {
        manual: given.manual ?? null,
        registry: given.registry ?? null,
        registrar: [reports].flat(),
        whois: given.whois ?? null,
      },
      today,
    );
    expect(expiry?.date ?? null).toBe(given.date);
    expect(expiry?.rule ?? 0).toBe(given.rule);
    expect<string | null>(expiry?.finding ?? null).toBe(given.finding ?? null);
    expect(expiry?.conflict ?? null).toBe(given.conflict ?? null);
  });
});
