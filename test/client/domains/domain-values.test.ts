import { afterEach, describe, expect, test } from "bun:test";
import {
  checkValues,
  fillCurrency,
  mergeValues,
  readDraft,
  toInput,
  toValues,
} from "../../../src/client/domains/form/domain-values.ts";
import { customText } from "../../../src/client/domains/form/field-controls.tsx";
import { domainOf, expiryOf } from "../../support/fake-api.ts";

const none = toValues(null);
const full = domainOf("xn--bcher-kva.example", {
  unicode: "bücher.example",
  registrar: "Gandi",
  tags: ["web", "client"],
  autoRenew: false,
  decision: "keep",
  expires: expiryOf("2027-03-01"),
  renewal: { minor: 1250, currency: "EUR", years: 2 },
});

describe("toInput", () => {
  test("withdraws what was emptied, and sends nothing for an untouched domain", () => {
    expect(toInput(toValues(full), toValues(full))).toEqual({});
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

  test("sends amounts, nameservers and custom fields", () => {
    const custom = [
      { id: 1, name: " Client ", text: " Ada\nB " },
      { id: 2, name: " ", text: "" },
      { id: 3, name: "Empty", text: " " },
    ];
    const typed = {
      ...none,
      soldPrice: "1200",
      soldCurrency: "jpy",
      soldOn: "2026-10-31",
      nameservers: "ns1.a.example  ns2.a.example,",
      custom: customText(custom),
    };
    expect(toInput(typed, none)).toEqual({
      soldPrice: { minor: 1200, currency: "JPY" },
      soldOn: "2026-10-31",
      nameservers: ["ns1.a.example", "ns2.a.example"],
      custom: { Client: "Ada\nB" },
    });
    expect(toInput(none, typed)).toEqual({
      soldPrice: null,
      soldOn: null,
      nameservers: [],
      custom: {},
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
    expect(checkValues(named, none)).toEqual({});
    expect(Object.keys(checkValues(none, none))).toEqual(["name"]);
  });

  test.each([
    ["PO", "18", "Two custom fields are named PO."],
    [" ｐｏ", "18", "Two custom fields are named ｐｏ."],
    [" ", "18", "Give each custom field a name."],
    ["PO", " ", undefined],
  ])("loses no text of a custom field: a second one, %j with %j", (name, text, fault) => {
    const custom = customText([
      { id: 1, name: "PO", text: "17" },
      { id: 2, name, text },
    ]);
    expect(checkValues({ ...named, custom }, none).custom).toBe(fault);
  });

  test.each([
    [{ renewalPrice: "12.505", currency: "EUR" }, "renewalPrice"],
    [{ renewalPrice: "12", currency: "EU" }, "currency"],
    [{ renewalPrice: "12" }, "currency"],
    [{ years: "2" }, "renewalPrice"],
    [{ currency: "EUR" }, "renewalPrice"],
    [{ soldCurrency: "EUR" }, "soldPrice"],
    [{ soldPrice: "x", soldCurrency: "EUR" }, "soldPrice"],
    [{ expires: "31.12." }, "expires"],
    [{ soldOn: "2027-02-30" }, "soldOn"],
    [{ renewalPrice: "12", currency: "EUR", years: "0" }, "years"],
    [{ renewalPrice: "12", currency: "EUR", years: "1.5" }, "years"],
  ])("refuses %p at %p", (values, field) => {
    expect(Object.keys(checkValues({ ...named, ...values }, none))).toEqual([field]);
  });
  test("leaves a price without a currency alone until it is edited", () => {
    const domain = domainOf("a.example", { renewal: { minor: 100, currency: null, years: null } });
    const base = toValues(domain);
    expect(checkValues({ ...base, notes: "x" }, base)).toEqual({});
    expect(Object.keys(checkValues({ ...base, renewalPrice: "2.00" }, base))).toEqual(["currency"]);
  });

  test("takes an emptied amount for a price withdrawn, beside the currency that it had", () => {
    const renewal = { minor: 100, currency: "EUR", years: null };
    const base = toValues(domainOf("a.example", { renewal }));
    expect(checkValues({ ...base, renewalPrice: "" }, base)).toEqual({});
    expect(Object.keys(checkValues({ ...base, renewalPrice: "", currency: "USD" }, base))).toEqual([
      "renewalPrice",
    ]);
  });
});

describe("fillCurrency", () => {
  test("fills in the usual currency beside an amount that has none", () => {
    const typed = { ...none, soldPrice: "5", renewalPrice: "1", currency: "USD" };
    expect(fillCurrency(typed, "soldPrice", "EUR").soldCurrency).toBe("EUR");
    expect(fillCurrency(typed, "renewalPrice", "EUR").currency).toBe("USD");
    expect(fillCurrency(typed, "askingPrice", "EUR")).toEqual(typed);
    expect(fillCurrency(typed, "owner", "EUR")).toEqual(typed);
    // Without its amount, what was filled in goes, and what was typed stays.
    const emptied = { ...typed, soldPrice: "", soldCurrency: "EUR", renewalPrice: "" };
    expect(fillCurrency(emptied, "soldPrice", "EUR").soldCurrency).toBe("");
    expect(fillCurrency(emptied, "renewalPrice", "EUR").currency).toBe("USD");
  });
});

describe("mergeValues", () => {
  test("takes a price from one of them: no amount in the currency of the other", () => {
    const before = { ...none, renewalPrice: "10.00", currency: "EUR" };
    const mine = { ...before, renewalPrice: "12.00" };
    const theirs = { ...before, renewalPrice: "15.00", currency: "USD", owner: "theirs" };
    expect(mergeValues(before, mine, theirs)).toMatchObject({
      renewalPrice: "12.00",
      currency: "EUR",
      owner: "theirs",
    });
  });
});

describe("readDraft", () => {
  afterEach(() => sessionStorage.clear());

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
