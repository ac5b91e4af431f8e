import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { renderToString } from "react-dom/server";
import type { RecentChange, Summary } from "../../../src/shared/register.ts";
import Home from "../../../src/client/home/home.tsx";
import { readPendingImport, setPendingImport } from "../../../src/client/session/pending-import.ts";
import { refreshSession } from "../../../src/client/session/session-store.ts";
import { expectAbsent, expectFocus } from "../../support/elements.ts";
import { domainOf, fakeApi, pageOf, problem } from "../../support/fake-api.ts";

const api = fakeApi();
const ada = { state: "signed-in", email: "ada@example.com" } as const;

const expiring = (name: string, date: string) =>
  domainOf(name, {
    expires: { date, source: "manual", observedAt: "", conflict: false, alternatives: [] },
  });

const NO_WORK = { total: 0, lapsed: 0, week: 0, days30: 0, days60: 0, items: [] };

/** Answers with a summary of which only some is of interest. */
function holds(known: Partial<Summary>) {
  const summary: Summary = {
    today: "2026-11-21",
    total: 0,
    leadDays: 60,
    work: { expired: NO_WORK, undecided: NO_WORK, todo: NO_WORK },
    next: null,
    unknown: 0,
    conflicts: 0,
    expiries: [],
    costs: [],
    unpriced: 0,
    changes: [],
    sample: false,
    ...known,
  };
  api.answer = ({ path }) =>
    path === "/api/summary"
      ? Response.json(summary)
      : pageOf([expiring("few.example", "2027-05-05"), domainOf("none.example")]);
}

function recent(change: RecentChange["items"][number]): RecentChange {
  const { at, by, action } = change;
  return {
    operation: null,
    import: null,
    fileName: null,
    at,
    by,
    action,
    names: 1,
    items: [change],
  };
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

  test("lists what needs attention, with the time left and the reason", async () => {
    const items = [
      { ...expiring("first.example", "2026-11-22"), autoRenew: false, registrar: "Gandi" },
      { ...expiring("xn--bcher-kva.example", "2026-11-20"), unicode: "bücher.example" },
    ];
    const undecided = { ...NO_WORK, total: 56, items };
    holds({ total: 1234, work: { expired: NO_WORK, undecided, todo: NO_WORK } });
    render(<Home />);
    const all = await screen.findByRole("link", { name: "56 domains" });
    expect(all.getAttribute("href")).toBe("/domains?work=undecided");
    const first = screen.getByRole("link", { name: "first.example" });
    expect(first.getAttribute("href")).toBe("/domains/first.example");
    expect(screen.getByText("tomorrow")).toBeDefined();
    expect(screen.getByText("expired yesterday")).toBeDefined();
    expect(screen.getByText("Gandi · auto-renew off")).toBeDefined();
    expect(screen.getByText("xn--bcher-kva.example")).toBeDefined();
    expect(screen.getByText("auto-renew unknown")).toBeDefined();
    expect(api.sent("GET /api/summary")[0]?.query.get("today")).toBe("2026-11-21");
  });

  test("marks lookalike names, and no others", async () => {
    const twin = { name: "xn--80ak6aa92e.com", unicode: "аррӏе.com" };
    const change = { id: "1", at: "2026-11-20T10:00:00Z", by: "ada@example.com", domainId: "1" };
    const items = [
      { ...expiring(twin.name, "2026-11-22"), ...twin },
      { ...expiring("xn--bcher-kva.example", "2026-11-20"), unicode: "bücher.example" },
    ];
    const changes = [recent({ ...change, action: "added", name: "pаypal.com", fields: [] })];
    const undecided = { ...NO_WORK, total: 2, items };
    holds({ total: 9, work: { expired: NO_WORK, undecided, todo: NO_WORK }, changes });
    render(<Home />);
    // Recent changes come in a chunk of their own, after the rest.
    await waitFor(() => {
      const marks = screen.getAllByText(/^Possible lookalike/);
      const marked = marks.map((mark) => mark.closest("li")?.querySelector("a")?.textContent);
      expect(marked).toEqual(["аррӏе.com", "pаypal.com"]);
    });
  });

  test("says so when nothing needs attention", async () => {
    holds({ total: 9 });
    render(<Home />);
    expect(await screen.findByText(/^All clear/)).toBeDefined();
  });

  test("links each count to the domains it counts", async () => {
    holds({ total: 1234, unknown: 12, conflicts: 3 });
    render(<Home />);
    for (const [name, href] of [
      ["1,234 domains", "/domains"],
      ["12 with no expiry date", "/domains?expires=none"],
      ["3 with conflicting expiry dates", "/domains?expires=conflict"],
    ] as const) {
      expect((await screen.findByRole("link", { name })).getAttribute("href")).toBe(href);
    }
  });

  test("draws the renewal costs of twelve months, and shows them as a table", async () => {
    holds({
      total: 9,
      unpriced: 2,
      costs: [
        { month: "2026-11", currency: "EUR", minor: 1250, renewing: 0, names: 1 },
        { month: "2027-10", currency: "EUR", minor: 2500, renewing: 0, names: 2 },
        { month: "2027-01", currency: null, minor: 900, renewing: 0, names: 1 },
      ],
    });
    const { container } = render(<Home />);
    expect(await screen.findByText("€37.50")).toBeDefined();
    const [euros, others] = [...container.querySelectorAll("figure")];
    const heights = [...(euros?.querySelectorAll("rect") ?? [])].map((bar) =>
      bar.getAttribute("height"),
    );
    expect(heights).toEqual(["20", ...Array.from({ length: 10 }, () => "0"), "40"]);
    expectAbsent(container.querySelector("[style]"));
    const row = within(euros ?? container)
      .getByText("October 2027")
      .closest("tr");
    expect(row?.textContent).toBe("October 20272€25.00");
    expect(others?.textContent).toContain("9.00, currency missing");
    expect(screen.getByText(/2 more renewals have no price yet/)).toBeDefined();
  });

  test("lists recent changes with links to their domains", async () => {
    const change = { at: "2026-11-20T10:00:00Z", by: "ada@example.com", domainId: "1" };
    const fields = [
      { field: "autoRenew", before: null, after: true },
      { field: "expires", before: null, after: null },
    ];
    holds({
      total: 9,
      changes: [
        recent({ ...change, id: "2", action: "edited", name: "bücher.example", fields }),
        recent({ ...change, id: "1", action: "deleted", name: "gone.example", fields: [] }),
      ],
    });
    render(<Home />);
    const link = await screen.findByRole("link", { name: "bücher.example" });
    expect(link.getAttribute("href")).toBe("/domains/xn--bcher-kva.example");
    expect(screen.getByText("xn--bcher-kva.example")).toBeDefined();
    expect(screen.getByText("auto-renew, expiry date · ada@example.com")).toBeDefined();
    expect(screen.getByText("deleted · ada@example.com")).toBeDefined();
    expectAbsent(screen.queryByRole("link", { name: "gone.example" }));
  });

  test("lists all domains of a small register", async () => {
    holds({ total: 2 });
    render(<Home />);
    expect(await screen.findByRole("link", { name: "few.example" })).toBeDefined();
    expect(screen.getByText("No expiry date")).toBeDefined();
  });

  test("leaves the list of a larger register to the domains screen", async () => {
    holds({ total: 9, unpriced: 1 });
    render(<Home />);
    await screen.findByText(/1 renewal has no price yet/);
    expect(api.sent("GET /api/domains")).toHaveLength(0);
  });

  test("takes pasted domains to the import", async () => {
    holds({});
    render(<Home />);
    expect(await screen.findByRole("heading", { name: "Add your first domains" })).toBeDefined();
    expect(screen.getByRole("link", { name: "Add a domain" }).getAttribute("href")).toBe(
      "/domains?add",
    );
    fireEvent.click(screen.getByRole("button", { name: "Review domains" }));
    expect(screen.getByText(/Paste at least one domain/)).toBeDefined();
    fireEvent.change(screen.getByLabelText("Or paste domains"), {
      target: { value: " one.example\ntwo.example " },
    });
    fireEvent.click(screen.getByRole("button", { name: "Review domains" }));
    expect(location.pathname).toBe("/domains/import");
    expect(await readPendingImport()[0]?.text()).toBe("one.example\ntwo.example");
    setPendingImport([]);
  });

  test("keeps pasted domains while the screen is left", async () => {
    holds({});
    const box = () => screen.findByLabelText<HTMLTextAreaElement>("Or paste domains");
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
    const input = await screen.findByLabelText(/Drop a registrar export/);
    Object.defineProperty(input, "files", { value: [file], configurable: true });
    fireEvent.change(input);
    expect(location.pathname).toBe("/domains/import");
    expect(readPendingImport()[0]?.name).toBe("export.csv");
    setPendingImport([]);
  });

  test("names the person who is signed in", async () => {
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
    expect(await screen.findByRole("link", { name: "9 domains" })).toBeDefined();
    expectAbsent(screen.queryByRole("alert"));
    await expectFocus(() => screen.getByRole("heading", { level: 1 }));
  });

  test("keeps older numbers, and says so, when newer ones do not come", async () => {
    holds({ total: 9 });
    render(<Home />);
    await screen.findByRole("link", { name: "9 domains" });
    // Signed out elsewhere and in again: everything is asked for once more.
    api.answer = () => problem(503, "The database cannot be reached.");
    api.session = { state: "signed-out" };
    await act(() => refreshSession());
    api.session = ada;
    await act(() => refreshSession());
    expect((await screen.findByRole("alert")).textContent).toContain("database cannot be reached");
    expect(screen.getByRole("link", { name: "9 domains" })).toBeDefined();
  });

  test("asks again when somebody comes back to it", async () => {
    holds({ total: 9 });
    render(<Home />);
    await screen.findByRole("link", { name: "9 domains" });
    holds({ total: 10 });
    document.dispatchEvent(new Event("visibilitychange"));
    expect(await screen.findByRole("link", { name: "10 domains" })).toBeDefined();
  });

  test("refuses an answer of another shape", async () => {
    api.answer = () => Response.json({ domains: [] });
    render(<Home />);
    expect((await screen.findByRole("alert")).textContent).toContain("unexpected answer");
  });
});
