import { afterEach, describe, expect, test } from "bun:test";
import {
  checkValues,
  mergeValues,
  readDraft,
  storeDraft,
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
  expires: {
    date: "2027-03-01",
    source: "manual",
    observedAt: "",
    conflict: false,
    alternatives: [],
  },
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
    [{ renewalPrice: "12.505", currency: "EUR" }, "renewalPrice"],
    [{ renewalPrice: "12", currency: "EU" }, "currency"],
    [{ currency: "EUR" }, "renewalPrice"],
    [{ renewalPrice: "12", years: "0" }, "years"],
    [{ renewalPrice: "12", years: "1.5" }, "years"],
  ])("refuses %p at %p", (values, field) => {
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

describe("readDraft", () => {
  afterEach(() => sessionStorage.clear());

  test("returns the stored draft until it is cleared", () => {
    const base = domainOf("example.com", { owner: "Ada" });
    const draft = { base, values: { ...toValues(base), owner: "Grace" } };
    storeDraft(draft);
    expect(readDraft()).toEqual(draft);
    storeDraft(null);
    expect(readDraft()).toBeNull();
  });

  test.each(["", "{", "null", "[]", '{"base":{},"values":{}}', '{"base":null}'])(
    "finds none in %p",
    (text) => {
      sessionStorage.setItem("domain-draft", text);
      expect(readDraft()).toBeNull();
    },
  );

  test("ignores unknown fields", () => {
    sessionStorage.setItem(
      "domain-draft",
      '{"base":null,"values":{"owner":7,"__proto__":1,"x":2}}',
    );
    expect(readDraft()).toEqual({ base: null, values: toValues(null) });
  });
});
