import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "bun:test";
import { App, createAreas } from "../../../src/client/app.tsx";
import { areas } from "../../../src/client/areas.ts";
import { lastUndoable, notifyUndoable } from "../../../src/client/register/undo.ts";
import { enableShortcuts } from "../../../src/client/register/shortcut-keys.ts";
import { expectAbsent, textsOf } from "../../support/elements.ts";
import { domainOf, fakeApi, pageOf, problem } from "../../support/fake-api.ts";
import { detailOf, NAME } from "../../support/fake-detail.tsx";

const api = fakeApi();

const box = () => screen.findByRole<HTMLInputElement>("combobox");
const options = () => textsOf(screen.getAllByRole("option"));
const pressKey = (key: string, more: KeyboardEventInit = { ctrlKey: true }) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });

/** Home, whose own request fails here. */
async function open() {
  history.replaceState(null, "", "/home");
  render(<App path="/home" brand="Acre" areas={createAreas(areas)} />);
  await screen.findByRole("heading", { name: "Home" });
}

async function openPalette() {
  await open();
  pressKey("k");
  return box();
}

beforeEach(async () => {
  api.answer = ({ path, query }) => {
    if (path === "/api/summary") return problem(503, "Not now.");
    if (path === "/api/views") {
      return Response.json({ items: [{ id: "v1", name: "Shops", query: "tag=shop" }] });
    }
    const known = { registrar: "Gandi", unicode: "bücher.example" };
    return pageOf(query.get("q") === "sho" ? [domainOf("xn--bcher-kva.example", known)] : []);
  };
  await api.enter();
});

describe("Palette", () => {
  test("goes to what is chosen by arrow keys, from what matches", async () => {
    const input = await openPalette();
    await screen.findByRole("option", { name: "Shops" });
    expect(options().slice(0, 3)).toEqual(["Home", "All domains", "Import"]);
    fireEvent.change(input, { target: { value: "sho" } });
    await screen.findByRole("option", { name: /bücher/ });
    expect(options()).toEqual([
      "Shops",
      "bücher.example xn--bcher-kva.example\u2068Gandi\u2069",
      "All domains that match “sho”",
    ]);
    const active = () => document.getElementById(input.getAttribute("aria-activedescendant") ?? "");
    expect(active()?.textContent).toBe("Shops");
    fireEvent.keyDown(input, { key: "ArrowUp" });
    expect(active()?.textContent).toBe("All domains that match “sho”");
    fireEvent.keyDown(input, { key: "ArrowDown" });
    fireEvent.keyDown(input, { key: "ArrowDown" });
    expect(active()?.getAttribute("aria-selected")).toBe("true");
    fireEvent.keyDown(input, { key: "Enter" });
    expect(location.pathname).toBe("/domains/xn--bcher-kva.example");
    expectAbsent(screen.queryByRole("combobox"));
  });

  test("takes words in any order, without accents, and names that begin with them come first", async () => {
    const input = await openPalette();
    fireEvent.change(input, { target: { value: "sho" } });
    await screen.findByRole("option", { name: /bücher/ });
    // Of the domains before, until the next answer.
    fireEvent.change(input, { target: { value: "gandi BUCH -shop" } });
    expect(options()[0]).toContain("bücher.example");
    fireEvent.change(input, { target: { value: "gandi -buch" } });
    expect(options()).toEqual(["All domains that match “gandi -buch”"]);
    fireEvent.change(input, { target: { value: "domain add" } });
    expect(options()[0]).toBe("Add a domain");
    const others = Array.from({ length: 9 }, (_, at) => `a${at}-shop.example`);
    const names = ["my-shop.example", "shopping.example", ...others, "shop.example"];
    api.answer = () => pageOf(names.map((name) => domainOf(name)));
    fireEvent.change(input, { target: { value: "shop" } });
    await screen.findByRole("option", { name: "shop.example" });
    expect(options().slice(1, 4)).toEqual(["shop.example", "shopping.example", "my-shop.example"]);
  });

  test("offers what can be done with the domain that is open", async () => {
    const { answer } = api;
    api.answer = (call) => {
      if (call.path !== `/api/domains/${NAME}`) return answer(call);
      return Response.json(call.method === "GET" ? detailOf() : { ...detailOf(), operation: "op" });
    };
    history.replaceState(null, "", `/domains/${NAME}`);
    render(<App path={`/domains/${NAME}`} brand="Acre" areas={createAreas(areas)} />);
    await screen.findByRole("heading", { name: "History" });
    pressKey("k");
    await box();
    const group = within(screen.getByRole("group", { name: "bücher.example" }));
    // White space would end the reference of `aria-activedescendant`.
    for (const { id } of group.getAllByRole("option")) expect(id).not.toMatch(/\s/);
    fireEvent.click(group.getByRole("option", { name: "Drop" }));
    await waitFor(() => expect(api.sent(`PATCH /api/domains/id-${NAME}`)).toHaveLength(1));
    expect(api.sent(`PATCH /api/domains/id-${NAME}`)[0]?.body).toEqual({ decision: "drop" });
    // Elsewhere there is none.
    fireEvent.click(screen.getByRole("link", { name: "Home" }));
    await screen.findByRole("heading", { name: "Home" });
    pressKey("k");
    await box();
    expectAbsent(screen.queryByRole("option", { name: "Drop" }));
  });

  test("says that a search failed, and still leads to the list", async () => {
    await open();
    // On the key of K where a layout has another script.
    pressKey("л", { ctrlKey: true, code: "KeyK" });
    const input = await box();
    api.answer = () => problem(503, "The database cannot be reached.");
    fireEvent.change(input, { target: { value: "über" } });
    await screen.findByText("The database cannot be reached.");
    fireEvent.keyDown(input, { key: "Enter" });
    expect(location.pathname + location.search).toBe("/domains?q=%C3%BCber");
  });

  test("signs out, and then no longer opens", async () => {
    await openPalette();
    fireEvent.click(await screen.findByRole("option", { name: "Sign out" }));
    await waitFor(() => expect(api.sent("DELETE /api/token")).toHaveLength(1));
    await act(() => Bun.sleep(0));
    expect(pressKey("k")).toBe(true);
    expectAbsent(screen.queryByRole("combobox"));
  });

  test("leaves other keys, and a dialog that is open, alone", async () => {
    await open();
    expect(pressKey("k", { ctrlKey: false })).toBe(true);
    const dialog = document.createElement("dialog");
    dialog.open = true;
    document.body.append(dialog);
    pressKey("k");
    dialog.remove();
    expectAbsent(screen.queryByRole("combobox"));
  });
});

describe("The last change", () => {
  const undos = () =>
    api.calls.filter(({ method }) => method === "POST").map(({ path }) => path.split("/")[3]);
  const change = (text: string, operation: string) =>
    act(() => void notifyUndoable(text, operation));

  let undoes: typeof api.answer;

  beforeEach(() => {
    const others = api.answer;
    undoes = ({ path }) => Response.json({ restored: 3, kept: [], operation: `undo of ${path}` });
    api.answer = (call) => (call.path.includes("/undo") ? undoes(call) : others(call));
  });

  test("is undone by z on any screen or from the palette, then the one before", async () => {
    await open();
    change("Auto-renew off for 46 domains.", "op-1");
    change("3 domains marked Drop.", "op-2");
    expect(document.querySelector("[aria-live]")?.textContent).toContain(
      "3 domains marked Drop. Press z to undo.",
    );
    pressKey("z", { ctrlKey: false });
    await waitFor(() => expect(undos()).toEqual(["op-2"]));
    await screen.findByRole("button", { name: "Redo" });
    expectAbsent(screen.queryByText(/marked Drop/));
    // With Caps Lock.
    pressKey("Z", { ctrlKey: false });
    await waitFor(() => expect(undos()).toEqual(["op-2", "op-1"]));
    pressKey("z", { ctrlKey: false });
    expect(undos()).toHaveLength(2);
    change("3 domains marked Keep.", "op-3");
    pressKey("k");
    fireEvent.click(await screen.findByRole("option", { name: /^Undo: 3 domains marked Keep/ }));
    await waitFor(() => expect(undos()[2]).toBe("op-3"));
  });

  test("gives way to the one before where it can never be undone, and waits where it may be", async () => {
    await open();
    const others = undoes;
    let status = 503;
    undoes = (call) =>
      call.path.endsWith("/op-6/undo") ? new Response(null, { status }) : others(call);
    change("Notes of a.example saved.", "op-5");
    change("1 domain marked Keep.", "op-6");
    pressKey("z", { ctrlKey: false });
    await screen.findByText(/went wrong on the server/);
    status = 404;
    pressKey("z", { ctrlKey: false });
    await screen.findByText(/unexpected answer/);
    pressKey("z", { ctrlKey: false });
    await waitFor(() => expect(undos()).toHaveLength(3));
    expect(undos()).toEqual(["op-6", "op-6", "op-5"]);
  });

  test("does not come back to another person when it fails late", async () => {
    await open();
    const { promise, resolve } = Promise.withResolvers<Response>();
    undoes = () => promise;
    change("3 domains marked Drop.", "op-7");
    pressKey("z", { ctrlKey: false });
    await waitFor(() => expect(undos()).toEqual(["op-7"]));
    await api.enter({ state: "signed-in", email: "grace@example.com" });
    resolve(new Response(null, { status: 503 }));
    await screen.findByText(/went wrong on the server/);
    expect(lastUndoable()).toBeUndefined();
  });

  test("stays where characters are no shortcuts, and of the person who made it", async () => {
    await open();
    enableShortcuts(false);
    change("3 domains marked Drop.", "op-4");
    expect(document.querySelector("[aria-live]")?.textContent).not.toContain("Press");
    pressKey("z", { ctrlKey: false });
    enableShortcuts(true);
    await api.enter({ state: "signed-in", email: "grace@example.com" });
    pressKey("z", { ctrlKey: false });
    expect(undos()).toEqual([]);
  });
});
