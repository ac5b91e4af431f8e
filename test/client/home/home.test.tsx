import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import type { Domain } from "../../../src/shared/domain.ts";
import { DEFAULT_SETTINGS } from "../../../src/shared/settings.ts";
import type { RecentChange, Summary, WorkGroup } from "../../../src/shared/register.ts";
import { formatDayDigits } from "../../../src/client/ui/day-box.tsx";
import Home from "../../../src/client/home/home.tsx";
import { pendingFiles } from "../../../src/client/register/pending-import.tsx";
import { invalidate } from "../../../src/client/register/resource.tsx";
import { lastUndoable, notifyUndoable } from "../../../src/client/register/undo.ts";
import { setPreference } from "../../../src/client/ui/preferences.ts";
import {
  expectAbsent,
  expectFocus,
  hrefLater,
  hrefOf,
  press,
  pressLater,
  textsOf,
  type,
} from "../../support/elements.ts";
import { type ApiCall, domainOf, expiryOf, fakeApi, problem } from "../../support/fake-api.ts";
import { renderScreen } from "../../support/render-screen.tsx";

const api = fakeApi("/home");
const ada = { state: "signed-in", email: "ada@example.com" } as const;

const expiring = (name: string, date: string, known: Partial<Domain> = {}) =>
  domainOf(name, { expires: expiryOf(date), ...known });

/** A group of work, of which some more may be there than its first domains. */
const groupOf = (items: Domain[], total = items.length): WorkGroup => ({
  total,
  last: items.at(-1)?.expires?.date ?? null,
  likely: null,
  items,
});
const three = (date: string) =>
  ["one.example", "two.example", "three.example"].map((name) => expiring(name, date));
const none = groupOf([]);
const NO_CHECKS = { ask: false, reach: null };
const nothing = { today: none, expired: none, week: none, days30: none, days60: none, look: none };

/** Answers with a summary of which only some is of interest, and other paths as `more` says. */
function holds(
  known: Partial<Summary>,
  more: ((call: ApiCall) => Response | undefined) | Readonly<Record<string, object>> = {},
) {
  const summary: Summary = {
    today: "2026-11-21",
    person: null,
    mine: 0,
    nobody: 0,
    leadDays: 60,
    total: 0,
    work: nothing,
    next: null,
    renewing: { names: 0, items: [] },
    unknown: 0,
    lapsed: 0,
    archivable: 0,
    conflicts: 0,
    expiries: [],
    costs: [],
    unpriced: 0,
    changes: [],
    sample: false,
    checks: NO_CHECKS,
    accounts: { refused: 0, shrunken: 0, new: 0, vanished: 0 },
    reminders: { on: true, channels: 1, calendars: 0, broken: [], late: null },
    settings: { ...DEFAULT_SETTINGS, currency: "EUR", rates: { USD: 0.5 } },
    ...known,
  };
  api.answer = (call) => {
    const answered = typeof more === "function" && more(call);
    if (answered) return answered;
    const answers: Readonly<Record<string, object>> = { "/api/summary": summary, ...more };
    const json = answers[call.path];
    return json ? Response.json(json) : problem(404, "Nothing here.");
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
const pressKey = (key: string, how: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...how });
const sectionOf = async (name: string | RegExp) =>
  (await heading(name)).closest("section") ?? document.body;
const namesIn = (section: HTMLElement) =>
  textsOf(within(section).queryAllByRole("link")).filter((text) => text.endsWith(".example"));

beforeEach(() => void setSystemTime(new Date(2026, 10, 21, 12)));
afterEach(() => {
  setPreference("dates", "browser");
  setSystemTime();
});

describe("Home", () => {
  test("shows the work by its day, the most urgent first, each group with a link to all of it", async () => {
    const others = ["2026-12-03", "2027-12-01"].map((day) => [day, "GoDaddy"] as [string, string]);
    const expires = expiryOf("2027-10-20", "IONOS", ...others);
    holds({
      total: 1234,
      next: { date: "2026-12-03", names: 3, unicode: "two.example" },
      work: {
        today: groupOf([
          expiring("a.example", "2026-11-21", {
            decision: "keep",
            registrar: "Gandi",
            owner: "Acme",
            renewal: { minor: 1450, currency: "EUR", years: null },
          }),
          expiring("xn--bcher-kva.example", "2026-11-22", { unicode: "bücher.example" }),
        ]),
        expired: groupOf(
          [
            expiring("card.example", "2026-11-19", { autoRenew: true }),
            expiring("held.example", "2026-11-18", {
              findingCodes: ["registrar-on-hold"],
              severity: "critical",
            }),
            expiring("kept.example", "2026-11-14", { decision: "keep", registrar: "Gandi" }),
          ],
          64,
        ),
        week: groupOf([
          expiring("b.example", "2026-11-24", { decision: "transfer", registrar: "Gandi" }),
        ]),
        days30: groupOf([domainOf("two.example", { expires, autoRenew: false })], 6),
        days60: groupOf([
          expiring("c.example", "2026-12-25", { decision: "drop", autoRenew: true }),
          expiring("lost.example", "2027-01-04", {
            autoRenew: true,
            alert: "Cancelled",
            findingCodes: ["registrar-cancelled"],
            severity: "critical",
          }),
        ]),
        look: groupOf([
          expiring("away.example", "2028-11-25", {
            findingCodes: ["client-hold"],
            severity: "critical",
          }),
          domainOf("dateless.example"),
        ]),
      },
    });
    render(<Home />);
    expect((await heading("3 domains need you this week")).tagName).toBe("H1");
    screen.getByText("2 by tomorrow · 64 expired · next Dec 3");
    const groups = screen.getAllByRole("heading", { level: 2 }).slice(0, 6);
    expect(
      groups.map((group) => [group.textContent, group.querySelector("a")?.getAttribute("href")]),
    ).toEqual([
      ["Today and tomorrow 2", "/domains?work=any&expiresFrom=2026-11-21&expiresBefore=2026-11-23"],
      ["Expired 64", "/domains?work=any&expiresBefore=2026-11-21"],
      ["This week 1", "/domains?work=any&expiresFrom=2026-11-23&expiresBefore=2026-11-29"],
      ["Within 30 days 6", "/domains?work=any&expiresFrom=2026-11-29&expiresBefore=2026-12-22"],
      ["Within 60 days 2", "/domains?work=any&expiresFrom=2026-12-22"],
      ["Look at 2", "/domains?work=look"],
    ]);
    const lists = screen.getAllByRole("list").slice(0, 6);
    expect(lists.map((list) => list.getAttribute("aria-label"))).toContain("Today and tomorrow");
    expect(hrefOf("bücher.example")).toBe("/domains/xn--bcher-kva.example");
    screen.getByRole("link", { name: "61 more, the oldest 7 days ago" });
    screen.getByRole("link", { name: /^5 more, until / });
    const rows = screen.getAllByRole("listitem").filter((row) => row.className === "job");
    expect(
      rows.map((row) => [...row.children].slice(1, 5).map(({ textContent }) => textContent)),
    ).toEqual([
      ["Renew", "Gandi€14.50Acme", "Nov 21", "today"],
      ["Keep or drop?", " xn--bcher-kva.example", "Nov 22", "tomorrow"],
      ["Check the payment", "", "Nov 19", "2 days ago"],
      ["On hold · renew now", "", "Nov 18", "3 days ago"],
      ["Renew now", "Gandi", "Nov 14", "7 days ago"],
      ["Start the transfer", "Gandi", "Nov 24", "3 days"],
      ["Choose a date +2", "", "Dec 3", "12 days"],
      ["Turn off auto-renew", "", "Dec 25", "34 days"],
      ["Cancelled · restore or drop", "", "Jan 4, 2027", "44 days"],
      ["On hold · ask why", "", "Nov 25, 2028", "2 years"],
      ["Find its date", "", "–", "–"],
    ]);
    expect(screen.getByText("+2").title).toBe("IONOS says Oct 20, 2027, GoDaddy says Dec 1, 2027");
    expect(api.sent("GET /api/summary")[0]?.query.get("today")).toBe("2026-11-21");
  });

  test("says what needs the person as exactly as the groups show it", async () => {
    const one = groupOf([expiring("a.example", "2026-11-21")]);
    const tomorrow = groupOf([expiring("b.example", "2026-11-22")]);
    const past = groupOf([expiring("c.example", "2026-11-01")]);
    const next = { date: "2027-12-04", names: 1, unicode: "far.example" };
    const near = { date: "2026-12-04", names: 3, unicode: "near.example" };
    const renewing = { names: 44, items: [] };
    const said: [Partial<Summary["work"]>, Partial<Summary>, string, string][] = [
      [{ today: one }, {}, "1 domain needs you this week", "1 today"],
      [
        { today: tomorrow },
        { next },
        "1 domain needs you this week",
        "1 by tomorrow · next Dec 4, 2027",
      ],
      [{ week: one, expired: past }, {}, "1 domain needs you this week", "1 expired"],
      [{ expired: past }, { next: near }, "1 domain has expired", "next Dec 4"],
      [{ look: past }, { next: near }, "1 domain to look at", "next Dec 4"],
      [
        { days30: tomorrow },
        { next: near, renewing },
        "All clear until Fri, Dec 4",
        "Then near.example and 2 more, in 13 days. 44 domains renew by themselves before.",
      ],
      [{}, { next }, "All clear until December 4, 2027", "Then far.example, in 378 days."],
      [{}, {}, "All clear", "Nothing needs you in the next 60 days."],
    ];
    for (const [work, known, answer, after] of said) {
      holds({ total: 9, work: { ...nothing, ...work }, ...known });
      const { unmount } = render(<Home />);
      const title = await heading(answer);
      expect(title.closest("header")?.querySelector("p")?.textContent).toBe(after);
      unmount();
      setSystemTime(new Date(Date.now() + 60_000));
    }
    setPreference("dates", "de-DE");
    holds({ total: 9, next: { ...near, date: "2026-12-01" }, renewing });
    render(<Home />);
    const title = await heading("All clear until Di., 1. Dez.");
    expect(title.querySelector("[lang]")?.getAttribute("lang")).toBe("de-DE");
    expect(hrefOf("44 domains")).toBe(
      "/domains?autoRenew=true&decision=%21drop&sold=false&expiresFrom=2026-11-21&expiresBefore=2026-12-01",
    );
  });

  test("marks a group as renewed at once, once its dates were looked at", async () => {
    const items = ["one.example", "two.example"].map((name) => expiring(name, "2026-11-25"));
    const likely = { action: "renewed" as const, names: 2 };
    const work = { ...nothing, week: { ...groupOf(items, 3), likely } };
    const list = { items, total: 2, next: null };
    const done = { matched: 2, changed: 2, operation: "op-1" };
    holds({ total: 9, work }, { "/api/domains": list, "/api/domains/bulk": done });
    renderScreen(<Home />);
    await pressLater("2 renewed… This week");
    const box = await screen.findByRole<HTMLInputElement>("textbox", { name: "two.example" });
    expect(box.value).toBe(formatDayDigits("2027-11-25"));
    press("Mark as renewed");
    await screen.findByText("2 domains marked as renewed.");
    expect(button("Undo")).toBeDefined();
    expect(api.sent("POST /api/domains/bulk")[0]?.body).toMatchObject({
      select: {
        filter: {
          work: ["expired", "renew"],
          expiresFrom: "2026-11-23",
          expiresBefore: "2026-11-29",
        },
        expectedCount: 2,
      },
      op: { kind: "renewed", dates: { "id-one.example": "2027-11-25" } },
    });
  });

  test("keeps, or is told that auto-renew is off for, all of a group that ask for it", async () => {
    const items = [expiring("one.example", "2026-12-10"), expiring("two.example", "2026-12-10")];
    const likelyOf = (action: "keep" | "switch-off" | "transfer") => ({
      ...groupOf(items, 6),
      likely: { action, names: 6 },
    });
    const [days30, days60] = [likelyOf("keep"), likelyOf("switch-off")];
    const work = { ...nothing, week: likelyOf("transfer"), days30, days60 };
    const done = { matched: 6, changed: 6, operation: "op-1" };
    holds({ total: 9, work }, { "/api/domains/bulk": done });
    renderScreen(<Home />);
    await pressLater("Keep 6… Within 30 days");
    const keep = within(await screen.findByRole("dialog", { name: "Keep 6 domains?" }));
    press("Keep", keep);
    await screen.findByText("6 domains marked Keep.");
    press("6 done… Within 60 days");
    await screen.findByRole("dialog", { name: "Is auto-renew off for 6 domains?" });
    press("Auto-renew is off");
    await screen.findByText("Auto-renew off for 6 domains.");
    press("6 done… This week");
    const moved = within(
      await screen.findByRole("dialog", { name: "Is the transfer of 6 domains done?" }),
    );
    press("Done", moved);
    await screen.findByText("Waiting for new dates of 6 domains.");
    const sent = api.sent("POST /api/domains/bulk").map(({ body }) => body);
    expect(sent).toMatchObject([
      {
        select: { filter: { work: ["undecided"], expiresFrom: "2026-11-29" }, expectedCount: 6 },
        op: { kind: "edit", decision: "keep" },
      },
      {
        select: { filter: { work: ["switch-off"], expiresFrom: "2026-12-22" } },
        op: { kind: "edit", autoRenew: false },
      },
      { select: { filter: { work: ["transfer"] }, expectedCount: 6 }, op: { kind: "done" } },
    ]);
  });

  test("takes the registrar's status away, or asks for a date, where that is what is to be done", async () => {
    const held = { findingCodes: ["registrar-on-hold"], severity: "critical" as const };
    const look = groupOf([
      expiring("held.example", "2028-11-25", held),
      domainOf("dateless.example"),
      expiring("broken.example", "2028-11-26", { severity: "critical", alert: "DNSSEC fails" }),
    ]);
    holds({ total: 9, work: { ...nothing, look } }, saves);
    render(<Home />);
    await pressLater("Done held.example");
    expect(await api.bodyLater("PATCH /api/domains/id-held.example")).toEqual({ status: null });
    press("Done dateless.example");
    await screen.findByRole("dialog", { name: "When does dateless.example expire?" });
    press("Save");
    screen.getByText("Enter the expiry date.");
    type("Expiry date", "2027-03-01");
    press("Save");
    expect(await api.bodyLater("PATCH /api/domains/id-dateless.example")).toEqual({
      expires: "2027-03-01",
    });
    expect(screen.getByText("DNSSEC fails").parentElement?.textContent).toBe(
      "DNSSEC fails · see why",
    );
    expectAbsent(screen.queryByRole("button", { name: "Done broken.example" }));
    expect(button("Drop broken.example")).toBeDefined();
  });

  test("decides by one click or key; the row leaves, the next has the focus, and Undo is offered", async () => {
    const items = three("2026-11-25");
    holds({ total: 9, work: { ...nothing, week: groupOf(items) } }, saves);
    renderScreen(<Home />);
    const section = await sectionOf(/^This week 3 domains/);
    const keep = button("Keep one.example");
    keep.focus();
    fireEvent.click(keep);
    await expectFocus(() => button("Keep two.example"));
    expect(namesIn(section)).toEqual(["two.example", "three.example"]);
    expect(await heading("2 domains need you this week")).toBeDefined();
    const [sent] = api.sent("PATCH /api/domains/id-one.example");
    expect(sent?.body).toEqual({ decision: "keep" });
    expect(sent?.headers.get("if-match")).toBe('"1"');
    await screen.findByText("one.example: Keep.");
    expect(button("Undo")).toBeDefined();

    const link = (name: string) => screen.getByRole("link", { name });
    screen.getByRole("heading", { level: 1 }).focus();
    for (const [key, name] of [
      ["j", "two.example"],
      ["J", "three.example"],
      ["k", "two.example"],
      ["ArrowDown", "three.example"],
    ] as const) {
      pressKey(key);
      await expectFocus(() => link(name));
    }
    expect(api.calls.filter(({ method }) => method === "PATCH")).toHaveLength(1);
    pressKey("в", { code: "KeyD" });
    await expectFocus(() => screen.getByRole("link", { name: "two.example" }));
    expect(api.sent("PATCH /api/domains/id-three.example")[0]?.body).toEqual({ decision: "drop" });

    // Undone meanwhile, or changed again: a newer version is shown.
    const again = { ...expiring("one.example", "2026-11-25"), version: 3 };
    holds({ total: 9, work: { ...nothing, week: groupOf([again, ...items.slice(1)]) } });
    act(() => invalidate("/api/"));
    await waitFor(() => expect(namesIn(section)).toEqual(["one.example", "two.example"]));
  });

  test("takes a key once, however long it is held, and none with a modifier or below a dialog", async () => {
    const items = three("2026-12-25");
    holds({ total: 9, work: { ...nothing, days60: groupOf(items) } }, saves);
    render(<Home />);
    await sectionOf(/^Within 60 days 3 domains/);
    button("Keep one.example").focus();
    pressKey("d", { ctrlKey: true });
    pressKey("d");
    await expectFocus(() => button("Keep two.example"));
    pressKey("d", { repeat: true });
    pressKey("d", { repeat: true });
    // Enter would press the button that has the focus now, as long as it is held.
    expect(pressKey("Enter", { repeat: true })).toBe(false);
    pressKey("l");
    await screen.findByLabelText("Remind me again on");
    fireEvent.keyDown(button("Keep two.example"), { key: "d" });
    const sent = api.calls.filter(({ method }) => method === "PATCH");
    expect(sent.map(({ path }) => path)).toEqual(["/api/domains/id-one.example"]);
  });

  test("marks a to-do as done, with the new expiry or until an import shows it", async () => {
    const week = groupOf([
      expiring("b.example", "2026-11-24", { decision: "transfer" }),
      expiring("c.example", "2026-11-25", { decision: "drop", autoRenew: true }),
    ]);
    const expired = groupOf([expiring("late.example", "2026-11-19")]);
    holds({ total: 9, work: { ...nothing, expired, week } }, saves);
    render(<Home />);
    await heading(/^This week/);
    press("Done b.example");
    await screen.findByRole("dialog", { name: "b.example was transferred" });
    await pressLater("Wait for the next import");
    await pressLater("Done c.example");
    press("Renewed late.example");
    const box = await screen.findByLabelText<HTMLInputElement>("New expiry date");
    expect(box.value).toBe(formatDayDigits("2027-11-19"));
    // Only a new date ends that alarm.
    expectAbsent(screen.queryByRole("button", { name: "Wait for the next import" }));
    press("Save");
    const sent = (name: string) => api.sent(`PATCH /api/domains/id-${name}`)[0]?.body;
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
    holds({ total: 9, work: { ...nothing, days30: groupOf(items) } }, saves);
    renderScreen(<Home />);
    await heading(/^Within 30 days/);
    const row = screen.getByText(/Snoozed until Dec 1, 2026/);
    expect(row.closest("li")?.textContent).toContain("snoozed.example");
    screen.getByRole("link", { name: "open.example" }).focus();
    pressKey("l");
    const box = await screen.findByLabelText<HTMLInputElement>("Remind me again on");
    expect(box.value).toBe(formatDayDigits("2026-11-28"));
    fireEvent.change(box, { target: { value: "2026-12-10" } });
    press("Snooze");
    screen.getByText(/December 9, 2026 at the latest/);
    fireEvent.change(box, { target: { value: "2026-12-09" } });
    press("Snooze");
    await screen.findByText(/reminded of open.example on December 9, 2026/);
    expect(button("Undo")).toBeDefined();
    // The last reminders come in any case.
    press("More for soon.example");
    expectAbsent(screen.queryByRole("button", { name: "Remind me later…" }));
    press("More for snoozed.example");
    press("Remind me later…");
    await pressLater("Remind me as usual");
    await api.bodyLater("DELETE /api/domains/id-snoozed.example/handled");
    const [put] = api.sent("PUT /api/domains/id-open.example/handled");
    expect(put?.body).toEqual({ until: "2026-12-09" });
  });

  test("says until it is dismissed that nobody is told, and ever again that nobody is left", async () => {
    const nobody = { on: false, channels: 0, calendars: 0, broken: [], late: null };
    holds({ total: 9, reminders: nobody });
    const { unmount } = render(<Home />);
    expect(await hrefLater("Set up reminders")).toBe("/settings/reminders");
    // Editors find only calendars there.
    await act(async () => void (await api.enter({ ...ada, role: "editor" })));
    await screen.findByRole("link", { name: "Add a calendar feed" });
    press("Dismiss");
    expectAbsent(screen.queryByText(/^No one gets a reminder/));
    unmount();
    // The answer of the last visit is seconds old.
    setSystemTime(new Date(2026, 10, 21, 13));
    holds({ total: 9, reminders: { ...nobody, on: true } });
    render(<Home />);
    expect((await screen.findByRole("alert")).textContent).toContain("No one gets a reminder");
    expectAbsent(screen.queryByRole("button", { name: "Dismiss" }));
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
    // One notice at a time.
    expectAbsent(screen.queryByText(/came late/));
    cleanup();
    setSystemTime(new Date(2026, 10, 21, 13));
    holds({ total: 9, reminders: { on: true, channels: 1, calendars: 0, broken: [], late } });
    render(<Home />);
    await screen.findByText(/Reminders for 12 domains came late\./);
    press("Dismiss");
    expectAbsent(screen.queryByText(/came late/));
  });

  test("shows what renews by itself next, and rounds the thousands above a bar", async () => {
    const known = { registrar: "Gandi", renewal: { minor: 1450, currency: "EUR", years: null } };
    const renewing = { names: 44, items: [expiring("calm.example", "2026-11-24", known)] };
    const expiries = [{ month: "2026-11", names: 1413, renewing: 0, dropping: 0 }];
    holds({ total: 1413, renewing, expiries });
    render(<Home />);
    const bar = await screen.findByRole("link", {
      name: "November 2026: 1,413 domains, 0 renewing automatically",
    });
    // There is no room for more.
    expect(bar.querySelector("text")?.textContent).toBe("1.4k");
    const section = within(await sectionOf("Renewing by themselves"));
    expect(hrefOf("All 44", section)).toContain("autoRenew=true");
    expect(section.getByRole("listitem").textContent).toBe("calm.exampleGandi€14.50Nov 24");
  });

  test("draws twelve months of expiries, each a link, with what they cost", async () => {
    holds({
      total: 9,
      unpriced: 2,
      expiries: Array.from({ length: 12 }, (_, at) => ({
        month: `${at < 2 ? 2026 : 2027}-${String(((at + 10) % 12) + 1).padStart(2, "0")}`,
        names: { 0: 2, 11: 4 }[at] ?? 0,
        renewing: at === 0 ? 1 : 0,
        dropping: at === 11 ? 4 : 0,
      })),
      costs: [
        { month: "2026-11", currency: "EUR", minor: 1250, renewing: 1000, names: 1 },
        { month: "2027-10", currency: "EUR", minor: 2500, renewing: 0, names: 2 },
        { month: "2027-10", currency: "USD", minor: 900, renewing: 0, names: 1 },
      ],
    });
    const { container } = render(<Home />);
    const section = await sectionOf(/^Next 12 months/);
    const bars = [...section.querySelectorAll("li svg")].map((bar) =>
      [...bar.querySelectorAll("rect")].map((part) => part.getAttribute("height")),
    );
    const empty = Array.from({ length: 10 }, () => ["0%", "0%", "0%"]);
    expect(bars).toEqual([["0%", "12.5%", "12.5%"], ...empty, ["50%", "50%", "0%"]]);
    expectAbsent(container.querySelector("[style]"));
    const october = "October 2027: 4 domains, 0 renewing automatically, €25.00 + $9.00";
    expect(within(section).getByRole("link", { name: october }).getAttribute("href")).toBe(
      "/domains?decision=%21drop&sold=false&expiresFrom=2027-10-01&expiresBefore=2027-11-01",
    );
    expect(section.textContent).toContain("6 renewals");
    const legend = [...section.querySelectorAll(".legend li")];
    expect(textsOf(legend)).toEqual(["1 automatic", "5 by hand", "4 to drop, not counted"]);
    expect(section.textContent).toContain("€37.50 €10.00 automatic");
    expect(section.textContent).toContain("$9.00 all by hand");
    await within(section).findByText("€42.00");
    expect(section.textContent).toContain("2 renewals have no price.");
    expect(hrefOf("Add prices")).toBe(
      "/domains?price=none&decision=%21drop&sold=false&expiresFrom=2026-11-21&expiresBefore=2027-11-01",
    );
  });

  test("says what was done to how many and by whom, leads to them, and undoes it", async () => {
    const entryOf = (what: string, known: Partial<RecentChange> = {}): RecentChange => ({
      at: "2026-11-20T10:00:00Z",
      by: "Ada",
      byId: "ada",
      kind: "edited",
      what,
      account: null,
      names: 57,
      domain: null,
      changes: [`change of ${what}`],
      operations: [],
      back: null,
      isUndone: false,
      ...known,
    });
    const one = (name: string) => ({ names: 1, domain: { name, unicode: name } });
    const undoes: string[] = [];
    const kept = [{ name: "a.example", unicode: "a.example", fields: ["notes"] }];
    holds(
      {
        total: 9,
        changes: [
          entryOf("{} imported from godaddy.csv", { names: 140, changes: ["c1"] }),
          entryOf("Auto-renew off for {}", { operations: ["o1", "o2"], back: "undo" }),
          entryOf("{} marked Keep", { ...one("b.example"), operations: ["o3"], back: "undo" }),
          entryOf("Undone: {} marked Drop", { operations: ["o4"], back: "redo" }),
          entryOf("{} deleted", { ...one("gone.example"), kind: "deleted", isUndone: true }),
          entryOf("{} refused", { names: 3, kind: "refused", account: "acc" }),
          entryOf("Expiry date changed for {}", {
            ...one("c.example"),
            by: "rdap:rdap.example",
            byId: null,
            kind: "told",
          }),
        ],
      },
      ({ method, path }) => {
        if (!path.includes("/undo")) return undefined;
        undoes.push(`${path.endsWith("/foretell") ? "foretell" : method} ${path.split("/")[3]}`);
        const many = !path.includes("o3");
        return Response.json({ restored: many ? 27 : 1, kept: many ? kept : [], operation: "u" });
      },
    );
    renderScreen(<Home />);
    for (const id of ["o1", "o2"]) act(() => void notifyUndoable(`Done by ${id}.`, id));
    const section = await sectionOf(/^Recent changes/);
    const lines = within(section).getAllByRole("listitem");
    expect(lines.map(({ textContent }) => textContent?.replaceAll(/ +/g, " ").trim())).toEqual([
      "140 domains imported from godaddy.csvAdaNov 20",
      "Auto-renew off for 57 domainsUndoAdaNov 20",
      "b.example marked KeepUndoAdaNov 20",
      "Undone: 57 domains marked DropRedoAdaNov 20",
      "gone.example deletedundoneAdaNov 20",
      "3 domains refusedAdaNov 20",
      "Expiry date changed for c.example Registry (rdap.example)Nov 20",
    ]);
    const links = within(section).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/changes",
      "/domains?change=c1",
      "/domains?change=change+of+Auto-renew+off+for+%7B%7D",
      "/domains/b.example",
      "/domains?change=change+of+Undone%3A+%7B%7D+marked+Drop",
      "/domains/bin",
      "/registrars/accounts/acc?class=refused",
      "/domains/c.example",
    ]);
    // Of one domain that nothing happened to since, there is nothing to ask.
    press("Undo: b.example marked Keep");
    await waitFor(() => expect(undoes).toEqual(["foretell o3", "POST o3"]));
    press("Undo: Auto-renew off for 57 domains");
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByRole("heading").textContent).toBe("Undo for 27 domains?");
    dialog.getByText(/^1 domain stays as it is, changed since: a\.example \(notes\)\.$/);
    expect(undoes).toHaveLength(3);
    press("Undo", dialog);
    await waitFor(() => expect(undoes.slice(2)).toEqual(["foretell o1,o2", "POST o1,o2"]));
    // Each of them was told of: what is undone is offered no more, by the key neither.
    expectAbsent(screen.queryByText(/^Done by o/));
    expect(lastUndoable()).toBeUndefined();
  });

  test("fills an empty register with sample data, removes it, and takes a chosen file, or pasted domains, to the import", async () => {
    const takes = ({ path }: ApiCall) =>
      path === "/api/sample" ? new Response(null, { status: 204 }) : undefined;
    holds({}, takes);
    render(<Home />);
    const look = await screen.findByRole("button", { name: "Look around with sample data" });
    holds({ total: 9, sample: true }, takes);
    fireEvent.click(look);
    await screen.findByText(/You are looking at sample data/);
    holds({}, takes);
    press("Remove sample data");
    await heading("Add your first domains");
    const sent = api.calls.filter(({ path }) => path === "/api/sample");
    expect(sent.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
    screen.getByRole("link", { name: "Connect a registrar" });
    expect(hrefOf("Add a domain")).toBe("/domains?add");
    const file = new File(["Domain\none.example"], "export.csv");
    const input = screen.getByLabelText(/Drop a registrar export/);
    Object.defineProperty(input, "files", { value: [file], configurable: true });
    fireEvent.change(input);
    expect(location.pathname).toBe("/domains/import");
    expect(pendingFiles.get()).toEqual([file]);
    history.replaceState(null, "", "/home");
    type("Or paste domains", " one.example\ntwo.example ");
    press("Review domains");
    expect(location.pathname).toBe("/domains/import");
    expect(await pendingFiles.get()[0]?.text()).toBe(" one.example\ntwo.example ");
    pendingFiles.set([]);
  });

  test("offers to try again when nothing came, then leads to import and adding, with no choice of whose domains where that is all the same", async () => {
    api.answer = () => problem(503, "The database cannot be reached.");
    render(<Home />);
    await screen.findByText(/database cannot be reached/);
    holds({ mine: 9, total: 9 });
    const again = button("Try again");
    again.focus();
    fireEvent.click(again);
    await heading("All clear");
    // The button has gone with its message.
    await expectFocus(() => screen.getByRole("heading", { level: 1 }));
    expect([hrefOf("Import"), hrefOf("Add a domain")]).toEqual(["/domains/import", "/domains?add"]);
    // An API that names no role is asked for nothing that it may not know.
    const [call] = api.sent("GET /api/summary");
    expect([...(call?.query.keys() ?? [])]).toEqual(["today"]);
    expectAbsent(screen.queryByRole("navigation", { name: "Whose domains" }));
  });

  test.each([
    [
      "silent",
      "Live checks can’t reach the internet. Last answer: never. Your dates come from imports only.",
    ],
    ["partly", "Never answered: Registries. Without them, dates come from imports only."],
  ] as const)("says once who does not answer live checks: %s", async (state, text) => {
    const isSilent = state === "partly";
    const kinds = [{ kind: "registry" as const, answeredAt: null, isSilent }];
    const reach = { state, answeredAt: null, kinds };
    holds({ total: 20, checks: { ask: false, reach } });
    render(<Home />);
    const open = await screen.findByRole("link", { name: "What to open" });
    expect(open.getAttribute("href")).toBe("/checks");
    expect(open.parentElement?.textContent).toBe(`${text}What to open×`);
  });

  test("asks once for live checks", async () => {
    const checks = { ask: true, reach: null };
    holds({ total: 20, checks }, ({ path }) => {
      if (path !== "/api/checks") return undefined;
      holds({ total: 20, checks: { ...checks, ask: false } });
      return Response.json({});
    });
    render(<Home />);
    await pressLater("Not now");
    await waitFor(() => expectAbsent(screen.queryByText(/^Check each domain/)));
    expect(api.sent("PUT /api/checks")[0]?.body).toEqual({ on: false });
  });

  test("is of what the person owns, beside how much is nobody's, or of all, as was chosen last", async () => {
    await api.enter({ ...ada, id: "7", role: "owner" });
    const work = { ...nothing, today: groupOf([expiring("a.example", "2026-11-21")], 2) };
    holds({ person: "p1", mine: 5, total: 5, nobody: 12, work });
    const home = render(<Home />);
    const unassigned = await screen.findByRole("link", { name: /^12 domains/ });
    expect(unassigned.parentElement?.textContent).toBe(
      "12 domains that expire soon or have expired are unassigned.",
    );
    expect(unassigned.getAttribute("href")).toBe("/domains?work=any&person=none");
    const links = within(await screen.findByRole("navigation", { name: "Whose domains" }));
    expect(api.sent("GET /api/summary").map(({ query }) => query.get("person"))).toEqual(["auto"]);
    expect(links.getByRole("link", { name: "Mine" }).getAttribute("aria-current")).toBe("true");
    expect(await hrefLater("2 domains")).toBe(
      "/domains?work=any&expiresFrom=2026-11-21&expiresBefore=2026-11-23&person=p1",
    );
    holds({ mine: 5, total: 9 });
    const entries = history.length;
    fireEvent.click(links.getByRole("link", { name: "All" }));
    await waitFor(() => expect(api.calls.at(-1)?.query.get("person")).toBe("all"));
    expect(history.length).toBe(entries);
    // Without the e-mail address.
    expect(Object.keys(localStorage).filter((key) => /home-of/.test(key))).toEqual(["home-of 7"]);
    home.unmount();
    history.replaceState(null, "", "/home");
    const again = render(<Home />);
    await waitFor(() => expect(api.calls.at(-1)?.query.get("person")).toBe("all"));
    fireEvent.click(await screen.findByRole("link", { name: "Mine" }));
    await waitFor(() => expect(api.calls.at(-1)?.query.get("person")).toBe("me"));
    again.unmount();
    history.replaceState(null, "", "/home?person=meadow");
    render(<Home />);
    // None may be theirs any more.
    await waitFor(() => expect(api.calls.at(-1)?.query.get("person")).toBe("auto"));
  });

  test("proposes to archive what is gone, which is one click that can be undone", async () => {
    const done = { matched: 12, changed: 12, operation: "op" };
    holds({ total: 20, archivable: 12 }, { "/api/domains/bulk": done });
    renderScreen(<Home />);
    expect(await hrefLater("12 domains have lapsed")).toBe("/domains?archived=proposed");
    press("Archive");
    await screen.findByText("12 domains archived.");
    expect(api.sent("POST /api/domains/bulk")[0]?.body).toEqual({
      select: { filter: { archived: ["proposed"] }, today: "2026-11-21", expectedCount: 12 },
      op: { kind: "edit", archivedOn: "2026-11-21" },
    });
    cleanup();
    holds({ total: 99, archivable: 51 });
    act(() => invalidate("/api/"));
    render(<Home />);
    await screen.findByRole("link", { name: "51 domains have lapsed" });
    expectAbsent(screen.queryByRole("button", { name: "Archive" }));
  });

  test("offers a viewer nothing that would be refused", async () => {
    await api.enter({ ...ada, role: "viewer" });
    const work = { ...nothing, today: groupOf([expiring("a.example", "2026-11-21")], 9) };
    const expiries = [{ month: "2026-11", names: 9, renewing: 0, dropping: 0 }];
    const asks = { sample: true, checks: { ...NO_CHECKS, ask: true }, expiries, unpriced: 2 };
    holds({ total: 9, work, ...asks });
    render(<Home />);
    const section = await sectionOf(/Today and tomorrow/);
    expect(within(section).queryAllByRole("button")).toEqual([]);
    await screen.findByText(/sample data/);
    await screen.findByText(/2 renewals have no price/);
    for (const name of ["Import", "Add a domain", "Add prices"]) {
      expectAbsent(screen.queryByRole("link", { name }));
    }
    for (const name of ["Remove sample data", "Turn on live checks"]) {
      expectAbsent(screen.queryByRole("button", { name }));
    }
  });

  test("brings a row back whose change was refused, without its buttons where the role has changed", async () => {
    await api.enter({ ...ada, role: "editor" });
    const work = { ...nothing, today: groupOf([expiring("a.example", "2026-11-21")]) };
    const refusal = problem(403, "Only editors and owners may do this.");
    holds({ total: 9, work }, ({ method }) => (method === "PATCH" ? refusal.clone() : undefined));
    renderScreen(<Home />);
    const keep = await screen.findByRole("button", { name: "Keep a.example" });
    api.session = { ...ada, role: "viewer" };
    fireEvent.click(keep);
    await screen.findByText(
      "Your change to a.example was not saved. Only editors and owners may do this.",
    );
    const section = await sectionOf(/Today and tomorrow/);
    expect(namesIn(section)).toEqual(["a.example"]);
    await waitFor(() => expect(within(section).queryAllByRole("button")).toEqual([]));
    await screen.findByText("Your role is now “viewer”.");
  });

  test("names what accounts at registrars want, the most urgent first, in one notice", async () => {
    const account = {
      id: "a1",
      version: 1,
      registrar: "gandi",
      label: "Agency",
      state: "refused",
      outcome: "credentials",
      detail: "",
      completeAt: null,
      nextAt: null,
      counts: { listed: 120, new: 12, vanished: 1, skipped: 0, left: 0, refused: 0 },
      question: { kind: "shrunken", was: 120, now: 3 },
    };
    const calmly = { state: "on", question: null };
    const calm = ["a2", "a3", "a4"].map((id) => Object.assign({}, account, { id }, calmly));
    const accounts = { refused: 1, shrunken: 1, new: 48, vanished: 4 };
    holds({ total: 3, accounts }, { "/api/accounts": { items: [...calm, account] } });
    render(<Home />);
    const link = await screen.findByRole("link", {
      name: "No longer read: the registrar refuses it · Only 3 of 120 domains still listed · 12 new names · 1 vanished name",
    });
    expect(link.getAttribute("href")).toBe("/registrars/accounts/a1");
    expect(screen.getAllByRole("link", { name: /vanished name/ })).toHaveLength(2);
    expect(hrefOf("2 more")).toBe("/registrars");
  });
});
