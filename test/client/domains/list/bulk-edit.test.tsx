import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import List from "../../../../src/client/domains/list/list.tsx";
import { localToday } from "../../../../src/client/ui/format.ts";
import { preferences } from "../../../../src/client/ui/preferences.ts";
import { expectAbsent, press, pressLater, type } from "../../../support/elements.ts";
import { FACETS, domainOf, fakeApi, pageOf, problem } from "../../../support/fake-api.ts";
import { renderScreen } from "../../../support/render-screen.tsx";

const api = fakeApi("/domains");

const five = ["a", "b", "c", "d", "e"].map((letter) => domainOf(`${letter}.example`));
const BULK = "POST /api/domains/bulk";

const many = Array.from({ length: 60 }, (_, at) => domainOf(`name-${at}.example`));

const done = (matched: number, changed = matched) =>
  Response.json({ matched, changed, operation: "op" });

/**
 * Answers the list with five names, or those in sight of `total`, a bulk change with `bulk`, and
 * paths with what `more` says.
 */
function holds(total = 5, bulk = () => done(total), more: Readonly<Record<string, object>> = {}) {
  api.answer = ({ path, body }) => {
    if (more[path]) return Response.json(more[path]);
    if (path === "/api/domains/bulk") return bulk();
    if (path === "/api/domains/bulk/foretell") {
      const changed = /"kind":"done"/.test(JSON.stringify(body)) ? 0 : 1;
      return Response.json({ matched: total, changed, operation: null });
    }
    if (path === "/api/checks") return Response.json({ on: false });
    if (path === "/api/facets") {
      return Response.json({ ...FACETS, quick: [{ value: "No price", names: 7 }] });
    }
    return total > 5 ? pageOf(many, "next", total) : pageOf(five);
  };
}

const box = (name: string) => screen.findByRole("checkbox", { name });
/** Shows the list, and selects some of its names. */
async function select(...names: string[]) {
  const shown = renderScreen(<List />);
  for (const name of names) fireEvent.click(await box(`Select ${name}.example`));
  return shown;
}
async function selectEverything() {
  const shown = renderScreen(<List />);
  fireEvent.click(await box("Select all domains that match"));
  return shown;
}
/** An action behind the three that have a button of their own. */
async function pressMore(name: string) {
  await pressLater("More");
  fireEvent.click(await screen.findByRole("button", { name, hidden: true }));
}
const bodyOf = (at: number) => api.sent(BULK)[at]?.body;
const tries = () => api.sent(BULK).length;

describe("Domains, many at once", () => {
  test.each([
    // What has gone leaves the selection where all rows are known.
    [5, "1 domain selected"],
    [200, "2 domains selected"],
  ])("changes the rest of a selection after others deleted some, of %d", async (total, left) => {
    const detail = "The number of domains that match is 1 now, not 2.";
    holds(200, () => (tries() > 1 ? done(1) : problem(409, detail, { count: 1 })));
    const { answer } = api;
    api.answer = (call) =>
      call.path === "/api/domains" && total === 5
        ? pageOf(many.slice(Math.min(tries(), 1), 5))
        : answer(call);
    await select("name-0", "name-1");
    await pressLater("Keep");
    await screen.findByText(`Nothing was changed. ${detail}`);
    await screen.findByText(left);
    press("Continue with 1");
    await screen.findByText("1 domain marked Keep.");
    const ids = ["id-name-0.example", "id-name-1.example"];
    expect(bodyOf(1)).toMatchObject({ select: { ids, expectedCount: 1 } });
    await waitFor(() => expectAbsent(screen.queryByText(left)));
  });

  test("selects some, and edits only what is filled in", async () => {
    holds();
    await select("a", "c");
    await screen.findByText("2 domains selected");
    await pressMore("Edit…");
    const dialog = within(await screen.findByRole("dialog", { name: "Edit 2 domains" }));
    press("Save 2 domains", dialog);
    dialog.getByText("Change at least one field.");
    type("Owner", " Ada ", dialog);
    type("Decision", "unknown", dialog);
    type("Auto-renew", "false", dialog);
    type("Add tags", "web, shop,web", dialog);
    fireEvent.click(dialog.getByRole("checkbox", { name: "Clear account" }));
    type("Renewal price", "12,50", dialog);
    type("Currency", "e", dialog);
    press("Save 2 domains", dialog);
    dialog.getByText(/three letters/);
    type("Currency", "eur", dialog);
    type("Notes", "moved", dialog);
    for (const name of ["Vertrag", "Kunde"]) {
      press("Add a field", dialog);
      const target = { value: name };
      fireEvent.change(dialog.getAllByLabelText("Name").at(-1) ?? document, { target });
    }
    const target = { value: "90207451" };
    fireEvent.change(dialog.getAllByLabelText("Text")[0] ?? document, { target });
    press("Save 2 domains", dialog);
    await screen.findByText("5 domains changed.");
    expect(bodyOf(0)).toEqual({
      select: { ids: ["id-a.example", "id-c.example"], expectedCount: 2 },
      op: {
        kind: "edit",
        account: null,
        owner: "Ada",
        decision: null,
        autoRenew: false,
        addTags: ["web", "shop"],
        renewal: { minor: 1250, currency: "EUR", years: null },
        notes: "moved",
        custom: { Vertrag: "90207451", Kunde: "" },
      },
    });
    expectAbsent(screen.queryByText("2 domains selected"));
  });

  test("renames an owner from the filter, and merges a tag into another, each in one change", async () => {
    const alike = [
      { value: "Acme", names: 5 },
      { value: "ACME Ltd", names: 3 },
    ];
    holds(5, undefined, { "/api/facets": { ...FACETS, owners: alike, tags: alike } });
    renderScreen(<List />);
    const rename = async (label: string, name: string) => {
      await pressLater("Filter");
      const facet = within(await screen.findByRole("group", { name: label, hidden: true }));
      fireEvent.click(facet.getByLabelText("Acme5"));
      fireEvent.click(facet.getByLabelText("ACME Ltd3"));
      expectAbsent(facet.queryByRole("button", { hidden: true }));
      fireEvent.click(facet.getByLabelText("Acme5"));
      fireEvent.click(
        facet.getByRole("button", { name: "Rename or merge… ACME Ltd", hidden: true }),
      );
      const dialog = within(await screen.findByRole("dialog", { name: "Rename ACME Ltd" }));
      type("New name", name, dialog);
      return dialog;
    };
    const owner = await rename("Owner", " ");
    press("Rename for 3 domains", owner);
    await owner.findByText("Enter a name.");
    type("New name", "Acme Inc", owner);
    press("Rename for 3 domains", owner);
    await screen.findByText("5 domains changed.");
    const tag = await rename("Tag", "acme ltd");
    press("Rename for 3 domains", tag);
    await tag.findByText("Tags that differ only in capital letters are the same tag.");
    type("New name", "acme", tag);
    press("Merge 3 domains into Acme", tag);
    await waitFor(() => expect(api.sent(BULK)).toHaveLength(2));
    const of = (filter: object) => ({ filter, today: localToday(), expectedCount: 3 });
    expect([bodyOf(0), bodyOf(1)]).toEqual([
      { select: of({ owner: ["ACME Ltd"] }), op: { kind: "edit", owner: "Acme Inc" } },
      {
        select: of({ tag: ["ACME Ltd"] }),
        op: { kind: "edit", addTags: ["Acme"], removeTags: ["ACME Ltd"] },
      },
    ]);
  });

  test("checks live only where checks are on", async () => {
    holds();
    const { unmount } = await select("a");
    await waitFor(() => expect(api.sent("GET /api/checks")).toHaveLength(1));
    press("More");
    await screen.findByRole("button", { name: "Export", hidden: true });
    expectAbsent(screen.queryByRole("button", { name: "Check now", hidden: true }));
    unmount();
    holds(5, undefined, { "/api/checks": { on: true } });
    await select("a");
    await pressMore("Check now");
    await waitFor(() => expect(bodyOf(0)).toMatchObject({ op: { kind: "check" } }));
  });

  test("comes back after a reload with what was filled in, for the names that were meant", async () => {
    history.replaceState(null, "", "/domains?registrar=Gandi");
    holds(12_345);
    const { unmount } = await selectEverything();
    await pressMore("Edit…");
    type("Add tags", "web");
    fireEvent.click(screen.getByRole("checkbox", { name: "Clear registrar" }));
    await waitFor(() => expect(sessionStorage.getItem("bulk-draft")).toContain("web"));
    unmount();
    holds(12_344);
    renderScreen(<List />);
    const dialog = within(await screen.findByRole("dialog", { name: "Edit 12,345 domains" }));
    expect(dialog.getByLabelText<HTMLInputElement>("Add tags").value).toBe("web");
    press("Save 12,345 domains", dialog);
    await screen.findByText(/12,344 domains changed/);
    expect(bodyOf(0)).toEqual({
      select: {
        filter: { registrar: ["Gandi"], lapsed: ["false"] },
        today: localToday(),
        expectedCount: 12_345,
      },
      op: { kind: "edit", registrar: null, addTags: ["web"] },
    });
    expect(sessionStorage).toHaveLength(0);
  });

  test("asks before what was filled in is thrown away, and keeps it for its own view", async () => {
    holds(5, undefined, { "/api/people/names": { items: [] } });
    const { unmount } = await select("a");
    await pressMore("Edit…");
    const form = await screen.findByRole("dialog", { name: "Edit 1 domain" });
    const dialog = within(form);
    // Where there is no control of people, there is no hole either.
    await waitFor(() => expectAbsent(dialog.queryByLabelText("Person")));
    expectAbsent(form.querySelector(".field-grid > :empty"));
    type("Owner", "Ada", dialog);
    press("Cancel");
    press("Keep editing");
    unmount();
    history.replaceState(null, "", "/domains?q=x");
    const other = renderScreen(<List />);
    await screen.findByText("5 domains found");
    expectAbsent(screen.queryByRole("dialog"));
    other.unmount();
    history.replaceState(null, "", "/domains?add");
    const adding = renderScreen(<List />);
    await screen.findByText("5 domains");
    screen.getByRole("dialog", { name: "Add a domain" });
    adding.unmount();
    history.replaceState(null, "", "/domains");
    renderScreen(<List />);
    await screen.findByRole("dialog", { name: "Edit 1 domain" });
    screen.getByText("1 domain selected");
    press("Cancel");
    press("Discard");
    expectAbsent(screen.queryByRole("dialog"));
    expect(sessionStorage).toHaveLength(0);
  });

  test("selects a range with Shift", async () => {
    holds();
    await select("b");
    fireEvent.click(await box("Select e.example"), { shiftKey: true });
    screen.getByText("4 domains selected");
    fireEvent.click(await box("Select c.example"));
    screen.getByText("3 domains selected");
  });

  test("deletes all that match, seen or not, as the filter says", async () => {
    history.replaceState(null, "", "/domains?q=x&registrar=Gandi&sort=-name");
    holds(12_345);
    await selectEverything();
    screen.getByText("All 12,345 domains that match are selected");
    await pressMore("Delete…");
    press("Delete 12,345 domains");
    await screen.findByText("Enter the number of domains: 12,345.");
    type("Type 12,345 to confirm", "12345");
    // As Enter does.
    fireEvent.submit(screen.getByLabelText("Type 12,345 to confirm"));
    await screen.findByText("12,345 domains deleted.");
    expect(bodyOf(0)).toEqual({
      select: {
        filter: { q: "x", registrar: ["Gandi"] },
        today: localToday(),
        expectedCount: 12_345,
      },
      op: { kind: "delete" },
    });
  });

  test("asks once more when another number matches by now", async () => {
    holds(12_345, () => problem(409, "Another number matches.", { count: 12_344 }));
    await selectEverything();
    await pressMore("Delete…");
    type("Type 12,345 to confirm", "12,345");
    press("Delete 12,345 domains");
    await screen.findByText(/12,344 domains match now, not 12,345/);
    holds(12_344);
    type("Type 12,344 to confirm", "12.344");
    press("Delete 12,344 domains");
    await screen.findByText("12,344 domains deleted.");
    expect(bodyOf(1)).toMatchObject({ select: { expectedCount: 12_344 } });
  });

  test("takes the number in the digits that it asks for", async () => {
    const chosen = preferences.get();
    // @ts-expect-error By default, numbers follow the browser: here, one in Egypt.
    preferences.set({ ...chosen, numbers: "ar-EG" });
    try {
      holds(1200);
      await selectEverything();
      await pressMore("Delete…");
      type("Type ١٬٢٠٠ to confirm", "١٢٠٠");
      press("Delete ١٬٢٠٠ domains");
      await screen.findByText("١٬٢٠٠ domains deleted.");
    } finally {
      preferences.set(chosen);
    }
  });

  test("leaves to the search the keys that are typed into it", async () => {
    holds();
    renderScreen(<List />);
    const link = await screen.findByRole("link", { name: "a.example" });
    const key = (pressed: string, more = {}) =>
      fireEvent.keyDown(document.activeElement ?? document, { key: pressed, ...more });
    key("/");
    const search = screen.getByLabelText("Search domains");
    expect(document.activeElement === search).toBe(true);
    // Held, it would be typed into the box. Pressed anew, it is typed.
    expect(key("/", { repeat: true })).toBe(false);
    expect(key("/")).toBe(true);
    expect(key("/", { repeat: true })).toBe(true);
    key("j");
    key("?");
    expect(document.activeElement === search).toBe(true);
    expectAbsent(screen.queryByRole("dialog"));
    // Chooses among the words of an input method.
    key("ArrowDown", { isComposing: true });
    expect(document.activeElement === search).toBe(true);
    key("ArrowDown");
    key("ArrowDown");
    key("ArrowUp");
    expect(document.activeElement === link).toBe(true);
  });

  test("goes on while a key that moves is held, and selects once for a held Space", async () => {
    holds();
    renderScreen(<List />);
    const link = await screen.findByRole("link", { name: "c.example" });
    const hold = (key: string) =>
      fireEvent.keyDown(document.activeElement ?? document, { key, repeat: true });
    for (const key of ["ArrowDown", "j", "J"]) hold(key);
    expect(document.activeElement === link).toBe(true);
    fireEvent.keyDown(link, { key: " " });
    // What is not prevented scrolls the page.
    expect(hold(" ")).toBe(false);
    screen.getByText("1 domain selected");
  });

  test("explains the keys, and turns those of one character off for good", async () => {
    holds();
    const { unmount } = renderScreen(<List />);
    await screen.findByText("5 domains");
    fireEvent.keyDown(document.body, { key: "?" });
    const dialog = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
    fireEvent.click(
      dialog.getByRole("checkbox", { name: "Use the shortcuts j, k, e, z, / and ?" }),
    );
    press("Close", dialog);
    unmount();
    renderScreen(<List />);
    await screen.findByText("5 domains");
    fireEvent.keyDown(document.body, { key: "?" });
    expectAbsent(screen.queryByRole("dialog"));
  });

  test("offers what the register holds once the filters are opened", async () => {
    holds();
    const { container } = renderScreen(<List />);
    await screen.findByText("5 domains");
    press("Filter");
    // happy-dom knows no popovers.
    const menu = container.querySelector(".dropdown-menu") ?? container;
    Object.assign(menu, { hidePopover: () => undefined });
    const group = within(await screen.findByRole("group", { name: "Registrar", hidden: true }));
    const pick = (name: string | RegExp) =>
      fireEvent.click(group.getByRole("checkbox", { name, hidden: true }));
    pick("Gandi 12");
    type("Find Registrar", "god", group);
    pick("Contains “god”");
    fireEvent.change(group.getByRole("combobox", { hidden: true }), { target: { value: "true" } });
    type("From, per year", "10");
    type("To, per year", "9.5");
    type("From, per year", "");
    fireEvent.click(screen.getByRole("button", { name: "Show domains", hidden: true }));
    const asked = new URLSearchParams(location.search);
    expect(asked.getAll("registrar")).toEqual(["!Gandi", "!~god"]);
    expect(asked.get("price")).toBe("..9.5");
    press("Remove filter Renewal price: Up to 9.5");
    const chips = within(screen.getByRole("list", { name: "Filters" }));
    press("No price 7", chips);
    await waitFor(() => expect(location.search).toContain("price=none"));
    chips.getByRole("button", { name: /No price/, pressed: true });
    press("Remove filter Registrar: Not Gandi, Doesn’t contain “god”");
    await waitFor(() => expect(location.search).toBe("?price=none"));
  });

  test("shows the columns chosen on this device, and a filter for each custom field", async () => {
    const name = "Kosten, 50%";
    api.answer = ({ path }) =>
      path === "/api/facets"
        ? Response.json({ ...FACETS, custom: [{ value: name, names: 1 }] })
        : pageOf([domainOf("a.example", { custom: { "KOSTEN, 50%": "4711" } })]);
    const { container, unmount } = renderScreen(<List />);
    await screen.findByText("1 domain");
    press("Views");
    fireEvent.click(await screen.findByRole("checkbox", { name, hidden: true }));
    for (const column of ["Privacy", "Tags"])
      fireEvent.click(screen.getByRole("checkbox", { name: column, hidden: true }));
    unmount();
    renderScreen(<List />);
    await screen.findByRole("columnheader", { name });
    screen.getByRole("columnheader", { name: "Privacy" });
    expectAbsent(screen.queryByRole("columnheader", { name: "Tags" }));
    fireEvent.click(screen.getByRole("link", { name: "4711" }));
    const values = () => new URLSearchParams(location.search).getAll(`custom.${name}`);
    expect(values()).toEqual(["4711"]);
    press("Filter (1)");
    const menu = document.querySelector(".dropdown-menu") ?? container;
    Object.assign(menu, { hidePopover: () => undefined });
    const group = within(await screen.findByRole("group", { name, hidden: true }));
    type(`Find ${name}`, "47", group);
    for (const label of ["4711", "Contains “47”", "None"]) {
      fireEvent.click(group.getByRole("checkbox", { name: label, hidden: true }));
    }
    fireEvent.click(screen.getByRole("button", { name: "Show domains", hidden: true }));
    expect(values()).toEqual(["~47", "-"]);
    press(`Remove filter ${name}: Contains “47” or None`);
    await waitFor(() => expect(location.search).toBe(""));
  });

  test("leaves the focus at a selected row once its reminders are put off", async () => {
    holds();
    await select("b");
    await screen.findByRole("button", { name: "More" });
    await pressMore("Remind me later…");
    await pressLater("Snooze");
    await screen.findByText(/^You will be reminded of 5 domains/);
    expect(document.activeElement?.textContent).toBe("b.example");
  });

  test("asks for the number before it decides for many, and says what already was so", async () => {
    holds(12_345, () => done(12_345, 12_000));
    await selectEverything();
    await pressMore("Transfer");
    fireEvent.submit(await screen.findByLabelText("Type 12,345 to confirm"));
    await screen.findByText("Enter the number of domains: 12,345.");
    screen.getByRole("dialog", { name: "Mark 12,345 domains Transfer?" });
    expect(api.sent(BULK)).toHaveLength(0);
    type("Type 12,345 to confirm", "12345");
    press("Mark 12,345 domains Transfer");
    await screen.findByText("12,000 domains marked Transfer. 345 already were.");
    expect(bodyOf(0)).toMatchObject({ op: { kind: "edit", decision: "transfer" } });
  });

  test("archives at once, asks for the number of many, and brings back what is archived", async () => {
    holds();
    const { unmount } = await select("a");
    await screen.findByText("1 domain selected");
    await pressMore("Archive");
    await screen.findByText("5 domains archived.");
    expect(bodyOf(0)).toMatchObject({ op: { kind: "edit", archivedOn: localToday() } });
    expectAbsent(screen.queryByRole("button", { name: "Bring back", hidden: true }));
    unmount();
    history.replaceState(null, "", "/domains?archived=true");
    holds(60);
    await selectEverything();
    // Of what is archived, the likely act is a button of its own.
    press("Bring back");
    type("Type 60 to confirm", "60");
    press("Bring 60 domains back");
    await screen.findByText("60 domains brought back.");
    expect(bodyOf(1)).toMatchObject({
      select: { filter: { archived: ["true"] } },
      op: { kind: "edit", archivedOn: null },
    });
  });

  test("selects all that match but some, or only what is on the screen", async () => {
    holds(60);
    await selectEverything();
    await screen.findByText("All 60 domains that match are selected");
    fireEvent.click(await box("Select name-1.example"));
    await screen.findByText("59 domains selected");
    fireEvent.click(await box("Select all domains that match"));
    press(screen.getByRole("button", { name: "Only those on the screen" }).textContent);
    press("Drop");
    await screen.findByText(/marked Drop/);
    expect(bodyOf(0)).toMatchObject({
      select: { ids: expect.arrayContaining(["id-name-1.example"]) },
    });
  });

  test("settles conflicts by the date of one source, and says how many change", async () => {
    const settlings = [
      { by: "registrar", source: null, domains: 4, changes: 2 },
      { by: "source", source: "IONOS", domains: 3, changes: 0 },
    ];
    holds(5, undefined, { "/api/domains/conflicts": { domains: 4, settlings } });
    await selectEverything();
    // All of the list is on the screen.
    expectAbsent(screen.queryByRole("button", { name: /on the screen/ }));
    await pressMore("Use the date from…");
    const dialog = within(await screen.findByRole("dialog", { name: "Use the date from…" }));
    await dialog.findByRole("radio", { name: "The registrar’s date 4 domains, 2 dates change" });
    fireEvent.click(
      dialog.getByRole("radio", { name: "The date from IONOS 3 domains: keeps the dates in use" }),
    );
    press("Use this date", dialog);
    await screen.findByText("The date from IONOS now counts for 5 domains.");
    expect(bodyOf(0)).toMatchObject({ op: { kind: "settle", by: "source", source: "IONOS" } });
  });

  test("says before how many become done at the registrar", async () => {
    holds();
    await select("a", "b");
    await screen.findByRole("button", { name: "Done…" });
    press("Done…");
    const dialog = within(await screen.findByRole("dialog", { name: "What is done?" }));
    const waits = { name: "Everything: wait for a new expiry date no changes" };
    expect(await dialog.findByRole("radio", waits)).toHaveProperty("disabled", true);
    const off = { name: "Auto-renew is off at the registrar 1 domain" };
    fireEvent.click(dialog.getByRole("radio", off));
    press("Done for 1 domain", dialog);
    await waitFor(() =>
      expect(bodyOf(0)).toMatchObject({
        select: { ids: ["id-a.example", "id-b.example"] },
        op: { kind: "edit", autoRenew: false },
      }),
    );
    // The bar has gone: the row in hand has the focus, and no control that acts on all.
    const row = screen.getByRole("link", { name: "a.example" });
    await waitFor(() => expect(document.activeElement === row).toBe(true));
  });

  test("asks for the number where more match than the dialog has counted", async () => {
    holds(5, () => problem(409, "Another number matches.", { count: 5000 }));
    await selectEverything();
    await pressMore("Done…");
    const dialog = within(await screen.findByRole("dialog", { name: "What is done?" }));
    fireEvent.click(await dialog.findByRole("radio", { name: /^Auto-renew is off/ }));
    press("Done for 1 domain", dialog);
    await dialog.findByText(/^5,000 domains match now, not 5/);
    press("Done for 4,996 domains", dialog);
    await dialog.findByText("Enter the number of domains: 4,996.");
    expect(api.sent(BULK)).toHaveLength(1);
  });

  test("takes a single filter away, and exports what is shown", async () => {
    history.replaceState(null, "", "/domains?q=x&expires=conflict&autoRenew=!true");
    holds();
    renderScreen(<List />);
    await screen.findByText("5 domains found");
    press("Views");
    const file = screen.getByRole("link", { name: "Export", hidden: true });
    expect(file.getAttribute("href")).toBe(
      `/api/domains.csv?q=x&autoRenew=%21true&expires=conflict&today=${localToday()}`,
    );
    press("Remove filter Auto-renew: Off or unknown");
    await waitFor(() => expect(location.search).toBe("?q=x&expires=conflict"));
    press("2 dates");
    await waitFor(() => expect(location.search).toBe("?q=x"));
  });
});
