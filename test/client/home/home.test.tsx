import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { renderToString } from "react-dom/server";
import type { Summary } from "../../../src/shared/register-contract.ts";
import Home from "../../../src/client/home/home.tsx";
import {
  dropPendingImport,
  readPendingImport,
} from "../../../src/client/session/pending-import.ts";
import { refreshSession } from "../../../src/client/session/session-store.ts";
import { domainOf, fakeApi, pageOf, problem } from "../../support/fake-api.ts";
import { expectFocus } from "../../support/focus.ts";

const api = fakeApi();
const ada = { state: "signed-in", email: "ada@example.com" } as const;

const expiring = (name: string, date: string) =>
  domainOf(name, { expires: { date, source: "manual", observedAt: "", conflict: false } });

/** Answers with a summary of which only some is of interest. */
function holds(known: Partial<Summary>) {
  const summary: Summary = {
    today: "2026-11-21",
    total: 0,
    attention: { total: 0, items: [] },
    unknown: 0,
    conflicts: 0,
    costs: [],
    unpriced: 0,
    changes: [],
    ...known,
  };
  api.answer = ({ path }) =>
    path === "/api/summary"
      ? Response.json(summary)
      : pageOf([expiring("few.example", "2027-05-05"), domainOf("none.example")]);
}

beforeEach(async () => {
  setSystemTime(new Date(2026, 10, 21, 12));
  await api.enter(ada);
});
afterEach(() => {
  setSystemTime();
});

describe("Home", () => {
  test("has its heading in the markup of the server", () => {
    expect(renderToString(<Home />)).toContain(">Home</h1>");
  });

  test("lists what needs a decision, with what is left of each and why", async () => {
    const items = [
      { ...expiring("first.example", "2026-11-22"), autoRenew: false, registrar: "Gandi" },
      { ...expiring("xn--bcher-kva.example", "2026-11-20"), unicode: "bücher.example" },
    ];
    holds({ total: 1234, attention: { total: 56, items } });
    render(<Home />);
    const all = await screen.findByRole("link", { name: "56 names" });
    expect(all.getAttribute("href")).toBe(
      "/domains?expiresBefore=2027-01-21&autoRenew=not-on&decision=not-drop",
    );
    const first = screen.getByRole("link", { name: "first.example" });
    expect(first.getAttribute("href")).toBe("/domains/first.example");
    expect(screen.getByText("tomorrow")).toBeDefined();
    expect(screen.getByText("expired yesterday")).toBeDefined();
    expect(screen.getByText("Gandi · auto-renew off")).toBeDefined();
    expect(screen.getByText("xn--bcher-kva.example")).toBeDefined();
    expect(screen.getByText("auto-renew unknown")).toBeDefined();
    expect(api.sent("GET /api/summary")[0]?.query.get("today")).toBe("2026-11-21");
  });

  test("marks the names that pass for another, and no others", async () => {
    const twin = { name: "xn--80ak6aa92e.com", unicode: "аррӏе.com" };
    const change = { id: "1", at: "2026-11-20T10:00:00Z", by: "ada@example.com", domainId: "1" };
    const items = [
      { ...expiring(twin.name, "2026-11-22"), ...twin },
      { ...expiring("xn--bcher-kva.example", "2026-11-20"), unicode: "bücher.example" },
    ];
    const changes = [{ ...change, action: "added" as const, name: "pаypal.com", fields: [] }];
    holds({ total: 9, attention: { total: 2, items }, changes });
    render(<Home />);
    // What changed lately comes with code of its own, after the rest.
    await waitFor(() => {
      const marks = screen.getAllByText(/^looks like another/);
      const marked = marks.map((mark) => mark.closest("li")?.querySelector("a")?.textContent);
      expect(marked).toEqual(["аррӏе.com", "pаypal.com"]);
    });
  });

  test("says so when nothing needs a decision", async () => {
    holds({ total: 9 });
    render(<Home />);
    expect(await screen.findByText(/Nothing runs out within 60 days/)).toBeDefined();
  });

  test("leads from each count to the names behind it", async () => {
    holds({ total: 1234, unknown: 12, conflicts: 3 });
    render(<Home />);
    for (const [name, href] of [
      ["1,234 names", "/domains"],
      ["12 without a date", "/domains?expiry=unknown"],
      ["3 whose sources disagree", "/domains?expiry=conflict"],
    ] as const) {
      expect((await screen.findByRole("link", { name })).getAttribute("href")).toBe(href);
    }
  });

  test("draws the money of twelve months, and writes it as a table too", async () => {
    holds({
      total: 9,
      unpriced: 2,
      costs: [
        { month: "2026-11", currency: "EUR", minor: 1250, names: 1 },
        { month: "2027-10", currency: "EUR", minor: 2500, names: 2 },
        { month: "2027-01", currency: null, minor: 900, names: 1 },
      ],
    });
    const { container } = render(<Home />);
    expect(await screen.findByText("€37.50")).toBeDefined();
    const [euros, others] = [...container.querySelectorAll("figure")];
    const heights = [...(euros?.querySelectorAll("rect") ?? [])].map((bar) =>
      bar.getAttribute("height"),
    );
    expect(heights).toEqual(["20", ...Array.from({ length: 10 }, () => "0"), "40"]);
    expect(container.querySelector("[style]") === null).toBe(true);
    const row = within(euros ?? container)
      .getByText("October 2027")
      .closest("tr");
    expect(row?.textContent).toBe("October 20272€25.00");
    expect(others?.textContent).toContain("9.00, currency missing");
    expect(screen.getByText(/2 names expire in these months/)).toBeDefined();
  });

  test("says what changed lately, and leads to the name", async () => {
    const change = { at: "2026-11-20T10:00:00Z", by: "ada@example.com", domainId: "1" };
    const fields = [
      { field: "autoRenew", before: null, after: true },
      { field: "expires", before: null, after: null },
    ];
    holds({
      total: 9,
      changes: [
        { ...change, id: "2", action: "edited", name: "bücher.example", fields },
        { ...change, id: "1", action: "deleted", name: "gone.example", fields: [] },
      ],
    });
    render(<Home />);
    const link = await screen.findByRole("link", { name: "bücher.example" });
    expect(link.getAttribute("href")).toBe("/domains/xn--bcher-kva.example");
    expect(screen.getByText("xn--bcher-kva.example")).toBeDefined();
    expect(screen.getByText("auto-renew, expiry · ada@example.com")).toBeDefined();
    expect(screen.getByText("deleted · ada@example.com")).toBeDefined();
    expect(screen.queryByRole("link", { name: "gone.example" }) === null).toBe(true);
  });

  test("holds the whole list where there are a few names", async () => {
    holds({ total: 2 });
    render(<Home />);
    expect(await screen.findByRole("link", { name: "few.example" })).toBeDefined();
    expect(screen.getByText("no date known")).toBeDefined();
  });

  test("keeps the list to the domains screen where there are many", async () => {
    holds({ total: 9, unpriced: 1 });
    render(<Home />);
    await screen.findByText(/1 name expires in these months/);
    expect(api.sent("GET /api/domains")).toHaveLength(0);
  });

  test("takes pasted names to the import", async () => {
    holds({});
    render(<Home />);
    expect(await screen.findByRole("heading", { name: "No names yet" })).toBeDefined();
    expect(screen.getByRole("link", { name: "Add a name" }).getAttribute("href")).toBe(
      "/domains?add",
    );
    fireEvent.click(screen.getByRole("button", { name: "Read these names" }));
    expect(screen.getByText(/Paste at least one name/)).toBeDefined();
    fireEvent.change(screen.getByLabelText("Or paste names"), {
      target: { value: " one.example\ntwo.example " },
    });
    fireEvent.click(screen.getByRole("button", { name: "Read these names" }));
    expect(location.pathname).toBe("/domains/import");
    expect(await readPendingImport()?.text()).toBe("one.example\ntwo.example");
    dropPendingImport();
  });

  test("keeps pasted names while the screen is left", async () => {
    holds({});
    const box = () => screen.findByLabelText<HTMLTextAreaElement>("Or paste names");
    const { unmount } = render(<Home />);
    fireEvent.change(await box(), { target: { value: "one.example" } });
    unmount();
    render(<Home />);
    expect((await box()).value).toBe("one.example");
  });

  test("takes a chosen file to the import", async () => {
    holds({});
    render(<Home />);
    const file = new File(["Domain\none.example"], "export.csv");
    const input = await screen.findByLabelText(/Drop a registrar/);
    Object.defineProperty(input, "files", { value: [file], configurable: true });
    fireEvent.change(input);
    expect(location.pathname).toBe("/domains/import");
    expect(readPendingImport()?.name).toBe("export.csv");
    dropPendingImport();
  });

  test("says whose register it is", async () => {
    holds({});
    render(<Home />);
    expect((await screen.findByText("ada@example.com")).closest("p")?.textContent).toContain(
      "Signed in as",
    );
  });

  test("offers to try again when nothing came", async () => {
    api.answer = () => problem(503, "The database cannot be reached.");
    render(<Home />);
    expect((await screen.findByRole("alert")).textContent).toContain("database cannot be reached");
    holds({ total: 9 });
    const again = screen.getByRole("button", { name: "Try again" });
    again.focus();
    fireEvent.click(again);
    expect(await screen.findByRole("link", { name: "9 names" })).toBeDefined();
    expect(screen.queryByRole("alert") === null).toBe(true);
    await expectFocus(() => screen.getByRole("heading", { level: 1 }));
  });

  test("keeps older numbers, and says so, when newer ones do not come", async () => {
    holds({ total: 9 });
    render(<Home />);
    await screen.findByRole("link", { name: "9 names" });
    // Signed out elsewhere and in again: everything is asked for once more.
    api.answer = () => problem(503, "The database cannot be reached.");
    api.session = { state: "signed-out" };
    await act(() => refreshSession());
    api.session = ada;
    await act(() => refreshSession());
    expect((await screen.findByRole("alert")).textContent).toContain("database cannot be reached");
    expect(screen.getByRole("link", { name: "9 names" })).toBeDefined();
  });

  test("asks again when somebody comes back to it", async () => {
    holds({ total: 9 });
    render(<Home />);
    await screen.findByRole("link", { name: "9 names" });
    holds({ total: 10 });
    document.dispatchEvent(new Event("visibilitychange"));
    expect(await screen.findByRole("link", { name: "10 names" })).toBeDefined();
  });

  test("refuses an answer of another shape", async () => {
    api.answer = () => Response.json({ domains: [] });
    render(<Home />);
    expect((await screen.findByRole("alert")).textContent).toContain("not a backend");
  });
});
