import { describe, expect, test } from "bun:test";
import { effectiveExpiry, type ExpiryReport } from "../../../src/backend/domains/expiry/expiry.ts";

const at = (day: number) => `2026-01-${String(day).padStart(2, "0")}T00:00:00.000Z`;
const said = (source: string, date: string | null, day: number) => {
  return { source, date, observedAt: at(day) };
};

/** The registry's date, as in the table of the README of `checks/`. */
function E(date: string, movedAt: string | null, ...statuses: string[]): ExpiryReport {
  const observedAt = "2026-11-20T00:00:00.000Z";
  return { source: "rdap:registry", date, observedAt, registry: { movedAt, statuses } };
}

/** The registrar's own word, on a day of 2026. */
function R(date: string, day: string, source = "GoDaddy"): ExpiryReport {
  return { source, date, observedAt: `2026-${day}T12:00:00.000Z` };
}

const AUTO = "auto renew period";
const MOVED = "2026-11-02T10:00:00.000Z";
const YEAR_MORE = E("2027-11-02", MOVED);
const MANUAL = R("2027-01-01", "11-10", "manual");
const WHOIS = R("2027-05-05", "11-20", "whois:whois.nic.it");

/** What is reported; the rule that decides, its day, what it finds and the day in conflict; today. */
const CASES: [what: string, reports: ExpiryReport[], is: string, today?: string][] = [
  ["a day set by hand", [MANUAL], "1 2027-01-01"],
  ["a report before it", [R("2028-01-01", "11-09"), MANUAL], "1 2027-01-01"],
  ["a report after it", [MANUAL, R("2028-01-01", "11-11")], "1 2027-01-01 or 2028-01-01"],
  ["one that is two days off", [MANUAL, R("2027-01-03", "11-11")], "1 2027-01-01"],
  ["three days off", [MANUAL, R("2027-01-04", "11-11")], "1 2027-01-01 or 2027-01-04"],
  ["the auto-renew period alone", [E("2027-11-02", MOVED, AUTO)], "2 2026-11-02 unpaid"],
  ["that of 29 February", [E("2028-02-29", null, AUTO)], "2 2027-02-28 unpaid"],
  [
    "an export before it",
    [E("2027-11-02", MOVED, AUTO), R("2026-11-02", "11-01")],
    "2 2026-11-02 unpaid",
  ],
  [
    "an export of its first day",
    [E("2027-11-02", null, AUTO), R("2027-11-02", "11-02")],
    "3 2027-11-02",
  ],
  [
    "one that agrees in it",
    [E("2027-11-02", MOVED, AUTO), R("2027-11-02", "11-03")],
    "3 2027-11-02",
  ],
  ["the registry alone", [E("2027-11-02", null)], "3 2027-11-02"],
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
    [E("2027-11-02", MOVED, AUTO), R("2026-11-02", "11-03")],
    "4 2026-11-02 unpaid",
    "2027-01-18",
  ],
  ["a year and two days less", [YEAR_MORE, R("2026-10-31", "11-03")], "4 2026-10-31 unpaid"],
  ["and three days", [YEAR_MORE, R("2026-10-30", "11-03")], "10 2026-10-30 or 2027-11-02"],
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
    expect(effectiveExpiry([said("manual", null, 1)])).toBeNull();
  });

  test("takes the newest day of the one source there is", () => {
    const observations = [said("a.csv", "2027-01-01", 1), said("a.csv", "2028-01-01", 2)];
    const expected = { date: "2028-01-01", source: "a.csv", observedAt: at(2), conflict: false };
    expect(effectiveExpiry(observations)).toMatchObject({ ...expected, alternatives: [] });
  });

  test("falls back to the others when the manual day is withdrawn", () => {
    const observations = [
      said("manual", "2027-01-01", 1),
      said("a.csv", "2028-01-01", 2),
      said("manual", null, 3),
    ];
    expect(effectiveExpiry(observations)).toMatchObject({ source: "a.csv", conflict: false });
  });

  test("takes what a registry said at its former server for no registrar's word", () => {
    const moved = [said("rdap:old.test", "2027-01-01", 1), said("rdap:new.test", "2029-01-01", 9)];
    const expires = effectiveExpiry(moved, "2026-01-20");
    expect(expires).toMatchObject({ date: "2029-01-01", conflict: false, rule: 3 });
  });

  test("ranks an account as the registrar's own answer, until it says no more after the registry", () => {
    const source = "rdap:registry.test";
    const registry = { movedAt: "2026-01-04T00:00:00.000Z", statuses: ["auto renew period"] };
    const renewed = { ...said(source, "2028-01-23", 5), registry };
    const answer = said("rdap-registrar:rdap.test", "2028-01-23", 8);
    // The account is gone, or the domain is at another registrar: what it said last is of before.
    const gone = [said("account:gandi:a", "2027-01-23", 1), renewed, answer];
    expect(effectiveExpiry(gone, "2027-02-01")).toMatchObject({ date: "2028-01-23", rule: 3 });
    const speaking = [renewed, said("account:gandi:a", "2027-01-23", 6), answer];
    expect(effectiveExpiry(speaking, "2027-02-01")).toMatchObject({ date: "2027-01-23", rule: 4 });
  });

  test("lets a pin settle what others had said before it, and nothing after it", () => {
    const disagreeing = [said("a.csv", "2027-01-01", 1), said("b.csv", "2028-01-01", 2)];
    const pinned = [...disagreeing, said("manual", "2028-01-01", 3)];
    expect(effectiveExpiry(pinned)).toMatchObject({ source: "manual", conflict: false });
    const again = [...pinned, said("a.csv", "2029-01-01", 4)];
    expect(effectiveExpiry(again)).toMatchObject({ date: "2028-01-01", conflict: true });
    const agreeing = [...again, said("a.csv", "2028-01-01", 5)];
    expect(effectiveExpiry(agreeing)).toMatchObject({ date: "2028-01-01", conflict: false });
  });
});
