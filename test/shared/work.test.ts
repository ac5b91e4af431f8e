import { describe, expect, test } from "bun:test";
import { type Decision, type Domain, UNKNOWN_VALUES } from "../../src/shared/domain.ts";
import { expiryAdvice } from "../../src/shared/advice.ts";
import { renewedDay } from "../../src/shared/renewal.ts";
import { dueDay, isLapsed, type Work, workOf } from "../../src/shared/work.ts";

const TIME = { today: "2027-01-15", leadDays: 60 };
/** 75 days after the expiry, the last of the redemption, and the day after. */
const [LEAVING, GONE] = ["2026-11-01", "2026-10-31"];
const [YESTERDAY, TODAY, LAST, BEYOND] = ["2027-01-14", "2027-01-15", "2027-03-16", "2027-03-17"];

function domain(date: string | null, decision: Decision | null, autoRenew: boolean | null) {
  return { ...UNKNOWN_VALUES, expires: date === null ? null : expiry(date), decision, autoRenew };
}

/** A day, and those that other sources report. */
function expiry(date: string, ...others: string[]) {
  const alternatives = others.map((other) => ({ date: other, source: "Other", observedAt: "" }));
  return { date, source: "GoDaddy", observedAt: "", conflict: others.length > 0, alternatives };
}

describe("workOf", () => {
  test.each([
    [null, null, null, "look"],
    // Expired, whatever auto-renew says, unless it was to be dropped.
    [YESTERDAY, null, null, "expired"],
    [YESTERDAY, "keep", true, "expired"],
    [YESTERDAY, "transfer", false, "expired"],
    ["2020-01-01", "watch", false, "expired"],
    // Who dropped it may still be charged, until grace and redemption are over.
    [YESTERDAY, "drop", true, "switch-off"],
    [YESTERDAY, "drop", null, "switch-off"],
    [YESTERDAY, "drop", false, null],
    [GONE, "drop", true, null],
    [LEAVING, "drop", null, "switch-off"],
    // From today to the last day of the lead time, both included.
    [TODAY, null, false, "undecided"],
    [LAST, null, null, "undecided"],
    [LAST, "watch", false, "undecided"],
    [LAST, null, true, null],
    [LAST, "watch", true, null],
    [BEYOND, null, null, null],
    [LAST, "keep", false, "renew"],
    [LAST, "keep", null, "renew"],
    [LAST, "keep", true, null],
    [BEYOND, "keep", false, null],
    [LAST, "transfer", true, "transfer"],
    [TODAY, "transfer", null, "transfer"],
    [BEYOND, "transfer", null, null],
    [LAST, "drop", true, "switch-off"],
    [LAST, "drop", false, null],
    [LAST, "drop", null, "switch-off"],
    [BEYOND, "drop", true, null],
    [null, "drop", null, null],
  ] satisfies [string | null, Decision | null, boolean | null, Work | null][])(
    "of a domain that expires %s, decision %s, auto-renew %s, is %s",
    (date, decision, autoRenew, work) => {
      expect(workOf(domain(date, decision, autoRenew), TIME)).toBe(work);
    },
  );

  test("leaves out a to-do that is done, until the day has passed or another is reported", () => {
    for (const [decision, autoRenew] of [
      ["keep", false],
      ["transfer", null],
      ["drop", true],
    ] as const) {
      const done = { ...domain(LAST, decision, autoRenew), doneFor: LAST };
      expect(workOf(done, TIME)).toBeNull();
      expect(workOf({ ...done, doneFor: TODAY }, TIME)).not.toBeNull();
    }
    const kept = { ...domain(TODAY, "keep", false), doneFor: TODAY };
    expect(workOf(kept, { ...TIME, today: "2027-01-16" })).toBe("expired");
    expect(workOf({ ...domain(LAST, null, false), doneFor: LAST }, TIME)).toBe("undecided");
  });

  test("leaves out what is sold or archived", () => {
    const soldPrice = { minor: 0, currency: null };
    for (const gone of [{ soldOn: TODAY }, { archivedOn: TODAY }, { soldPrice }]) {
      expect(workOf({ ...domain(YESTERDAY, null, null), ...gone }, TIME)).toBeNull();
    }
  });

  test("is trouble where a finding is critical and nothing else is to be done", () => {
    const of = (date: string | null, decision: Decision | null, autoRenew: boolean) =>
      workOf({ ...domain(date, decision, autoRenew), severity: "critical" }, TIME);
    expect(of(LAST, null, true)).toBe("trouble");
    expect(of(LAST, null, false)).toBe("undecided");
    expect(of(YESTERDAY, null, true)).toBe("expired");
    expect(of(BEYOND, "keep", true)).toBe("look");
    expect(of(null, "keep", true)).toBe("look");
    expect(of(BEYOND, "drop", false)).toBeNull();
    const done = { ...domain(LAST, "keep", false), doneFor: LAST };
    expect(workOf({ ...done, severity: "critical" }, TIME)).toBe("trouble");
    expect(workOf({ ...done, severity: "high" }, TIME)).toBeNull();
  });

  test("goes by the earliest day of a conflict", () => {
    const kept = domain(BEYOND, "keep", false);
    expect(workOf(kept, TIME)).toBeNull();
    const expires = expiry(BEYOND, "2027-02-01", BEYOND);
    expect(dueDay({ expires })).toBe("2027-02-01");
    expect(workOf({ ...kept, expires }, TIME)).toBe("renew");
    expect(workOf({ ...kept, expires: expiry(BEYOND, YESTERDAY) }, TIME)).toBe("expired");
    expect(workOf({ ...kept, expires, doneFor: "2027-02-01" }, TIME)).toBeNull();
    expect(workOf({ ...kept, expires, doneFor: BEYOND }, TIME)).toBe("renew");
  });
});

describe("isLapsed", () => {
  const lapsed = (changes: Partial<Domain>) =>
    isLapsed({ ...domain(GONE, "drop", true), ...changes }, TIME.today);

  test("is true of what was dropped and cannot be restored, or is not registered", () => {
    expect(lapsed({})).toBe(true);
    expect(lapsed({ expires: expiry(LEAVING) })).toBe(false);
    expect(lapsed({ decision: "keep" })).toBe(false);
    expect(lapsed({ expires: null })).toBe(false);
    expect(lapsed({ expires: null, findingCodes: ["not-registered"] })).toBe(true);
    expect(lapsed({ decision: null, findingCodes: ["not-registered"] })).toBe(false);
  });

  test("waits for the day in use, where another source reports one that is over", () => {
    expect(lapsed({ expires: expiry(LAST, GONE) })).toBe(false);
    expect(lapsed({ expires: expiry(GONE, LAST) })).toBe(false);
    const open = { ...domain(null, "drop", null), expires: expiry(LAST, GONE) };
    expect(workOf(open, TIME)).toBe("switch-off");
  });
});

describe("expiryAdvice", () => {
  const at = { registrar: "Gandi", decision: null, autoRenew: null, findingCodes: [] };

  test.each([
    [{ decision: "drop", autoRenew: true }, "but auto-renew is on. Turn off auto-renew at Gandi"],
    [{ decision: "drop" }, "auto-renew is unknown. Check that auto-renew is off at Gandi"],
    [{ decision: "transfer", autoRenew: true }, "Start the transfer from Gandi"],
    [{ decision: "keep" }, "Auto-renew is unknown. Renew it at Gandi"],
    [{ decision: "watch", autoRenew: false }, "Undecided, auto-renew off. Renew it at Gandi, or"],
    [{ registrar: null }, "auto-renew unknown. Renew it at the registrar, or drop it"],
  ] as const)("of %o says what to do before the day", (facts, said) => {
    const advice = expiryAdvice({ ...at, ...facts }, false);
    expect(advice?.join(". ")).toContain(said);
  });

  test("has nothing to say of what renews by itself, or is dropped with auto-renew off", () => {
    expect(expiryAdvice({ ...at, autoRenew: true }, false)).toBeNull();
    expect(expiryAdvice({ ...at, decision: "drop", autoRenew: false }, false)).toBeNull();
  });

  test("says of what has expired how to save it, whatever was decided but to drop it", () => {
    const past = (facts: object) => expiryAdvice({ ...at, ...facts }, true)?.[1] ?? null;
    for (const decision of [null, "keep", "transfer", "watch"]) {
      expect(past({ decision })).toBe("Renew it at Gandi now; that may still be possible");
    }
    expect(past({ autoRenew: true })).toBe("Check at Gandi why it hasn’t renewed");
    const held = expiryAdvice({ ...at, findingCodes: ["registrar-on-hold"] }, true);
    expect(held?.join(". ")).toBe("Expired and on hold. Renew it at Gandi now");
    expect(past({ decision: "drop" })).toBe("Check that auto-renew is off at Gandi");
    expect(past({ decision: "drop", autoRenew: false })).toBeNull();
  });
});

test.each([
  [2, "2028-11-01"],
  [null, "2027-11-01"],
  [0, "2027-11-01"],
])("renewed for %p years, a domain expires ahead, on %s", (years, day) => {
  const renewal = { minor: 1000, currency: "EUR", years };
  expect(renewedDay({ ...domain(LEAVING, "keep", true), renewal }, TODAY)).toBe(day);
});
