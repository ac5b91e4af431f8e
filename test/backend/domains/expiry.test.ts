import { describe, expect, test } from "bun:test";
import { effectiveExpiry, type ExpiryReport } from "../../../src/backend/domains/expiry/expiry.ts";

/** The registry's date, as in the table of the README of `checks/`. */
function E(date: string, movedAt: string | null, ...statuses: string[]): ExpiryReport {
  const observedAt = "2026-11-20T00:00:00.000Z";
  return { source: "rdap:registry", date, observedAt, registry: { movedAt, statuses } };
}

/** The registrar's own word, or another's, on a day of 2026. */
function R(date: string | null, day: string, source = "GoDaddy"): ExpiryReport {
  return { source, date, observedAt: `2026-${day}T12:00:00.000Z` };
}

const AUTO = "auto renew period";
const MOVED = "2026-11-02T10:00:00.000Z";
const YEAR_MORE = E("2027-11-02", MOVED);
const AUTO_RENEWED = E("2027-11-02", MOVED, AUTO);
const MANUAL = R("2027-01-01", "11-10", "manual");
const ACCOUNT = (day: string) => R("2026-11-02", day, "account:gandi:a");
const ANSWER = R("2027-11-02", "11-25", "rdap-registrar:rdap.test");
const WHOIS = R("2027-05-05", "11-20", "whois:whois.nic.it");

/** What is reported; the rule that decides, its day, what it finds and the day in conflict; today. */
const CASES: [what: string, reports: ExpiryReport[], is: string, today?: string][] = [
  ["a day set by hand", [MANUAL], "1 2027-01-01"],
  ["a report before it", [R("2028-01-01", "11-09"), MANUAL], "1 2027-01-01"],
  ["a report after it", [MANUAL, R("2028-01-01", "11-11")], "1 2027-01-01 or 2028-01-01"],
  ["one that is two days off", [MANUAL, R("2027-01-03", "11-11")], "1 2027-01-01"],
  ["three days off", [MANUAL, R("2027-01-04", "11-11")], "1 2027-01-01 or 2027-01-04"],
  [
    "a pin after a conflict",
    [R("2028-01-01", "11-08", "a.csv"), R("2027-06-01", "11-09"), MANUAL],
    "1 2027-01-01",
  ],
  [
    "one that has agreed since",
    [MANUAL, R("2028-01-01", "11-11"), R("2027-01-01", "11-12")],
    "1 2027-01-01",
  ],
  [
    "it is withdrawn",
    [MANUAL, R("2028-01-01", "11-11"), R(null, "11-12", "manual")],
    "9 2028-01-01",
  ],
  ["the auto-renew period alone", [AUTO_RENEWED], "2 2026-11-02 unpaid"],
  ["that of 29 February", [E("2028-02-29", null, AUTO)], "2 2027-02-28 unpaid"],
  ["an export before it", [AUTO_RENEWED, R("2026-11-02", "11-01")], "2 2026-11-02 unpaid"],
  [
    "an export of its first day",
    [E("2027-11-02", null, AUTO), R("2027-11-02", "11-02")],
    "3 2027-11-02",
  ],
  ["one that agrees in it", [AUTO_RENEWED, R("2027-11-02", "11-03")], "3 2027-11-02"],
  ["the registry alone", [E("2027-11-02", null)], "3 2027-11-02"],
  [
    "one that has moved to another server",
    [R("2027-01-01", "11-01", "rdap:old.test"), R("2029-01-01", "11-09", "rdap:new.test")],
    "3 2029-01-01",
  ],
  ["two days apart", [E("2027-11-02", null), R("2027-11-04", "11-03")], "3 2027-11-02"],
  [
    "three days apart",
    [E("2027-11-02", null), R("2027-11-05", "11-03")],
    "10 2027-11-02 or 2027-11-05",
  ],
  // The registrar says a year less, until the grace period is over, and later only with the registry.
  ["a year less", [YEAR_MORE, R("2026-11-02", "11-03")], "4 2026-11-02 unpaid", "2026-12-17"],
  ["a year less, then", [YEAR_MORE, R("2026-11-02", "11-03")], "7 2027-11-02", "2026-12-18"],
  [
    "a year less, still in the auto-renew period",
    [AUTO_RENEWED, R("2026-11-02", "11-03")],
    "4 2026-11-02 unpaid",
    "2027-01-18",
  ],
  ["a year and two days less", [YEAR_MORE, R("2026-10-31", "11-03")], "4 2026-10-31 unpaid"],
  ["and three days", [YEAR_MORE, R("2026-10-30", "11-03")], "10 2026-10-30 or 2027-11-02"],
  // An account is the registrar's own answer, until it says no more after the registry: it is gone.
  ["an account", [AUTO_RENEWED, ACCOUNT("11-22"), ANSWER], "4 2026-11-02 unpaid", "2027-02-01"],
  [
    "an account that is gone",
    [ACCOUNT("11-01"), AUTO_RENEWED, ANSWER],
    "3 2027-11-02",
    "2027-02-01",
  ],
  // The registry moved some days before the registrar's day, on it, or after it.
  ["two before", [E("2027-11-04", MOVED), R("2026-11-04", "10-01")], "5 2027-11-04"],
  ["one before", [E("2027-11-03", MOVED), R("2026-11-03", "10-01")], "10 2027-11-03 or 2026-11-03"],
  ["that day", [YEAR_MORE, R("2026-11-02", "10-01")], "6 2026-11-02 unsure"],
  ["three after", [E("2027-10-30", MOVED), R("2026-10-30", "10-01")], "6 2026-10-30 unsure"],
  ["four after", [E("2027-10-29", MOVED), R("2026-10-29", "10-01")], "10 2027-10-29 or 2026-10-29"],
  [
    "that day, in grace",
    [YEAR_MORE, R("2026-11-02", "10-01")],
    "6 2026-11-02 unsure",
    "2026-12-17",
  ],
  ["that day, kept since", [YEAR_MORE, R("2026-11-02", "10-01")], "7 2027-11-02", "2026-12-18"],
  [
    "that day, on hold since",
    [E("2027-11-02", MOVED, "client hold"), R("2026-11-02", "10-01")],
    "10 2027-11-02 or 2026-11-02",
    "2026-12-18",
  ],
  ["two years booked ahead", [E("2027-03-01", null), R("2029-03-01", "11-03")], "8 2029-03-01"],
  [
    "one, on the day",
    [E("2026-11-22", null), R("2027-11-22", "11-03")],
    "10 2026-11-22 or 2027-11-22",
  ],
  ["no registry", [R("2027-03-01", "11-03"), WHOIS], "9 2027-03-01 or 2027-05-05"],
  ["whois alone", [WHOIS], "9 2027-05-05"],
  [
    "exports that agree",
    [R("2027-03-03", "10-03", "b.csv"), R("2027-03-01", "11-03")],
    "9 2027-03-01",
  ],
  [
    "exports that disagree",
    [R("2027-03-04", "10-03", "b.csv"), R("2027-03-01", "11-03")],
    "9 2027-03-01 or 2027-03-04",
  ],
  [
    "a registrar's word that is newer than the registry's change",
    [E("2027-03-01", "2026-09-01T00:00:00.000Z"), R("2026-12-24", "11-03")],
    "10 2026-12-24 or 2027-03-01",
  ],
];

describe("effectiveExpiry", () => {
  test.each(CASES)("%s", (_, reports, is, today = "2026-11-22") => {
    const { rule, date, renewal, alternatives } = effectiveExpiry(reports, today) ?? {};
    const found = renewal ? [renewal.replace("auto-renewed-", "")] : [];
    const others = (alternatives ?? []).flatMap((other) => ["or", other.date]);
    expect([rule, date, ...found, ...others].join(" ")).toBe(is);
  });

  test("is unknown while nobody says a day", () => {
    expect(effectiveExpiry([])).toBeNull();
    expect(effectiveExpiry([R(null, "01-01", "manual")])).toBeNull();
  });

  test("takes the newest day of the one source there is", () => {
    const newest = R("2028-01-01", "01-02");
    const expected = { ...newest, conflict: false, alternatives: [] };
    expect(effectiveExpiry([R("2027-01-01", "01-01"), newest])).toMatchObject(expected);
  });
});
