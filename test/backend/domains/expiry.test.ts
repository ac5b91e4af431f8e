import { describe, expect, test } from "bun:test";
import { effectiveExpiry } from "../../../src/backend/domains/expiry/expiry.ts";

const at = (day: number) => `2026-01-${String(day).padStart(2, "0")}T00:00:00.000Z`;
const said = (source: string, date: string | null, day: number) => {
  return { source, date, observedAt: at(day) };
};

describe("effectiveExpiry", () => {
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

  test("takes the newest of several sources, which disagree or not", () => {
    const agreeing = [said("a.csv", "2027-01-01", 1), said("b.csv", "2027-01-01", 2)];
    expect(effectiveExpiry(agreeing)).toMatchObject({ source: "b.csv", conflict: false });
    const disagreeing = [said("a.csv", "2027-01-01", 3), said("b.csv", "2028-01-01", 2)];
    expect(effectiveExpiry(disagreeing)).toMatchObject({ source: "a.csv", conflict: true });
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
