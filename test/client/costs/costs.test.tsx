import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "bun:test";
import { useState } from "react";
import { type BaseLocationHook, Router } from "wouter";
import { Amount } from "../../../src/client/costs/cost-sums.tsx";
import Costs from "../../../src/client/costs/costs.tsx";
import { Statement } from "../../../src/client/costs/statement.tsx";
import { localToday } from "../../../src/client/ui/format.ts";
import { setPreference } from "../../../src/client/ui/preferences.ts";
import type { CostReport, CostRow } from "../../../src/shared/costs.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../src/shared/settings.ts";
import { expectAbsent, textsOf, type } from "../../support/elements.ts";
import { fakeApi, problem } from "../../support/fake-api.ts";

const api = fakeApi("/costs");
const report: CostReport = {
  from: "2027-01",
  to: "2027-12",
  rows: [],
  totals: [],
  left: 0,
  unpriced: 0,
  lastYear: { totals: [], unknown: [], unpriced: 0 },
  sales: [],
};

/** Answers with a report, settings and what is cheaper elsewhere; what is not given of them is empty. */
function answerWith(
  shown: Partial<CostReport> = {},
  settings: Partial<Settings> = {},
  cheaper: readonly object[] = [],
) {
  api.answer = ({ path }) => {
    if (path === "/api/costs") return Response.json({ ...report, ...shown });
    if (path === "/api/settings") return Response.json({ ...DEFAULT_SETTINGS, ...settings });
    return Response.json({ items: path === "/api/costs/cheaper" ? cheaper : [] });
  };
}

const row = (period: string, currency: string | null, minor: number, group: string | null = null) =>
  ({ period, currency, minor, group, renewing: 0, names: 1 }) satisfies CostRow;

/** The texts of a table, without its head. */
const readTable = (table: HTMLElement) =>
  [...table.querySelectorAll("tbody tr")].map((line) =>
    [...line.children].map((cell) => cell.textContent),
  );

/** A location whose screens come only when they are told to. */
function slowLocation() {
  let follow: (search: string) => void = () => {};
  const useSlowly: BaseLocationHook = () => [
    location.pathname,
    (to: string) => history.replaceState(null, "", to),
  ];
  useSlowly.searchHook = () => {
    const [search, setSearch] = useState(location.search);
    follow = setSearch;
    return search;
  };
  return { useSlowly, arrive: (search: string) => follow(search) };
}

/** Shows the costs that the query asks for. */
function open(query = "", hook?: BaseLocationHook) {
  history.replaceState(null, "", `/costs${query}`);
  return render(
    <Router {...(hook && { hook })}>
      <Costs />
    </Router>,
  );
}

describe("Costs", () => {
  test("shows the report before until the next is there", async () => {
    let answer: (response: Response) => void = () => {};
    api.answer = ({ path, query }) => {
      if (path === "/api/settings") return Response.json(DEFAULT_SETTINGS);
      if (path !== "/api/costs") return Response.json({ items: [] });
      if (query.get("what") !== "sales") return Response.json(report);
      return new Promise((resolve) => (answer = resolve));
    };
    open();
    const before = "No coming renewals from January 2027 to December 2027.";
    await screen.findByText(before);
    type("Show", "sales");
    screen.getByText(before);
    await act(async () => answer(Response.json({ ...report, from: "2026-01", to: "2026-12" })));
    screen.getByText("No sales from January 2026 to December 2026.");
    expectAbsent(screen.queryByText(before));
  });

  test("keeps in its boxes what was chosen while the screen is on its way there", async () => {
    answerWith();
    const { useSlowly, arrive } = slowLocation();
    open("?what=paid", useSlowly);
    const box = await screen.findByLabelText<HTMLSelectElement>("Show");
    fireEvent.change(box, { target: { value: "purchases" } });
    const onTheWay = location.search;
    fireEvent.change(box, { target: { value: "sales" } });
    for (const search of [onTheWay, location.search]) {
      act(() => arrive(search));
      expect(box.value).toBe("sales");
    }
  });

  test("offers a limited viewer no purchases, whose prices they do not see", async () => {
    await api.enter({ state: "signed-in", email: "ada@example.com", role: "limited" });
    answerWith();
    open();
    const { options } = await screen.findByLabelText<HTMLSelectElement>("Show");
    expect([...options].map(({ value }) => value)).toEqual(["renewals", "paid", "sales"]);
  });

  test("shows in its boxes what the address asks for, wherever that comes from", async () => {
    api.answer = ({ path, query }) => {
      const { from, to } = { ...report, ...Object.fromEntries([...query].filter(([, v]) => v)) };
      return Response.json(path === "/api/costs" ? { ...report, from, to } : DEFAULT_SETTINGS);
    };
    open("?what=sales&from=2024-01&to=2024-12");
    const boxes = () =>
      ["Show", "From", "To"].map((label) => screen.getByLabelText<HTMLInputElement>(label).value);
    await screen.findByText("No sales from January 2024 to December 2024.");
    expect(boxes()).toEqual(["sales", "2024-01", "2024-12"]);
    // Another kind has its own months.
    type("Show", "paid");
    await screen.findByText("No renewals paid from January 2027 to December 2027.");
    expect(boxes()).toEqual(["paid", "2027-01", "2027-12"]);
    act(() => history.pushState(null, "", "/costs"));
    await screen.findByText("No coming renewals from January 2027 to December 2027.");
    expect(boxes()).toEqual(["renewals", "2027-01", "2027-12"]);
    type("From", "");
    expect(boxes()).toEqual(["renewals", "", "2027-12"]);
    type("From", "2027-03");
    await screen.findByText("No coming renewals from March 2027 to December 2027.");
    expect(boxes()).toEqual(["renewals", "2027-03", "2027-12"]);
    // Both, before a report has come.
    type("From", "2027-04");
    type("To", "2027-10");
    await screen.findByText("No coming renewals from April 2027 to October 2027.");
  });

  test("says what is wrong with the months of a link, and waits for nothing then", async () => {
    const errors = [{ pointer: "/to", code: "range", detail: "Choose a later month." }];
    api.answer = ({ path }) =>
      path === "/api/costs"
        ? problem(400, "Bad", { errors })
        : Response.json(path === "/api/settings" ? DEFAULT_SETTINGS : { items: [] });
    open("?from=2027-10&to=2026-10");
    await screen.findByText("Choose a later month.");
    expectAbsent(screen.queryByText("Loading…"));
  });

  test("adds up at the owner's rates beside the year before, and names what has none", async () => {
    const rows = [
      row("2027-01", "EUR", 100, "Gandi"),
      row("2027-01", "USD", 100_000, "OVH"),
      row("2027-02", null, 3200, "OVH"),
    ];
    const earlier = [row("2027-02", "USD", 500)];
    const lastYear = { totals: earlier, unknown: ["2027-01"], unpriced: 2 };
    const shown = { to: "2027-02", rows, totals: rows, lastYear };
    answerWith(shown, { currency: "EUR", rates: { USD: 0.5 } });
    open("?group=registrar");
    const table = await screen.findByRole("table", { name: "EUR, at your exchange rates" });
    expect(readTable(table)).toEqual([
      ["Jan 2027", "€501.00", "–"],
      ["Feb 2027", "€0.00", "€2.50"],
      ["Total", "€501.00", "–"],
    ]);
    screen.getByRole("table", { name: "Prices without a currency" });
    // The largest first; an amount without a currency says so.
    const groups = screen.getAllByRole("link", { name: /Gandi|OVH/ });
    expect(textsOf(groups)).toEqual(["OVH", "Gandi"]);
    expect(screen.getAllByTitle("no currency").at(0)?.textContent).toBe("32.00 ?(no currency)");
    screen.getByText(/at today’s prices. 2 domains without a price are left out/);
  });

  test("orders groups by whole units, whatever decimals their currencies have", async () => {
    const rows = [row("2027-01", "JPY", 1000, "Gandi"), row("2027-01", "USD", 500_000, "OVH")];
    const many = row("2027-01", "JPY", 6000, "Porkbun");
    answerWith({ rows: [...rows, many], totals: [...rows, many] });
    open("?group=registrar");
    const groups = await screen.findAllByRole("link", { name: /Gandi|OVH|Porkbun/ });
    expect(textsOf(groups)).toEqual(["Porkbun", "OVH", "Gandi"]);
  });

  test("adds up what one group pays in a period in two currencies, and a single period", async () => {
    const rows = [row("2027-01", "EUR", 2000, "Gandi"), row("2027-01", "USD", 1000, "Gandi")];
    const shown = { to: "2027-01", rows, totals: rows };
    answerWith(shown, { currency: "EUR", rates: { USD: 0.5 } });
    open("?group=registrar&from=2027-01&to=2027-01");
    expect(readTable(await screen.findByRole("table", { name: "By Registrar" }))).toEqual([
      ["Gandi", "€25.00", "2", "€25"],
      ["All domains", "€25.00", "2", "€25"],
    ]);
    const table = screen.getByRole("table", { name: "EUR, at your exchange rates" });
    expect(readTable(table)).toEqual([
      ["Jan 2027", "€25.00"],
      ["Total", "€25.00"],
    ]);
  });

  test("leads from a group to its domains, whatever its name begins with", async () => {
    const rows = ["!urgent", "-", null].map((group) => row("2027-01", "EUR", 100, group));
    answerWith({ rows, totals: rows });
    open("?group=tag");
    const found = async (name: string) => {
      const { href } = await screen.findByRole<HTMLAnchorElement>("link", { name });
      return new URL(href).searchParams.get("tag");
    };
    expect(await found("!urgent")).toBe("=!urgent");
    expect(await found("-")).toBe("=-");
    expect(await found("No tags")).toBe("-");
  });

  test("adds up at the rates of the European Central Bank, once its owner lets it be asked", async () => {
    const totals = [row("2027-01", "EUR", 1000), row("2027-01", "USD", 1000)];
    let reference = DEFAULT_SETTINGS.reference;
    api.answer = ({ path, method }) => {
      const settings = () => ({ ...DEFAULT_SETTINGS, currency: "EUR", reference });
      if (method === "PUT") reference = { on: true, day: "2027-01-14", rates: { USD: 0.8 } };
      if (path === "/api/costs/cheaper") return Response.json({ items: [] });
      return Response.json(path === "/api/costs" ? { ...report, totals } : settings());
    };
    open();
    const ask = await screen.findByText("Use the European Central Bank’s rates");
    fireEvent.click(ask);
    // A disabled button would lose the focus.
    expect(ask.getAttribute("aria-disabled")).toBe("true");
    expect(ask).toHaveProperty("disabled", false);
    await screen.findByText("Stop asking");
    expect(api.sent("PUT /api/settings/reference")[0]?.body).toEqual({ on: true });
    const at = "at the European Central Bank’s rates of Jan 14, 2027";
    screen.getByRole("table", { name: `EUR, ${at}` });
    expect(screen.getByText(new RegExp(`in all, ${at}`)).textContent).toContain("€18.00");
  });

  test("leaves out what is nothing, and tells of renewals alone how many are automatic", async () => {
    answerWith({ totals: [row("2027-01", "EUR", 100), row("2027-03", "GBP", 0)] });
    for (const what of ["renewals", "sales"]) {
      const { unmount } = open(`?what=${what}`);
      expect(readTable(await screen.findByRole("table", { name: "EUR" }))).toEqual([
        ["Jan 2027", "€1.00"],
        ["Total", "€1.00"],
      ]);
      expectAbsent(screen.queryByRole("table", { name: "GBP" }));
      expect(document.body.textContent.includes("all by hand")).toBe(what === "renewals");
      unmount();
    }
  });

  test("tells what is cheaper elsewhere, and leads to exactly these domains", async () => {
    const [now, price] = [52_877, 1108].map((minor) => ({ minor, currency: "USD" }));
    const saving = { minor: 27_393, currency: "USD" };
    const where = { registrar: "GoDaddy", tld: "uk", suffix: "co.uk", at: "Porkbun" };
    const items = [{ ...where, names: 23, from: 22.9999, now, price, saving }];
    answerWith({}, {}, items);
    open();
    const link = await screen.findByText<HTMLAnchorElement>("23 .co.uk at GoDaddy");
    const filter = { registrar: "GoDaddy", tld: "uk", q: ".co.uk", price: "22.999.." };
    expect(Object.fromEntries(new URL(link.href).searchParams)).toMatchObject(filter);
    const cells = [...(link.closest("tr")?.children ?? [])].map((cell) => cell.textContent);
    expect(cells.slice(1)).toEqual(["$528.77", "Porkbun, $11.08 each", "$273.93"]);
  });
});

describe("Amount", () => {
  test.each([undefined, true as const])("shows a currency that is no code as none", (whole) => {
    const { container } = render(
      <Amount minor={1250} currency="tokens" {...(whole && { whole })} />,
    );
    expect(container.textContent).toContain("?");
  });
});

describe("Statement", () => {
  afterEach(() => setPreference("dates", "browser"));

  function openStatement(answer: object, hook?: BaseLocationHook) {
    history.replaceState(null, "", "/costs/statement?prices=porkbun");
    setPreference("dates", "de-DE");
    api.answer = ({ path }) =>
      Response.json(path === "/api/costs/statement" ? answer : { items: [] });
    render(
      <Router {...(hook && { hook })}>
        <Statement />
      </Router>,
    );
  }

  test("says its days and months in their own language, and for whom a price list is not", async () => {
    const expires = `${localToday().slice(0, 4)}-12-31`;
    const domain = { name: "a.example", unicode: "a.example", autoRenew: null, decision: null };
    const price = { minor: 1000, currency: "EUR", years: 1 };
    const items = [{ ...domain, expires, asked: false, price }];
    openStatement({ items, next: null, total: 1 });
    const month = await screen.findByText(/^Dezember/);
    expect(month.lang).toBe("de-DE");
    expect(screen.getByText(/^31.12.20/).lang).toBe("de-DE");
    screen.getByText(/Limited viewers can open this link only with/);
  });

  test("keeps both of two choices, one right after the other", async () => {
    const { useSlowly } = slowLocation();
    openStatement({ items: [], next: null, total: 0 }, useSlowly);
    await screen.findByText("No domains.");
    type("Mark-up, per cent", "10");
    expect(location.search).toBe("?markup=10&prices=porkbun");
    type("Prices", "");
    expect(location.search).toBe("?markup=10");
  });
});
