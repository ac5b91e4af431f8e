import { describe, expect, test } from "bun:test";
import { expiryAdvice } from "../../src/shared/expiry-advice.ts";

describe("expiryAdvice", () => {
  const at = { registrar: "Gandi", decision: null, autoRenew: null };

  test.each([
    [{ decision: "drop", autoRenew: true }, "but auto-renew is on. Turn off auto-renew at Gandi"],
    [{ decision: "drop" }, "You want to drop it. Check that auto-renew is off at Gandi"],
    [{ decision: "transfer", autoRenew: true }, "Start the transfer from Gandi"],
    [{ autoRenew: true }, "Set to renew. Check the payment at Gandi"],
    [{ decision: "keep" }, "Auto-renew is unknown. Renew it at Gandi"],
    [{ decision: "watch", autoRenew: false }, "Undecided, auto-renew off. Renew it at Gandi, or"],
    [{ registrar: null }, "auto-renew unknown. Renew it at the registrar, or drop it"],
  ] as const)("of %o says what to do before the day", (facts, said) => {
    const { why, todo } = expiryAdvice({ ...at, ...facts }, false) ?? {};
    expect(`${why}. ${todo}`).toContain(said);
  });

  test("says of what has expired how to save it, whatever was decided but to drop it", () => {
    const past = (facts: object) => expiryAdvice({ ...at, ...facts }, true)?.todo ?? null;
    for (const decision of [null, "keep", "transfer", "watch"]) {
      expect(past({ decision })).toBe("Renew it at Gandi now; that may still be possible");
    }
    expect(past({ autoRenew: true })).toBe("Check at Gandi why it hasn’t renewed");
    expect(past({ decision: "drop" })).toBe("Check that auto-renew is off at Gandi");
    expect(past({ decision: "drop", autoRenew: false })).toBeNull();
  });
});
