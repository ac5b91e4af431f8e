import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import { Route, Router } from "wouter";
import Domain from "../../../../src/client/domains/domain/domain.tsx";
import { expectAbsent } from "../../../support/elements.ts";
import { problem } from "../../../support/fake-api.ts";
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
    expect(await screen.findByRole("heading", { name: "bücher.example" })).toBeDefined();
    expect(screen.getByText(NAME)).toBeDefined();
    expect(api.calls[0]?.path).toBe(`/api/domains/${NAME}`);
    expect(screen.getByRole("link", { name: "Gandi" }).getAttribute("href")).toBe(
      "/domains?registrar=Gandi",
    );
    expect(chosen("Auto-renew")).toBe("Off");
    expect(screen.getByText(/one\s+two/)).toBeDefined();
    expect(screen.getAllByText("Unknown", { selector: "span" })).toHaveLength(4);
  });

  test("marks a name that passes for another", async () => {
    holds({ ...detailOf(), name: "xn--pypal-4ve.com", unicode: "pаypal.com" });
    open("xn--pypal-4ve.com");
    expect((await screen.findByText(/mixes Latin and Cyrillic/)).textContent).toContain("pаypal");
  });

  test("says that a name is not there", async () => {
    api.answer = () => problem(404, "There is no domain with this id");
    open();
    expect(await screen.findByRole("heading", { name: "Domain not found" })).toBeDefined();
  });

  test("says so when the name goes while it is edited", async () => {
    holds(detailOf());
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Edit" }));
    fireEvent.change(screen.getByLabelText("Owner"), { target: { value: "Grace" } });
    api.answer = () => problem(404, "There is no domain with this id");
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText(/Add it again/);
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    fireEvent.click(screen.getByRole("button", { name: "Discard" }));
    expect(await screen.findByRole("heading", { name: "Domain not found" })).toBeDefined();
    expectAbsent(screen.queryByRole("dialog"));
  });

  test("keeps what it shows, and says so, when nothing newer comes", async () => {
    holds(detailOf());
    open();
    await screen.findByRole("heading", { name: "bücher.example" });
    api.answer = () => problem(503, "Too busy.");
    document.dispatchEvent(new Event("visibilitychange"));
    expect((await screen.findByText(/This may be out of date/)).textContent).toContain("Too busy.");
    expect(screen.getByRole("heading", { name: "bücher.example" })).toBeDefined();
  });

  test("goes on with what was typed before a reload", async () => {
    holds(detailOf());
    const { unmount } = open();
    fireEvent.click(await screen.findByRole("button", { name: "Edit" }));
    fireEvent.change(screen.getByLabelText("Owner"), { target: { value: "Grace" } });
    unmount();
    open();
    expect((await screen.findByLabelText<HTMLInputElement>("Owner")).value).toBe("Grace");
    sessionStorage.clear();
  });
});
