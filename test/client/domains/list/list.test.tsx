import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import Domains from "../../../../src/client/domains/list/list.tsx";
import { addDays } from "../../../../src/shared/day.ts";
import { localToday } from "../../../../src/client/ui/format.ts";
import { expectAbsent, press, pressLater, type } from "../../../support/elements.ts";
import { domainOf, expiryOf, FACETS, fakeApi, pageOf, problem } from "../../../support/fake-api.ts";
import { renderScreen } from "../../../support/render-screen.tsx";

const api = fakeApi("/domains");

const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => domainOf(`name-${from + index}.example`));

/** Answers with so many domains, and some paths with what they say. */
function holds(count: number, more: Readonly<Record<string, object>>) {
  api.answer = ({ path }) => (more[path] ? Response.json(more[path]) : pageOf(names(count)));
}

/** Shows so many domains. */
async function open(count: number) {
  api.answer = () => pageOf(names(count));
  const shown = render(<Domains />);
  await screen.findByText(new RegExp(`^${count} domains?`));
  return shown;
}

describe("Domains", () => {
  test("has its heading in the markup of the server", () => {
    const markup = renderToString(<Domains />);
    expect(markup).toContain(">Domains</h1>");
    // Which buttons a person has is not known there: others would not hydrate.
    expect(markup).not.toContain("Add a domain");
  });

  test("keeps what a filter leaves out when another value is chosen beside it", async () => {
    history.replaceState(null, "", "/domains?tag=a&tag=!b");
    const tags = ["a", "b", "c"].map((value) => ({ value, names: 1 }));
    holds(1, { "/api/facets": { ...FACETS, tags } });
    render(<Domains />);
    await pressLater(/^Filter/);
    const facet = within(await screen.findByRole("group", { name: "Tag", hidden: true }));
    fireEvent.click(facet.getByLabelText(/^c/));
    fireEvent.click(screen.getByRole("button", { name: "Show domains", hidden: true }));
    expect(new URLSearchParams(location.search).getAll("tag")).toEqual(["a", "!b", "c"]);
  });

  test("shows every name with what is known of it", async () => {
    api.answer = () =>
      pageOf([
        domainOf("xn--bcher-kva.example", {
          unicode: "bücher.example",
          registrar: "Gandi",
          autoRenew: false,
          tags: ["web"],
          decision: "keep",
          renewal: { minor: 1299, currency: "EUR", years: 1 },
          expires: { ...expiryOf("2020-01-01"), conflict: true },
        }),
        domainOf("plain.example"),
      ]);
    render(<Domains />);
    const row = await screen.findByRole("row", { name: /bücher.example/ });
    for (const text of ["Off", "Keep", "€12.99", "Jan 1, 2020", /^\d years ago$/]) {
      within(row).getByText(text);
    }
    expect(within(row).getByRole("rowheader").title).toBe("xn--bcher-kva.example");
    // What is unknown, none or undecided is a dash to see, and a word to hear.
    const plain = screen.getByRole("row", { name: /plain.example/ });
    const dashes = [...plain.querySelectorAll(".none")].map((dash) => dash.textContent);
    const words = "No date,No date,No price,Unknown,Unknown,Unknown,Undecided,Unknown";
    expect(dashes.join()).toBe(words);
    // What a row shares with others leads to them.
    expect(within(row).getByRole("link", { name: "Gandi" }).getAttribute("href")).toBe(
      "/domains?registrar=Gandi",
    );
    fireEvent.click(within(row).getByRole("link", { name: "web" }));
    expect(location.search).toBe("?tag=web");
    await screen.findByText("2 domains found");
  });

  test("marks a second date, says in one word what the date does not, and is as wide as the most that a row costs a year", async () => {
    const price = (minor: number, years: number) => ({
      renewal: { minor, currency: "EUR", years },
    });
    const [yesterday, soon] = [addDays(localToday(), -1), addDays(localToday(), 5)];
    const disputed = (date: string) => expiryOf("2031-10-20", "IONOS", [date, "GoDaddy"]);
    const found = { severity: "critical", alert: "On hold" } as const;
    api.answer = () =>
      pageOf([
        domainOf("later.example", { expires: disputed(soon), ...found, ...price(9900, 10) }),
        domainOf("expired.example", { expires: disputed(yesterday), ...price(1500, 1) }),
        domainOf("renews.example", { expires: expiryOf(soon), autoRenew: true }),
        domainOf("moves.example", {
          expires: expiryOf(soon),
          autoRenew: true,
          decision: "transfer",
        }),
        domainOf("done.example", { expires: expiryOf(soon), decision: "keep", doneFor: soon }),
        domainOf("dropped.example", { expires: expiryOf(yesterday), decision: "drop", ...found }),
        domainOf("lapsed.example", { expires: expiryOf("2020-01-01"), decision: "drop" }),
      ]);
    render(<Domains />);
    for (const [name, due, ...texts] of [
      [/later.example/, "soon", "5 days", "+1", "On hold"],
      [/expired.example/, "past", "yesterday", "+1"],
      [/renews.example/, undefined, "5 days"],
      [/moves.example/, "soon", "5 days"],
      [/done.example/, undefined, "5 days"],
      [/dropped.example/, "settled", "yesterday", "To drop"],
      [/lapsed.example/, "settled", "Lapsed"],
    ] as const) {
      const row = await screen.findByRole("row", { name });
      for (const text of texts) expect(within(row).getByText(text)).toBeDefined();
      expect(row.dataset["due"]).toBe(due);
    }
    expect(screen.getAllByText("On hold")).toHaveLength(1);
    const heading = screen.getByRole("columnheader", { name: /Per year/ });
    expect(heading.dataset["widest"]).toBe("€15.00");
    expect(screen.getAllByTitle("IONOS says Oct 20, 2031")).toHaveLength(2);
  });

  test("offers the other date of a conflict in the place of registrar and owner", async () => {
    history.replaceState(null, "", "/domains?expires=conflict");
    const expires = expiryOf("2031-10-20", "IONOS", ["2030-10-20", "GoDaddy"]);
    const domain = domainOf("two.example", { expires, registrar: "IONOS" });
    api.answer = ({ method }) =>
      method === "PATCH"
        ? Response.json({ ...domain, version: 2, operation: "op" })
        : pageOf([domain]);
    render(<Domains />);
    await screen.findByRole("columnheader", { name: "Other date" });
    expectAbsent(screen.queryByRole("columnheader", { name: "Registrar" }));
    press("Use Oct 20, 2031 for two.example");
    expect(await api.bodyLater("PATCH /api/domains/id-two.example")).toEqual({
      expires: "2031-10-20",
    });
  });

  test("leaves out what lapsed, unless it is asked or searched for", async () => {
    holds(1, { "/api/facets": { ...FACETS, quick: [{ value: "Lapsed", names: 4 }] } });
    render(<Domains />);
    const asked = (at: number) =>
      waitFor(() => {
        const query = api.sent("GET /api/domains")[at]?.query;
        expect(query).toBeDefined();
        return query?.getAll("lapsed").join();
      });
    expect(await asked(0)).toBe("false");
    // No chip says 0.
    const chips = within(screen.getByRole("list", { name: "Filters" }));
    await pressLater("Lapsed 4", chips);
    expect(chips.getAllByRole("button")).toHaveLength(1);
    expect(await asked(1)).toBe("true");
    expect(location.search).toBe("?lapsed=true");
    press("Lapsed", chips);
    fireEvent.change(screen.getByRole("searchbox"), { target: { value: "old" } });
    await waitFor(() => expect(location.search).toBe("?q=old"));
    const [last] = api.sent("GET /api/domains").slice(-1);
    await waitFor(() => expect(last?.query.has("lapsed")).toBe(false));
  });

  test("leads to what lapsed or is archived where there is nothing else", async () => {
    api.answer = ({ query }) => pageOf(query.get("archived") === "any" ? names(2) : []);
    render(<Domains />);
    await screen.findByRole("heading", { name: "Only 2 lapsed or archived domains" });
    expectAbsent(screen.queryByRole("heading", { name: "No domains yet" }));
    expectAbsent(screen.queryByRole("button", { name: "Add the first domain" }));
    fireEvent.click(screen.getByRole("link", { name: "Show them" }));
    expect(location.search).toBe("?archived=any");
  });

  test("is headed by the saved view that it shows, and says what became of that", async () => {
    history.replaceState(null, "", "/domains?owner=Acme");
    document.title = "Domains · Freehold";
    let items = [{ id: "v1", name: "Acme", query: "owner=Acme" }];
    api.answer = ({ method, path }) => {
      if (path !== "/api/views" && path !== "/api/views/v1") return pageOf(names(2));
      if (method === "DELETE") items = [];
      return Response.json({ items });
    };
    renderScreen(<Domains />);
    await screen.findByRole("heading", { level: 1, name: "Acme" });
    await waitFor(() => expect(document.title).toBe("Acme · Freehold"));
    expect((await screen.findByText("2 domains found")).previousSibling?.textContent).toBe(
      "2 found",
    );
    press("Views");
    const remove = { name: "Delete this view", hidden: true };
    fireEvent.click(await screen.findByRole("button", remove));
    const question = await screen.findByRole("dialog", { name: "Delete the view “Acme”?" });
    fireEvent.click(within(question).getByRole("button", { name: "Delete" }));
    await screen.findByText("View “Acme” deleted.");
    // The browser says that a name is missing.
    const box = await screen.findByLabelText<HTMLInputElement>("Save this view as");
    expect(box.validity.valueMissing).toBe(true);
    await screen.findByRole("heading", { level: 1, name: "Domains" });
    await waitFor(() => expect(document.title).toBe("Domains · Freehold"));
  });

  test("tells an empty register from a search that finds nothing", async () => {
    api.answer = () => pageOf([]);
    const { unmount } = render(<Domains />);
    await screen.findByRole("heading", { name: "No domains yet" });
    expectAbsent(screen.queryByRole("searchbox"));
    expectAbsent(screen.queryByRole("list", { name: "Filters" }));
    unmount();
    history.replaceState(null, "", "/domains?q=zzz&tag=web");
    render(<Domains />);
    await screen.findByRole("heading", { name: "No domains match your search and filters" });
    press("Clear search and filters");
    expect(location.search).toBe("");
    await screen.findByRole("heading", { name: "No domains yet" });
  });

  test("searches once somebody pauses, as one step back, and the box follows the address", async () => {
    api.answer = ({ query }) => pageOf(query.get("q") ? names(1) : names(3));
    render(<Domains />);
    await screen.findByText("3 domains");
    const before = history.length;
    const box = screen.getByLabelText<HTMLInputElement>("Search domains");
    // A longer text, such as a pasted list, would be no filter: it would find all.
    expect(box.getAttribute("maxlength")).toBe("260");
    for (const value of ["n", "na", "name-0"]) fireEvent.change(box, { target: { value } });
    await screen.findByText("1 domain found");
    expect(location.search).toBe("?q=name-0");
    expect(history.length).toBe(before + 1);
    fireEvent.change(box, { target: { value: "name-01" } });
    await waitFor(() => expect(location.search).toBe("?q=name-01"));
    expect(history.length).toBe(before + 1);
    const searches = api.calls.map(({ query }) => query.get("q")).filter(Boolean);
    expect(searches).toEqual(["name-0", "name-01"]);
    act(() => history.replaceState(null, "", "/domains?q=second"));
    await waitFor(() => expect(box.value).toBe("second"));
    // As cells of a sheet are pasted: it is no search, and stays.
    fireEvent.change(box, { target: { value: "a.com\tb.com" } });
    await screen.findByText(/This link has a filter/);
    expect(box.value).toBe("a.com\tb.com");
  });

  test("sorts by a column, turns it round, and says that prices are sorted per currency where there are no exchange rates", async () => {
    holds(2, { "/api/settings": { leadDays: 60, currency: "EUR", rates: {} } });
    history.replaceState(null, "", "/domains?sort=-price");
    render(<Domains />);
    const link = await screen.findByRole("link", { name: "set exchange rates" });
    expect(link.closest("p")?.textContent).toContain("Sorted per currency.");
    const header = () => screen.getByRole("columnheader", { name: /Registrar/ });
    await pressLater("Registrar");
    expect(header().getAttribute("aria-sort")).toBe("ascending");
    expectAbsent(screen.queryByText(/Sorted per currency/));
    fireEvent.click(within(header()).getByRole("button"));
    expect(header().getAttribute("aria-sort")).toBe("descending");
    expect(location.search).toBe("?sort=-registrar");
    await waitFor(() => expect(api.calls.at(-1)?.query.get("sort")).toBe("-registrar"));
  });

  test("asks again for rows that did not come, and keeps those that did", async () => {
    api.answer = ({ query }) =>
      query.has("offset") ? problem(500, "It broke.") : pageOf(names(2), "cursor", 4);
    render(<Domains />);
    expect((await screen.findByText(/could not be loaded/)).textContent).toContain("It broke.");
    screen.getByRole("link", { name: "name-1.example" });
    expect(screen.getAllByRole("row", { name: /Loading/ })).toHaveLength(2);
    api.answer = () => pageOf(names(2, 2), null, 4);
    press("Try again");
    await screen.findByRole("link", { name: "name-3.example" });
  });

  test("keeps older rows, and says so, when newer ones do not come", async () => {
    api.answer = ({ query }) => (query.get("q") ? problem(503, "Too busy.") : pageOf(names(2)));
    render(<Domains />);
    await screen.findByText("2 domains");
    type("Search domains", "x");
    const notice = await screen.findByText(/These rows are from your previous search/);
    expect(notice.textContent).toContain("Too busy.");
    expect(screen.getAllByRole("row")).toHaveLength(3);
  });

  test("shows the rows of the last visit at once, but not after a sign-out, and tries again", async () => {
    const first = await open(2);
    first.unmount();
    api.answer = () => problem(503, "Too busy.");
    const again = render(<Domains />);
    expect(screen.getAllByRole("row")).toHaveLength(3);
    await screen.findByText(/may be out of date/);
    again.unmount();
    await api.enter();
    render(<Domains />);
    expect((await screen.findByRole("alert")).textContent).toContain("Too busy.");
    expectAbsent(screen.queryByRole("row"));
    api.answer = () => pageOf(names(1));
    press("Try again");
    await screen.findByText("1 domain");
  });

  test("shows the list without a filter that does not exist, and says so", async () => {
    history.replaceState(null, "", "/domains?decision=zzz&registrar=Gandi&sort=shoe");
    api.answer = () => pageOf(names(1));
    render(<Domains />);
    await screen.findByText(/has a filter or sort order that doesn’t exist/);
    await screen.findByText("1 domain found");
    expect(String(api.sent("GET /api/domains")[0]?.query)).toBe(
      `registrar=Gandi&lapsed=false&limit=100&today=${localToday()}`,
    );
    press("Clear it");
    expect(location.search).toBe("?registrar=Gandi");
    expectAbsent(screen.queryByText(/doesn’t exist/));
  });

  test("offers a limited viewer nothing that is not theirs to see", async () => {
    await api.enter({ state: "signed-in", email: "ada@example.com", role: "limited" });
    holds(1, { "/api/facets": FACETS, "/api/views": { items: [] } });
    render(<Domains />);
    await screen.findByText("1 domain");
    press("Views");
    await screen.findByRole("checkbox", { name: "Owner", hidden: true });
    const [sort] = screen.getAllByLabelText<HTMLSelectElement>("Sort by");
    const told = [...(sort?.options ?? [])].map(({ text }) => text);
    expect(told).toContain("Owner");
    expect(told).not.toContain("Account");
    expectAbsent(screen.queryByText("Account"));
    expectAbsent(screen.queryByText("Purchase price"));
    expectAbsent(screen.queryByText("Bin"));
  });
});
