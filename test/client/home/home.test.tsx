import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { renderToString } from "react-dom/server";
import type { Domain } from "../../../src/shared/domain.ts";
import type { Summary, WorkGroup } from "../../../src/shared/register.ts";
import { formatDayDigits } from "../../../src/client/ui/day-box.tsx";
import Home from "../../../src/client/home/home.tsx";
import {
  readPendingImport,
  setPendingImport,
} from "../../../src/client/register/pending-import.ts";
import { invalidate } from "../../../src/client/register/resource.ts";
import { refreshSession } from "../../../src/client/session/session-store.ts";
import { ErrorBoundary } from "../../../src/client/shell/error-boundary.tsx";
import { NotificationList } from "../../../src/client/shell/notification-list.tsx";
import { clearNotifications } from "../../../src/client/ui/notifications.ts";
import { expectAbsent, expectFocus } from "../../support/elements.ts";
import { type ApiCall, domainOf, fakeApi, problem } from "../../support/fake-api.ts";

const api = fakeApi();
const ada = { state: "signed-in", email: "ada@example.com" } as const;

const expiring = (name: string, date: string, known: Partial<Domain> = {}) =>
  domainOf(name, {
    expires: { date, source: "manual", observedAt: "", conflict: false, alternatives: [] },
    ...known,
  });

/** A group of work with some of its counts. */
const groupOf = (items: Domain[], counts: Partial<WorkGroup> = {}): WorkGroup => ({
  total: items.length,
  lapsed: 0,
  week: items.length,
  days30: 0,
  days60: 0,
  items,
  ...counts,
});
const nothing = { expired: groupOf([]), undecided: groupOf([]), todo: groupOf([]) };

/** Answers with a summary of which only some is of interest, and takes every change. */
function holds(
  known: Partial<Summary>,
  more: (call: ApiCall) => Response | undefined = () => undefined,
) {
  const summary: Summary = {
    today: "2026-11-21",
    leadDays: 60,
    total: 0,
    work: nothing,
    next: null,
    unknown: 0,
    lapsed: 0,
    conflicts: 0,
    expiries: [],
    costs: [],
    unpriced: 0,
    changes: [],
    sample: false,
    checks: { ask: false, reach: null, critical: 0, items: [] },
    reminders: { on: true, channels: 1, calendars: 0, broken: [], late: null },
    views: [{ id: "1", name: "Shops", query: "tag=shop" }],
    settings: { leadDays: 60, currency: "EUR", rates: { USD: 0.5 } },
    domains: [],
    ...known,
  };
  api.answer = (call) => {
    const summarised = call.path === "/api/summary" && Response.json(summary);
    return more(call) ?? (summarised || problem(404, "Nothing here."));
  };
}

/** Takes every change of one domain; its version goes up. */
const saves = ({ method, path }: ApiCall) =>
  method === "GET" || !path.startsWith("/api/domains/")
    ? undefined
    : Response.json({
        ...domainOf("saved.example"),
        id: path.split("/")[3] ?? "",
        version: 2,
        operation: "op-1",
      });

const heading = (name: string | RegExp) => screen.findByRole("heading", { name });
const button = (name: string) => screen.getByRole("button", { name });
const sectionOf = async (name: RegExp) => (await heading(name)).closest("section") ?? document.body;
const namesIn = (section: HTMLElement) =>
  within(section)
    .queryAllByRole("link")
    .map(({ textContent }) => textContent)
    .filter((text) => text.endsWith(".example"));

beforeEach(async () => {
  setSystemTime(new Date(2026, 10, 21, 12));
  await api.enter(ada);
});
afterEach(() => {
  act(clearNotifications);
  setSystemTime();
});

describe("Home", () => {
  test("has its heading in the markup of the server", () => {
    expect(renderToString(<Home />)).toContain(">Home</h1>");
  });

  test("shows the work in three groups, each by date and with a link to all of it", async () => {
    holds({
      total: 1234,
      work: {
        expired: groupOf(
          [
            expiring("card.example", "2026-11-19", { autoRenew: true }),
            expiring("old.example", "2026-09-01", { autoRenew: false }),
          ],
          { total: 14, lapsed: 13 },
        ),
        undecided: groupOf(
          [
            expiring("xn--bcher-kva.example", "2026-11-22", { unicode: "bücher.example" }),
            expiring("month.example", "2026-12-11", { autoRenew: false }),
          ],
          { total: 57, week: 1, days30: 6, days60: 50 },
        ),
        todo: groupOf([
          expiring("a.example", "2026-11-23", { decision: "keep", registrar: "Gandi" }),
          expiring("b.example", "2026-11-24", { decision: "transfer", registrar: "Gandi" }),
          expiring("c.example", "2026-11-25", { decision: "drop", autoRenew: true }),
        ]),
      },
    });
    render(<Home />);
    const expired = await sectionOf(/^Expired/);
    const link = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    const groups = screen.getAllByRole("heading", { level: 2 }).slice(0, 3);
    expect(groups.map((group) => group.querySelector("a")?.getAttribute("href"))).toEqual([
      "/domains?work=expired",
      "/domains?work=undecided",
      "/domains?work=todo",
    ]);
    expect(link("bücher.example")).toBe("/domains/xn--bcher-kva.example");
    expect(within(expired).getByText("Expired although it should have renewed")).toBeDefined();
    const fold = within(expired).getByText(/^Expired more than 45 days ago/);
    expect(fold.textContent).toBe("Expired more than 45 days ago: 13 domains");
    expect(link("Show in the list")).toBe("/domains?work=expired&expiresBefore=2026-10-07");
    expect(fold.closest("details")?.textContent).toContain("old.example");
    const undecided = await sectionOf(/^Undecided/);
    const parts = within(undecided).getAllByRole("heading", { level: 3 });
    expect(parts.map(({ textContent }) => textContent)).toEqual([
      "This week 1 domain",
      "Within 30 days 6 domains",
      "Within 60 days 50 domains",
    ]);
    expect(within(undecided).getByText("tomorrow")).toBeDefined();
    expect(link("6 domains")).toBe(
      "/domains?work=undecided&expiresFrom=2026-11-29&expiresBefore=2026-12-22",
    );
    expect(link("Show 55 more")).toBe("/domains?work=undecided");
    for (const text of [
      "Renew it at Gandi",
      "Start the transfer from Gandi",
      "Turn off auto-renew",
    ])
      expect(screen.getByText(text)).toBeDefined();
    expect(api.sent("GET /api/summary")[0]?.query.get("today")).toBe("2026-11-21");
  });

  test("decides by one click or key; the row leaves, the next has the focus, and Undo is offered", async () => {
    const items = ["one.example", "two.example", "three.example"].map((name) =>
      expiring(name, "2026-11-25"),
    );
    holds({ total: 9, work: { ...nothing, undecided: groupOf(items) } }, saves);
    render(
      <>
        <Home />
        <NotificationList />
      </>,
    );
    const section = await sectionOf(/^Undecided 3 domains/);
    const keep = button("Keep one.example");
    keep.focus();
    fireEvent.click(keep);
    await expectFocus(() => button("Keep two.example"));
    expect(namesIn(section)).toEqual(["two.example", "three.example"]);
    expect(await heading("Undecided 2 domains")).toBeDefined();
    const [sent] = api.sent("PATCH /api/domains/id-one.example");
    expect(sent?.body).toEqual({ decision: "keep" });
    expect(sent?.headers.get("if-match")).toBe('"1"');
    expect(await screen.findByText("You decided to keep one.example.")).toBeDefined();
    expect(button("Undo")).toBeDefined();

    screen.getByRole("link", { name: "two.example" }).focus();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowDown" });
    await expectFocus(() => screen.getByRole("link", { name: "three.example" }));
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "d" });
    await expectFocus(() => screen.getByRole("link", { name: "two.example" }));
    expect(api.sent("PATCH /api/domains/id-three.example")[0]?.body).toEqual({ decision: "drop" });

    // Undone meanwhile, or changed again: a newer version is shown.
    const again = { ...expiring("one.example", "2026-11-25"), version: 3 };
    holds({ total: 9, work: { ...nothing, undecided: groupOf([again, ...items.slice(1)]) } });
    act(() => invalidate("/api/"));
    await waitFor(() => expect(namesIn(section)).toEqual(["one.example", "two.example"]));
  });

  test("takes a key once, however long it is held, and none with a modifier or below a dialog", async () => {
    const items = ["one.example", "two.example", "three.example"].map((name) =>
      expiring(name, "2026-12-25"),
    );
    const undecided = groupOf(items, { week: 0, days60: 3 });
    holds({ total: 9, work: { ...nothing, undecided } }, saves);
    render(<Home />);
    await sectionOf(/^Undecided 3 domains/);
    const press = (key: string, how: object = {}) =>
      fireEvent.keyDown(document.activeElement ?? document.body, { key, ...how });
    button("Drop one.example").focus();
    press("d", { ctrlKey: true });
    press("d");
    await expectFocus(() => button("Drop two.example"));
    press("d", { repeat: true });
    press("d", { repeat: true });
    // Enter would press the button that has the focus now, as long as it is held.
    expect(press("Enter", { repeat: true })).toBe(false);
    press("l");
    await screen.findByLabelText("Remind me again on");
    fireEvent.keyDown(button("Drop two.example"), { key: "d" });
    const sent = api.calls.filter(({ method }) => method === "PATCH");
    expect(sent.map(({ path }) => path)).toEqual(["/api/domains/id-one.example"]);
  });

  test("brings a row back where the server refuses the decision", async () => {
    const work = { ...nothing, undecided: groupOf([expiring("one.example", "2026-11-25")]) };
    holds({ total: 9, work }, ({ method }) =>
      method === "PATCH" ? problem(412, "Someone else has changed it.") : undefined,
    );
    render(
      <>
        <Home />
        <NotificationList />
      </>,
    );
    await heading(/^Undecided/);
    fireEvent.click(button("Transfer one.example"));
    expect(
      await screen.findByText(
        "Your change to one.example was not saved. Someone else has changed it.",
      ),
    ).toBeDefined();
    expect(button("Transfer one.example")).toBeDefined();
  });

  test("marks a to-do as done, with the new expiry or until an import shows it", async () => {
    const todo = groupOf([
      expiring("a.example", "2026-11-23", { decision: "keep" }),
      expiring("b.example", "2026-11-24", { decision: "transfer" }),
      expiring("c.example", "2026-11-25", { decision: "drop", autoRenew: true }),
    ]);
    const expired = groupOf([expiring("late.example", "2026-11-19")]);
    holds({ total: 9, work: { ...nothing, expired, todo } }, saves);
    render(<Home />);
    await heading(/^To do/);
    fireEvent.click(button("Done a.example"));
    const box = await screen.findByLabelText<HTMLInputElement>("New expiry date");
    expect(box.value).toBe(formatDayDigits("2027-11-23"));
    fireEvent.change(box, { target: { value: "2028-11-23" } });
    fireEvent.click(button("Save"));
    fireEvent.click(await screen.findByRole("button", { name: "Done b.example" }));
    expect(await screen.findByRole("dialog", { name: "b.example was transferred" })).toBeDefined();
    fireEvent.click(await screen.findByRole("button", { name: "Wait for the next import" }));
    fireEvent.click(await screen.findByRole("button", { name: "Done c.example" }));
    fireEvent.click(button("Done late.example"));
    await screen.findByLabelText("New expiry date");
    // Only a new date ends that alarm.
    expectAbsent(screen.queryByRole("button", { name: "Wait for the next import" }));
    fireEvent.click(button("Save"));
    const sent = (name: string) => api.sent(`PATCH /api/domains/id-${name}`)[0]?.body;
    expect(sent("a.example")).toEqual({ expires: "2028-11-23" });
    expect(sent("b.example")).toEqual({ doneFor: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) });
    expect(sent("c.example")).toEqual({ autoRenew: false });
    expect(sent("late.example")).toEqual({ expires: "2027-11-19" });
    expect(await heading("All clear")).toBeDefined();
  });

  test("puts reminders off, or ends them, in the row that the key is pressed in", async () => {
    const expiresOn = "2026-12-11";
    const known = { by: "bob@example.com", at: "2026-11-20T10:00:00Z", expiresOn };
    const handled = { ...known, until: "2026-12-01" };
    const items = [
      expiring("soon.example", "2026-11-22"),
      expiring("open.example", "2026-12-10"),
      expiring("snoozed.example", expiresOn, { handled }),
    ];
    const undecided = groupOf(items, { week: 1, days30: 2 });
    holds({ total: 9, work: { ...nothing, undecided } }, saves);
    render(
      <>
        <Home />
        <NotificationList />
      </>,
    );
    await heading(/^Undecided/);
    const row = screen.getByText(/Snoozed until Dec 1, 2026/);
    expect(row.closest("li")?.textContent).toContain("snoozed.example");
    // The last reminders come in any case.
    expectAbsent(screen.queryByRole("button", { name: "Later soon.example" }));
    screen.getByRole("link", { name: "open.example" }).focus();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "l" });
    const box = await screen.findByLabelText<HTMLInputElement>("Remind me again on");
    expect(box.value).toBe(formatDayDigits("2026-11-28"));
    fireEvent.change(box, { target: { value: "2026-12-10" } });
    fireEvent.click(button("Remind me then"));
    expect(screen.getByText(/December 9, 2026 at the latest/)).toBeDefined();
    fireEvent.change(box, { target: { value: "2026-12-09" } });
    fireEvent.click(button("Remind me then"));
    expect(await screen.findByText(/reminded of open.example on December 9, 2026/)).toBeDefined();
    expect(button("Undo")).toBeDefined();
    fireEvent.click(button("Later snoozed.example"));
    fireEvent.click(await screen.findByRole("button", { name: "Remind me as usual" }));
    await waitFor(() =>
      expect(api.sent("DELETE /api/domains/id-snoozed.example/handled")).toHaveLength(1),
    );
    fireEvent.click(button("Later open.example"));
    fireEvent.click(await screen.findByRole("button", { name: "No more reminders" }));
    await screen.findByText("You acknowledged open.example: no more reminders.");
    const sent = api.sent("PUT /api/domains/id-open.example/handled");
    expect(sent.map(({ body }) => body)).toEqual([{ until: "2026-12-09" }, { until: null }]);
  });

  test("says until it is dismissed that nobody is told, and ever again that nobody is left", async () => {
    const nobody = { on: false, channels: 0, calendars: 0, broken: [], late: null };
    holds({ total: 9, reminders: nobody });
    const { unmount } = render(<Home />);
    const link = await screen.findByRole("link", { name: "Set up reminders" });
    expect(link.getAttribute("href")).toBe("/settings/reminders");
    fireEvent.click(button("Dismiss"));
    expectAbsent(screen.queryByText(/^Nobody is told/));
    unmount();
    // The answer of the last visit is seconds old.
    setSystemTime(new Date(2026, 10, 21, 13));
    holds({ total: 9, reminders: { ...nobody, on: true } });
    render(<Home />);
    expect((await screen.findByRole("alert")).textContent).toContain("Nobody is told");
    expectAbsent(screen.queryByRole("button", { name: "Dismiss" }));
    localStorage.clear();
  });

  test("says which channel fails and why, and that reminders came late", async () => {
    const broken = [{ id: "c1", name: "Ops", state: "broken", lastError: "HTTP 410: gone" }];
    const late = { from: "2026-11-18T10:00:00Z", to: "2026-11-20T10:00:00Z", names: 12 };
    holds({ total: 9, reminders: { on: true, channels: 1, calendars: 0, broken, late } });
    render(<Home />);
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("Reminders don’t reach Ops: the channel is broken.");
    expect(alert.textContent).toContain("HTTP 410: gone");
    expect(within(alert).getByRole("link").getAttribute("href")).toBe("/settings/reminders");
    expect(screen.getByText(/Reminders for 12 domains came late\./)).toBeDefined();
  });

  test("says so when nothing is left to do, and what comes next", async () => {
    holds({ total: 9, next: { date: "2027-05-05", names: 2 } });
    render(<Home />);
    expect(await heading("All clear")).toBeDefined();
    expect(screen.getByText("Nothing needs you in the next 60 days.")).toBeDefined();
    expect(screen.getByRole("link", { name: "2 domains" }).getAttribute("href")).toBe(
      "/domains?expiresFrom=2027-05-05&expiresBefore=2027-05-06",
    );
    expect(screen.getByText(/May 5, 2027, in 5 months/)).toBeDefined();
  });

  test("leads everywhere: search, list, import, adding, views, what is missing, settings", async () => {
    holds({ total: 1234, unknown: 12, conflicts: 3 });
    render(<Home />);
    for (const [name, href] of [
      ["Shops", "/domains?tag=shop"],
      ["All domains", "/domains"],
      ["Import", "/domains/import"],
      ["Add a domain", "/domains?add"],
      ["1,234 domains", "/domains"],
      ["12 with no expiry date", "/domains?expires=none"],
      ["3 with conflicting expiry dates", "/domains?expires=conflict"],
      ["Registrars", "/registrars"],
      ["Costs", "/costs"],
      ["Settings", "/settings"],
    ] as const) {
      expect((await screen.findByRole("link", { name })).getAttribute("href")).toBe(href);
    }
    expectAbsent(screen.queryByRole("heading", { name: "All domains" }));
    const box = screen.getByRole("searchbox", { name: "Search domains" });
    fireEvent.change(box, { target: { value: " über " } });
    fireEvent.submit(box);
    expect(location.pathname + location.search).toBe("/domains?q=%C3%BCber");
  });

  test("draws twelve months of expiries, each a link, with what they cost", async () => {
    holds({
      total: 9,
      unpriced: 2,
      expiries: Array.from({ length: 12 }, (_, at) => ({
        month: `${at < 2 ? 2026 : 2027}-${String(((at + 10) % 12) + 1).padStart(2, "0")}`,
        names: { 0: 2, 11: 4 }[at] ?? 0,
        renewing: at === 0 ? 1 : 0,
      })),
      costs: [
        { month: "2026-11", currency: "EUR", minor: 1250, renewing: 1000, names: 1 },
        { month: "2027-10", currency: "EUR", minor: 2500, renewing: 0, names: 2 },
        { month: "2027-10", currency: "USD", minor: 900, renewing: 0, names: 1 },
      ],
    });
    const { container } = render(<Home />);
    const section = await sectionOf(/^Next 12 months/);
    const bars = [...section.querySelectorAll("svg")].map((bar) =>
      [...bar.querySelectorAll("rect")].map((part) => part.getAttribute("height")),
    );
    const none = Array.from({ length: 10 }, () => ["0", "0"]);
    expect(bars).toEqual([["25", "25"], ...none, ["100", "0"]]);
    expectAbsent(container.querySelector("[style]"));
    const october = "October 2027: 4 domains, 0 renewing automatically, €25.00 + $9.00";
    expect(within(section).getByRole("link", { name: october }).getAttribute("href")).toBe(
      "/domains?expiresFrom=2027-10-01&expiresBefore=2027-11-01",
    );
    expect(section.textContent).toContain("€37.50, of which €10.00 renews automatically");
    expect(await within(section).findByText("€42.00")).toBeDefined();
    const row = within(section).getByText("October 2027").closest("tr");
    expect(row?.textContent).toBe("October 202740€25.00 + $9.00");
    expect(section.textContent).toContain("2 renewals have no price yet.");
    expect(screen.getByRole("link", { name: "Add prices" }).getAttribute("href")).toBe(
      "/domains?price=none&decision=%21drop&expiresFrom=2026-11-01&expiresBefore=2027-11-01",
    );
  });

  test("shows an import as one line, and other changes by domain", async () => {
    const at = "2026-11-20T10:00:00Z";
    const by = "ada@example.com";
    const changeOf = (name: string, fields: string[] = []) => ({
      id: name,
      at,
      by,
      action: "edited" as const,
      name,
      domainId: name,
      fields: fields.map((field) => ({ field, before: null, after: null })),
    });
    const one = { operation: null, import: null, fileName: null, at, by, names: 1 };
    holds({
      total: 9,
      changes: [
        {
          ...one,
          import: "i1",
          fileName: "godaddy.csv",
          action: "added",
          names: 140,
          items: [changeOf("a.example")],
        },
        { ...one, action: "edited", items: [changeOf("pаypal.com", ["autoRenew", "expires"])] },
        {
          ...one,
          operation: "o1",
          action: "edited",
          names: 57,
          items: [changeOf("b.example"), changeOf("c.example")],
        },
        { ...one, action: "deleted", items: [changeOf("gone.example")] },
      ],
    });
    render(<Home />);
    const section = await sectionOf(/^Recent changes/);
    const lines = within(section).getAllByRole("listitem");
    expect(lines.map((line) => line.querySelector("span")?.textContent)).toEqual([
      "godaddy.csv: 140 domains addeda.example · ada@example.com",
      "pаypal.comPossible lookalike · xn--pypal-4ve.comauto-renew, expiry date · ada@example.com",
      "57 domains editedb.example, c.example · ada@example.com",
      "gone.exampledeleted · ada@example.com",
    ]);
    const hrefs = within(section).getAllByRole("link");
    expect(hrefs.map((link) => link.getAttribute("href"))).toEqual([
      "/domains?import=i1",
      "/domains/xn--pypal-4ve.com",
    ]);
  });

  test("lists all domains of a small register", async () => {
    const domains = [expiring("few.example", "2027-05-05"), domainOf("none.example")];
    holds({ total: 2, domains });
    render(<Home />);
    expect(await screen.findByRole("link", { name: "few.example" })).toBeDefined();
    expect(screen.getByText("No expiry date")).toBeDefined();
  });

  test("fills an empty register with sample data, and removes it", async () => {
    const takes = ({ path }: ApiCall) =>
      path === "/api/sample" ? new Response(null, { status: 204 }) : undefined;
    holds({}, takes);
    render(<Home />);
    const look = await screen.findByRole("button", { name: "Look around with sample data" });
    holds({ total: 9, sample: true }, takes);
    fireEvent.click(look);
    expect(await screen.findByText(/You are looking at sample data/)).toBeDefined();
    holds({}, takes);
    fireEvent.click(button("Remove sample data"));
    await heading("Add your first domains");
    const sent = api.calls.filter(({ path }) => path === "/api/sample");
    expect(sent.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
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
    const [alert] = await screen.findAllByRole("alert");
    expect(alert?.textContent).toContain("database cannot be reached");
    expect(screen.getByRole("link", { name: "9 domains" })).toBeDefined();
  });

  test("asks once, and once more when somebody comes back to it after a while", async () => {
    holds({ total: 9 });
    render(<Home />);
    await screen.findByRole("link", { name: "9 domains" });
    const asked = () => api.calls.filter(({ path }) => path !== "/api/token").length;
    const comeBack = () => act(() => void document.dispatchEvent(new Event("visibilitychange")));
    holds({ total: 10 });
    comeBack();
    expect(asked()).toBe(1);
    setSystemTime(new Date(2026, 10, 21, 13));
    comeBack();
    expect(await screen.findByRole("link", { name: "10 domains" })).toBeDefined();
    expect(asked()).toBe(2);
  });

  test("refuses an answer of another shape", async () => {
    api.answer = () => Response.json({ domains: [] });
    render(
      <ErrorBoundary resetKey="">
        <Home />
      </ErrorBoundary>,
    );
    expect((await screen.findByRole("alert")).textContent).toContain("Something went wrong");
  });

  test.each([
    [
      "silent",
      "Live checks can’t reach the internet. Last answer: never. Your dates come from imports only.",
    ],
    ["partly", "Registries have never answered. Without them, dates come from imports only."],
  ] as const)("says once who does not answer live checks: %s", async (state, text) => {
    const kinds = [{ kind: "registry" as const, answeredAt: null, isSilent: true }];
    const reach = { state, answeredAt: null, kinds };
    holds({ total: 20, checks: { ask: false, critical: 0, items: [], reach } });
    render(<Home />);
    const open = await screen.findByRole("link", { name: "What to open" });
    expect(open.getAttribute("href")).toBe("/checks");
    expect(open.parentElement?.textContent).toBe(`${text}What to open`);
  });

  test("asks once for live checks, and shows what they found to be critical", async () => {
    const finding = {
      code: "client-hold",
      label: "Suspended by the registrar",
      severity: "critical",
      since: "2026-11-01T10:00:00Z",
      text: "Status: client hold",
      advice: "Ask the registrar why.",
    } as const;
    const items = [{ name: "held.example", unicode: "held.example", findings: [finding] }];
    const checks = { ask: true, reach: null, critical: 12, items };
    holds({ total: 20, checks }, ({ path }) => {
      if (path !== "/api/checks") return undefined;
      holds({ total: 20, checks: { ...checks, ask: false } });
      return Response.json({});
    });
    render(<Home />);
    const all = await screen.findByRole("link", { name: "12 domains" });
    expect(all.getAttribute("href")).toBe("/domains?finding=critical");
    expect(screen.getByText("Suspended by the registrar")).toBeDefined();
    expect(screen.getByText("Ask the registrar why.")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Not now" }));
    await waitFor(() => expectAbsent(screen.queryByText("Check your domains live?")));
    expect(api.sent("PUT /api/checks")[0]?.body).toEqual({ on: false });
  });
});
