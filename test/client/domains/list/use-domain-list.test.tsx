import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, setSystemTime, test } from "bun:test";
import Domains from "../../../../src/client/domains/list/list.tsx";
import { hasUnsavedChanges } from "../../../../src/client/ui/unsaved-changes.ts";
import { press, pressLater, type } from "../../../support/elements.ts";
import { domainOf, FACETS, fakeApi, pageOf, type ApiCall } from "../../../support/fake-api.ts";

const api = fakeApi("/domains");

const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => domainOf(`name-${from + at}.example`));

/** A page of so many domains in all, as the query asks for it. */
function pageFor({ query }: ApiCall, total: number) {
  const from = Number(query.get("offset") ?? 0);
  return pageOf(names(Math.min(100, total - from), from), null, total);
}

const box = (name: string) => screen.getByRole("checkbox", { name: `Select ${name}` });

/** Shows the list, once it says how many it has. */
async function shows(count: string) {
  render(<Domains />);
  await screen.findByText(count);
}

/** Shows a list of so many domains. */
async function open(total: number) {
  api.answer = (call) => pageFor(call, total);
  await shows(`${total.toLocaleString("en")} domains`);
}

/** Shows a list of 300, whose second page a test resolves; 20 of them match a search. */
async function openLate() {
  const late = Promise.withResolvers<Response>();
  api.answer = (call) => {
    if (call.query.get("q")) return pageFor(call, 20);
    return call.query.get("offset") === "100" ? late.promise : pageFor(call, 300);
  };
  await shows("300 domains");
  return late;
}

/** Selects from a row to the end of the list, by the keyboard: most rows have not been loaded. */
function selectFrom(name: string) {
  fireEvent.click(box(name));
  screen.getByRole("link", { name }).focus();
  fireEvent.keyDown(screen.getByRole("link", { name }), { key: "End" });
  screen.getByRole("link", { name }).blur();
  fireEvent.keyDown(document.body, { key: " ", shiftKey: true });
}

describe("useDomainList", () => {
  test("forgets a range of rows that were still loading when the view changed", async () => {
    const late = await openLate();
    selectFrom("name-1.example");
    await waitFor(() =>
      expect(api.calls.some(({ query }) => query.get("offset") === "100")).toBe(true),
    );
    act(() => history.replaceState(null, "", "/domains?q=name"));
    await screen.findByText("20 domains found");
    late.resolve(pageOf(names(100, 100), null, 300));
    await act(() => late.promise);
    await screen.findByText("20 domains found");
    within(screen.getByRole("table")).getByRole("link", { name: "name-1.example" });
    expect(screen.queryByText(/selected/)).toBeNull();
  });

  test("takes a range from the first to the last row for all that match, and loads none of them", async () => {
    await open(300);
    selectFrom("name-0.example");
    await screen.findByText(/^All 300 domains that match are selected/);
    expect(api.sent("GET /api/domains")).toHaveLength(1);
  });

  test("copies each row a few times however many pages a range has", async () => {
    await open(10_000);
    let copied = 0;
    const { Map: Original } = globalThis;
    globalThis.Map = class<K, V> extends Original<K, V> {
      constructor(entries?: Iterable<readonly [K, V]> | null) {
        super(entries);
        copied += this.size;
      }
    } as MapConstructor;
    try {
      selectFrom("name-1.example");
      await screen.findByText("9,999 domains selected");
    } finally {
      globalThis.Map = Original;
    }
    expect(copied).toBeLessThan(100_000);
  });

  test("takes a name that no other is beside for itself", async () => {
    api.answer = (call) => pageFor(call, 1);
    render(<Domains />);
    fireEvent.click(await screen.findByLabelText("Select name-0.example"));
    await screen.findByText(/^1 domain selected/);
  });

  test("adds a range to what is selected by then", async () => {
    const late = await openLate();
    selectFrom("name-5.example");
    fireEvent.click(box("name-1.example"));
    late.resolve(pageOf(names(100, 100), null, 300));
    await screen.findByText("296 domains selected");
  });

  test("stays with the view that is shown when a change is answered", async () => {
    const late = Promise.withResolvers<Response>();
    api.answer = (call) =>
      call.method === "PATCH" ? late.promise : pageFor(call, call.query.get("tag") ? 2 : 3);
    await shows("3 domains");
    press("Actions for name-0.example");
    press("Drop");
    act(() => history.replaceState(null, "", "/domains?tag=web"));
    await screen.findByText("2 domains found");
    late.resolve(Response.json({ ...domainOf("name-0.example"), version: 2, operation: null }));
    await waitFor(() => expect(api.sent("GET /api/domains").length).toBe(3));
    expect(api.sent("GET /api/domains").at(-1)?.query.get("tag")).toBe("web");
    await screen.findByText("2 domains found");
  });

  test("keeps what is selected by the time that a bulk change is answered", async () => {
    const late = Promise.withResolvers<Response>();
    api.answer = (call) =>
      call.method === "POST" ? late.promise : pageFor(call, call.query.get("tag") ? 2 : 3);
    await shows("3 domains");
    fireEvent.click(box("name-0.example"));
    await pressLater("Drop");
    expect(hasUnsavedChanges()).toBe(true);
    act(() => history.replaceState(null, "", "/domains?tag=web"));
    await screen.findByText("2 domains found");
    fireEvent.click(box("name-1.example"));
    late.resolve(Response.json({ matched: 1, changed: 1, operation: "op" }));
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
    await screen.findByText("1 domain selected");
  });

  test("sends nothing more while what a dialog asked for, or a selection before, is not answered", async () => {
    const late = Promise.withResolvers<Response>();
    api.answer = (call) => (call.method === "POST" ? late.promise : pageFor(call, 3));
    await shows("3 domains");
    fireEvent.click(box("name-0.example"));
    await pressLater("More");
    press("Remind me later…");
    await pressLater("No more reminders");
    press("Drop");
    press("Clear");
    fireEvent.click(box("name-1.example"));
    press("Drop");
    expect(api.sent("POST /api/domains/bulk")).toHaveLength(1);
    late.resolve(Response.json({ matched: 1, changed: 1, operation: "op" }));
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
  });

  test("asks again on a return to the tab, unless it has just asked", async () => {
    api.answer = (call) => pageFor(call, 3);
    const returnToTab = () =>
      act(async () => void document.dispatchEvent(new Event("visibilitychange")));
    await shows("3 domains");
    for (let count = 0; count < 3; count += 1) await returnToTab();
    expect(api.sent("GET /api/domains")).toHaveLength(1);
    setSystemTime(Date.now() + 60_000);
    await returnToTab();
    setSystemTime();
    expect(api.sent("GET /api/domains")).toHaveLength(2);
  });

  test("lets a search that is typed lead nowhere once another screen was asked for", async () => {
    await open(3);
    type("Search domains", "name");
    // The screen stays until the next one is there.
    History.prototype.replaceState.call(history, null, "", "/home");
    // Timers fire in their order: the search, which waits for 250 ms, was before this.
    await Bun.sleep(300);
    expect(location.pathname).toBe("/home");
  });

  test("keeps a filter that is pressed while a search is being typed", async () => {
    api.answer = (call) =>
      call.path === "/api/facets"
        ? Response.json({ ...FACETS, quick: [{ value: "2 dates", names: 1 }] })
        : pageFor(call, 3);
    render(<Domains />);
    const chip = await screen.findByRole("button", { name: "2 dates 1" });
    await screen.findByText("3 domains");
    type("Search domains", "name");
    fireEvent.click(chip);
    await waitFor(() => expect(location.search).toBe("?q=name&expires=conflict"));
  });

  test("shows no cost of the view before beside the number of this one", async () => {
    const rows = Promise.withResolvers<Response>();
    const costs = Promise.withResolvers<Response>();
    const euros = { costs: [{ currency: "EUR", minor: 9900, names: 1 }], unpriced: 0 };
    api.answer = (call) => {
      const isNew = call.query.get("tag") !== null;
      if (call.path === "/api/domains/cost") return isNew ? costs.promise : Response.json(euros);
      return isNew ? rows.promise : pageFor(call, 200);
    };
    await shows("200 domains");
    act(() => history.replaceState(null, "", "/domains?tag=web"));
    await screen.findAllByText("Searching…");
    fireEvent.click(screen.getByLabelText("Select all domains that match"));
    await screen.findByText(/€99.00/);
    rows.resolve(pageOf(names(2), null, 2));
    expect(
      (await screen.findByText(/^All 2 domains that match are selected/)).textContent,
    ).not.toContain("€");
  });
});
