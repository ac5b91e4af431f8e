import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import { Route, Router } from "wouter";
import Domain from "../../../../src/client/domains/domain/domain.tsx";
import { invalidate } from "../../../../src/client/register/resource.tsx";
import {
  expectAbsent,
  hrefLater,
  hrefOf,
  press,
  pressLater,
  type,
} from "../../../support/elements.ts";
import { domainOf, pageOf, problem } from "../../../support/fake-api.ts";
import { chosen, detailOf, fakeDetail, NAME } from "../../../support/fake-detail.tsx";

const { api, holds, open } = fakeDetail();

describe("Domain", () => {
  test("has a heading for every name in the markup of the server", () => {
    const page = (
      <Router ssrPath="/domains/:domain">
        <Route path="/domains/:domain" component={Domain} />
      </Router>
    );
    expect(renderToString(page)).toContain(">Domain</h1>");
  });

  test("shows a name as people read it and as ASCII, with what is known and what is not", async () => {
    holds(detailOf({ registrar: "Gandi", tags: ["web"], autoRenew: false, notes: "one\ntwo" }));
    open();
    await screen.findByRole("heading", { name: "bücher.example" });
    screen.getByText(NAME);
    expect(api.sent(`GET /api/domains/${NAME}`).length).toBeGreaterThan(0);
    expect(hrefOf("Gandi")).toBe("/domains?registrar=Gandi");
    expect(await chosen("Auto-renew")).toBe("Off");
    screen.getByText(/one\s+two/);
    expect(screen.getAllByText("Unknown", { selector: "span" })).toHaveLength(3);
    expect(screen.getAllByText("Undecided").length).toBeGreaterThan(0);
  });

  test("says to a limited viewer nothing of an account, which is not theirs to see", async () => {
    await api.enter({ state: "signed-in", email: "ada@example.com", role: "limited" });
    holds(detailOf({ owner: "Acme" }));
    open();
    await screen.findByText("Owner", { selector: "dt" });
    expectAbsent(screen.queryByText("Account", { selector: "dt" }));
  });

  test("names the account that reports it, or no longer has it, and why", async () => {
    const source = "account:gandi:Gandi";
    const observedAt = new Date().toISOString();
    const known = { date: "2027-05-05", source, observedAt, conflict: false, alternatives: [] };
    const vanished = { account: "a1", label: "Gandi", since: "2026-11-20", reason: null };
    const observations = [{ date: "2027-05-05", source, observedAt }];
    holds(detailOf({ expires: known, observations, vanished }));
    open();
    await screen.findByText(/^Gandi account · \d+:\d\d/);
    screen.getByText("Gone from the Gandi account since Nov 20, 2026.");
    screen.getByText(/The account does not say why/);
    expect(hrefOf("All vanished names")).toBe("/registrars/accounts/a1?class=vanished");
  });

  test("shows what is rarely known only where it is, and the custom fields", async () => {
    const known = { registeredOn: "2019-03-02", locked: true, nameservers: ["ns1.example.net"] };
    const listPrice = { minor: 1400, currency: "EUR", years: 1 };
    const loginUrl = "https://login.example/";
    const registrar = "Gandi";
    holds(detailOf({ ...known, custom: { Ticket: "#4711" }, listPrice, loginUrl, registrar }));
    open();
    const terms = await screen.findAllByRole("term");
    const shown = terms.map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`);
    expect(shown).toContain("Registered on: Mar 2, 2019");
    expect(shown).toContain("Transfer lock: On");
    expect(shown).toContain("Name servers: ns1.example.net");
    expect(shown).toContain("Ticket: #4711");
    expect(shown).toContain("Per year: €14.00, list price");
    expect(shown.join()).not.toContain("Sold");
    expect(hrefOf(/^Log in there/)).toBe(loginUrl);
  });

  test("leads through the list that it was opened from, also past a settled conflict", async () => {
    const names = ["a.example", NAME, "z.example"];
    holds(detailOf());
    const { answer } = api;
    api.answer = (call) =>
      call.path === "/api/domains" ? pageOf(names.map((name) => domainOf(name))) : answer(call);
    open(`${NAME}?expires=conflict`);
    expect(await hrefLater("3 with conflicting dates")).toBe("/domains?expires=conflict");
    expect(hrefOf("Domains")).toBe("/domains?expires=conflict");
    names.splice(1, 1);
    act(() => invalidate("/api/"));
    await waitFor(() => expect(api.sent("GET /api/domains/" + NAME)).toHaveLength(2));
    expect(hrefOf("Previous")).toBe("/domains/a.example?expires=conflict");
    fireEvent.keyDown(document.body, { key: "J" });
    await waitFor(() => expect(location.pathname).toBe("/domains/z.example"));
    expect(location.search).toBe("?expires=conflict");
  });

  test("marks a name that passes for another", async () => {
    holds({ ...detailOf(), name: "xn--pypal-4ve.com", unicode: "pаypal.com" });
    open("xn--pypal-4ve.com");
    expect((await screen.findByText(/mixes Latin and Cyrillic/)).textContent).toContain("pаypal");
  });

  test.each(["viewer", "limited"] as const)(
    "says to a %s that a name is not there, with the way to the bin if they may see it",
    async (role) => {
      await api.enter({ state: "signed-in", email: "ada@example.com", role });
      api.answer = () => problem(404, "There is no domain with this id");
      open();
      await screen.findByRole("heading", { name: "Domain not found" });
      const links = screen.queryAllByRole("link", { name: "Look in the bin" });
      expect(links).toHaveLength(role === "viewer" ? 1 : 0);
    },
  );

  test("restores a draft at an address in Unicode, too, and says so when the name goes meanwhile", async () => {
    holds(detailOf());
    open();
    await pressLater("Edit");
    type("Owner", "Grace");
    cleanup();
    open("bücher.example");
    expect((await screen.findByLabelText<HTMLInputElement>("Owner")).value).toBe("Grace");
    api.answer = () => problem(404, "There is no domain with this id");
    press("Save");
    await screen.findByText(/Add it again/);
    press("Cancel");
    press("Discard");
    await screen.findByRole("heading", { name: "Domain not found" });
    expectAbsent(screen.queryByRole("dialog"));
  });

  test("keeps each fact in its own direction", async () => {
    holds(detailOf({ registrar: "דומיין", owner: "42 Ltd" }));
    open();
    const parts = await screen.findAllByText(/^(?:דומיין|42 Ltd)$/, { selector: "bdi" });
    expect(parts).toHaveLength(2);
  });
});
