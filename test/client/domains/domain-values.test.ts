import { describe, expect, test } from "bun:test";
import {
  checkValues,
  mergeValues,
  toInput,
  toValues,
} from "../../../src/client/domains/domain-values.ts";
import { domainOf } from "../../support/fake-api.ts";

const none = toValues(null);
const full = domainOf("xn--bcher-kva.example", {
  unicode: "bücher.example",
  registrar: "Gandi",
  tags: ["web", "client"],
  autoRenew: false,
  decision: "keep",
  expires: { date: "2027-03-01", source: "manual", observedAt: "", conflict: false },
  renewal: { minor: 1250, currency: "EUR", years: 2 },
});

describe("toInput", () => {
  test("sends what was filled in, and nothing else", () => {
    expect(toInput({ ...none, name: " example.com ", tags: "a, b,, a" }, none)).toEqual({
      name: "example.com",
      tags: ["a", "b"],
    });
  });

  test("sends nothing for an untouched domain", () => {
    expect(toInput(toValues(full), toValues(full))).toEqual({});
  });

  test("withdraws what was emptied", () => {
    const emptied = { ...none, name: "bücher.example" };
    expect(toInput(emptied, toValues(full))).toEqual({
      registrar: null,
      expires: null,
      autoRenew: null,
      decision: null,
      renewal: null,
      tags: [],
    });
  });

  test("sends a price whole, even when one part of it changed", () => {
    expect(toInput({ ...toValues(full), currency: "usd" }, toValues(full))).toEqual({
      renewal: { minor: 1250, currency: "USD", years: 2 },
    });
  });
});

describe("checkValues", () => {
  const named = { ...none, name: "example.com" };

  test("wants nothing but a name", () => {
    expect(checkValues(named)).toEqual({});
    expect(Object.keys(checkValues(none))).toEqual(["name"]);
  });

  test.each([
    [{ price: "12.505", currency: "EUR" }, "price"],
    [{ price: "12", currency: "EU" }, "currency"],
    [{ currency: "EUR" }, "price"],
    [{ price: "12", years: "0" }, "years"],
    [{ price: "12", years: "1.5" }, "years"],
  ])("complains about %p at %p", (values, field) => {
    expect(Object.keys(checkValues({ ...named, ...values }))).toEqual([field]);
  });
});

describe("mergeValues", () => {
  test("keeps what each of two people touched", () => {
    const before = { ...none, owner: "old", notes: "old" };
    const mine = { ...before, owner: "mine" };
    const theirs = { ...before, owner: "theirs", notes: "theirs" };
    expect(mergeValues(before, mine, theirs)).toMatchObject({ owner: "mine", notes: "theirs" });
  });
});
