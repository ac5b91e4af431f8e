import { fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "bun:test";
import Registrars from "../../../src/client/registrars/registrars.tsx";
import { DEFAULT_SETTINGS } from "../../../src/shared/settings.ts";
import { expectAbsent, press, type } from "../../support/elements.ts";
import { fakeApi, problem } from "../../support/fake-api.ts";

const api = fakeApi("/registrars");

const gandi = {
  key: "gandi",
  name: "Gandi",
  loginUrl: null,
  names: 3,
  unpriced: [
    { tld: "com", names: 2 },
    { tld: "xn--p1ai", names: 3 },
  ],
  prices: [],
};

const escape = () =>
  fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }));

beforeEach(async () => {
  api.answer = ({ method, path }) => {
    if (path === "/api/registrars")
      return Response.json({ items: [gandi, { ...gandi, key: "~ovh", name: "~OVH" }] });
    if (path === "/api/settings") return Response.json(DEFAULT_SETTINGS);
    if (path === "/api/channels") return Response.json({ items: [] });
    if (method === "PATCH") return problem(409, "Somebody else has changed Gandi.");
    return problem(404, "Nothing here.");
  };
  render(<Registrars />);
  await screen.findByRole("rowheader", { name: "Gandi" });
});

describe("Registrars", () => {
  test("leads to the domains of a registrar, whatever its name begins with", () => {
    const row = screen.getByRole("row", { name: /~OVH/ });
    const { search } = new URL(within(row).getByRole<HTMLAnchorElement>("link").href);
    expect(new URLSearchParams(search).get("registrar")).toBe("=~OVH");
  });

  test.each([
    ["Price list of Gandi", "Prices", "com 12.50"],
    ["Edit Gandi", "Login link", "gandi.net/login"],
  ])("%s: asks before what was typed is discarded", (button, label, typed) => {
    press(button);
    const dialog = within(screen.getByRole("dialog"));
    type(label, typed, dialog);
    escape();
    dialog.getByText(/Discard your changes/);
    press("Keep editing");
    expect(dialog.getByLabelText<HTMLInputElement>(label).value).toBe(typed);
    press("Cancel");
    press("Discard");
    expectAbsent(screen.queryByRole("dialog"));
  });

  test("takes a pasted table, and names the lines that it does not understand", async () => {
    press("Price list of Gandi");
    const box = screen.getByLabelText<HTMLTextAreaElement>("Prices");
    // TLDs whose domains lack a price are there already.
    expect(box.value).toBe("com\nxn--p1ai");
    screen.getByText(/5 domains have no price; this list covers none of them yet/);
    type("Currency", "eur");
    const pasted = "TLD\tPreis\nco.uk\t9,50 €\t2 Jahre\nab 1.234 im Monat\n.com\t$1,018.99";
    fireEvent.change(box, { target: { value: pasted } });
    screen.getByText(/this list covers 2 of them/);
    fireEvent.change(box, { target: { value: `${pasted}\nрф 10\nCOM 12` } });
    screen.getByText(/this list covers 5 of them/);
    screen.getByText("Line 6 is on the list already: COM 12");
    screen.getByText("Line 3 is not understood: ab 1.234 im Monat");
    fireEvent.change(box, { target: { value: pasted.replace("ab 1.234 im Monat\n", "") } });
    expectAbsent(screen.queryByText(/not understood/));
    fireEvent.change(box, { target: { value: `${pasted}${"\n?".repeat(5)}` } });
    screen.getByText("And 1 more line, the next at line 9.");
    fireEvent.change(box, { target: { value: pasted.replace("ab 1.234 im Monat\n", "") } });
    press("Save prices");
    await screen.findByText("Somebody else has changed Gandi.");
    expect(box.value).toContain("9,50 €");
    expect(api.sent("PATCH /api/registrars/gandi")[0]?.body).toEqual({
      prices: [
        { tld: "co.uk", minor: 950, currency: "EUR", years: 2 },
        { tld: "com", minor: 101_899, currency: "USD", years: 1 },
      ],
      pricesBefore: [],
    });
  });

  test("merges into a registrar that is chosen, and says what becomes of it", async () => {
    press("Edit Gandi");
    type("Merge into…", "~ovh");
    screen.getByText(
      /which keeps its own login link and prices, and takes over any that are missing/,
    );
    press("Merge into ~OVH");
    await screen.findByText("Somebody else has changed Gandi.");
    expect(api.sent("PATCH /api/registrars/gandi")[0]?.body).toEqual({ name: "~OVH" });
  });
});
