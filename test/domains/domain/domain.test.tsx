import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, mock, test } from "bun:test";
import { renderToString } from "react-dom/server";
import { Route, Router } from "wouter";
import type { DomainDetail } from "../../../src/contract.ts";
import Domain from "../../../src/domains/domain/domain.tsx";
import { refreshSession } from "../../../src/session/session-store.ts";
import { domainOf, fakeApi, problem } from "../../support/fake-api.ts";

const api = fakeApi();

const NAME = "xn--bcher-kva.example";
const said = (source: string, date: string | null) => ({
  source,
  date,
  observedAt: "2026-11-01T10:00:00Z",
});
const detail = (known: Partial<DomainDetail> = {}): DomainDetail => ({
  ...domainOf(NAME, { unicode: "bücher.example" }),
  observations: [],
  createdAt: "2026-11-01T10:00:00Z",
  updatedAt: "2026-11-01T10:00:00Z",
  ...known,
});
const expires = { date: "2027-05-05", source: "Gandi", observedAt: "", conflict: true };

/** Answers with one name, its history, and what a change of it gives. */
function holds(known: DomainDetail, patched = () => Response.json({ ...known, version: 2 })) {
  api.answer = ({ method, path }) => {
    if (path.endsWith("/history")) return Response.json({ items: [], next: null });
    return method === "PATCH" ? patched() : Response.json(known);
  };
}

function open(name = NAME) {
  history.replaceState(null, "", `/domains/${name}`);
  return render(<Route path="/domains/:domain" component={Domain} />);
}

beforeEach(() => api.enter({ state: "signed-in", email: "ada@example.com" }));

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
    holds(detail({ registrar: "Gandi", tags: ["web"], autoRenew: false, notes: "one\ntwo" }));
    open();
    expect(await screen.findByRole("heading", { name: "bücher.example" })).toBeDefined();
    expect(screen.getByText(NAME)).toBeDefined();
    expect(api.calls[0]?.path).toBe(`/api/domains/${NAME}`);
    expect(screen.getByRole("link", { name: "Gandi" }).getAttribute("href")).toBe(
      "/domains?registrar=Gandi",
    );
    expect(screen.getByLabelText<HTMLSelectElement>("Auto-renew").value).toBe("false");
    expect(screen.getByText(/one\s+two/)).toBeDefined();
    expect(screen.getAllByText("unknown", { selector: "span" })).toHaveLength(4);
  });

  test("shows who says which day, and that they disagree", async () => {
    const observations = [said("Gandi", "2027-05-05"), said("old list", "2027-06-06")];
    holds(detail({ expires, observations: [...observations, said("manual", null)] }));
    open();
    expect(await screen.findByText(/sources disagree/)).toBeDefined();
    expect(screen.getByRole("rowheader", { name: "Gandi counts" })).toBeDefined();
    expect(screen.getByRole("rowheader", { name: "old list" })).toBeDefined();
    const mine = screen.getByRole("row", { name: /You/ });
    expect(within(mine).getByText("withdrawn")).toBeDefined();
    expect(within(mine).queryByRole("button") === null).toBe(true);
  });

  test("pins the day of a source, and takes the pin away", async () => {
    holds(detail({ expires, observations: [said("Gandi", "2027-05-05")] }));
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Pin 2027-05-05 from Gandi" }));
    await screen.findByText("bücher.example was saved.");
    const [pin] = api.sent(`PATCH /api/domains/id-${NAME}`);
    expect(pin?.body).toEqual({ expires: "2027-05-05" });
    expect(pin?.headers.get("if-match")).toBe('"1"');

    const pinned = { ...expires, source: "manual" };
    holds(detail({ version: 2, expires: pinned, observations: [said("manual", "2027-05-05")] }));
    document.dispatchEvent(new Event("visibilitychange"));
    fireEvent.click(await screen.findByRole("button", { name: "Unpin 2027-05-05" }));
    await waitFor(() =>
      expect(api.sent(`PATCH /api/domains/id-${NAME}`)[1]?.body).toEqual({ expires: null }),
    );
  });

  test("shows a decision at once, and takes it back where it is not saved", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    holds(detail());
    open();
    const choice = await screen.findByLabelText<HTMLSelectElement>("Decision");
    const answer = api.answer;
    api.answer = (call) => (call.method === "PATCH" ? promise : answer(call));
    fireEvent.change(choice, { target: { value: "drop" } });
    expect(choice.value).toBe("drop");
    resolve(problem(503, "Too busy."));
    expect((await screen.findByRole("alert")).textContent).toContain("Too busy.");
    expect(choice.value).toBe("");
    holds(detail(), () => Response.json({ ...detail(), version: 2, decision: "drop" }));
    fireEvent.change(choice, { target: { value: "drop" } });
    await screen.findByText("bücher.example was saved.");
    expect(api.sent(`PATCH /api/domains/id-${NAME}`)[1]?.body).toEqual({ decision: "drop" });
  });

  test("sends what is chosen meanwhile after it, to the version that came of it", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    holds(detail());
    open();
    const decision = await screen.findByLabelText<HTMLSelectElement>("Decision");
    const autoRenew = screen.getByLabelText<HTMLSelectElement>("Auto-renew");
    const { answer } = api;
    const saved = { ...detail(), version: 2, decision: "drop" } as const;
    api.answer = (call) => {
      if (call.method !== "PATCH") return answer(call);
      return promise;
    };
    fireEvent.change(decision, { target: { value: "drop" } });
    fireEvent.change(autoRenew, { target: { value: "false" } });
    expect([decision.value, autoRenew.value]).toEqual(["drop", "false"]);
    holds(saved, () => problem(503, "Too busy."));
    resolve(Response.json(saved));
    expect((await screen.findByRole("alert")).textContent).toContain("again what it was before");
    expect([decision.value, autoRenew.value]).toEqual(["drop", ""]);
    const sent = api.sent(`PATCH /api/domains/id-${NAME}`);
    expect(sent.map(({ body }) => body)).toEqual([{ decision: "drop" }, { autoRenew: false }]);
    expect(sent[1]?.headers.get("If-Match")).toBe('"2"');
  });

  test("lets nobody edit a version that a choice is about to replace", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const start = detail({ observations: [said("Gandi", "2027-05-05")] });
    holds(start);
    open();
    const choice = await screen.findByLabelText("Decision");
    const { answer } = api;
    api.answer = (call) => (call.method === "PATCH" ? promise : answer(call));
    fireEvent.change(choice, { target: { value: "drop" } });
    fireEvent.click(screen.getByRole("button", { name: "Edit" }));
    fireEvent.click(screen.getByRole("button", { name: /^Pin/ }));
    expect(screen.queryByRole("dialog") === null).toBe(true);
    const saved = { ...start, version: 2, decision: "drop" } as const;
    holds(saved, () => Response.json({ ...saved, version: 3 }));
    resolve(Response.json(saved));
    await screen.findByText("bücher.example was saved.");
    const edits = () => api.sent(`PATCH /api/domains/id-${NAME}`);
    expect(edits()[1]?.headers.get("If-Match")).toBe('"2"');

    fireEvent.click(screen.getByRole("button", { name: "Edit" }));
    fireEvent.change(screen.getByLabelText("Owner"), { target: { value: "Grace" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(edits()).toHaveLength(3));
    expect(edits()[2]?.headers.get("If-Match")).not.toBe('"1"');
    await waitFor(() => expect(screen.queryByRole("dialog") === null).toBe(true));
  });

  test("says after the sign-in that a choice was not saved for want of a session", async () => {
    holds(detail(), () => problem(401, "Sign in first."));
    open();
    const choice = await screen.findByLabelText<HTMLSelectElement>("Decision");
    fireEvent.change(choice, { target: { value: "drop" } });
    await screen.findByRole("heading", { name: "Sign in again" });
    await act(() => refreshSession());
    expect(screen.getByRole("alert").textContent).toContain("your session had ended");
    expect(choice.value).toBe("");
  });

  test("says on the next screen what became of a choice", async () => {
    let answer = Promise.withResolvers<Response>();
    const choose = async () => {
      holds(detail());
      const { unmount } = open();
      const choice = await screen.findByLabelText("Decision");
      api.answer = () => answer.promise;
      fireEvent.change(choice, { target: { value: "drop" } });
      unmount();
      history.replaceState(null, "", "/domains");
    };
    await choose();
    answer.resolve(problem(503, "Too busy."));
    const notice = await screen.findByRole("alert");
    expect(notice.textContent).toContain("bücher.example was not saved. Too busy.");
    fireEvent.click(within(notice).getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("alert") === null).toBe(true);

    answer = Promise.withResolvers();
    await choose();
    const readAgain = mock();
    document.addEventListener("visibilitychange", readAgain, { once: true });
    answer.resolve(Response.json({ ...detail(), version: 2, decision: "drop" }));
    await waitFor(() => expect(readAgain).toHaveBeenCalledTimes(1));
    expect(screen.queryByRole("alert") === null).toBe(true);
  });

  test("takes no new version while a choice is on its way", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const newVersion = () => dispatchEvent(new Event("new-version", { cancelable: true }));
    holds(detail());
    const { unmount } = open();
    const choice = await screen.findByLabelText("Decision");
    api.answer = () => promise;
    fireEvent.change(choice, { target: { value: "drop" } });
    unmount();
    expect(newVersion()).toBe(false);
    resolve(problem(503, "Too busy."));
    await waitFor(() => expect(newVersion()).toBe(true));
  });

  test("shows what is there now when a pin loses a race", async () => {
    const start = detail({ expires, observations: [said("Gandi", "2027-05-05")] });
    holds(start, () =>
      problem(412, "Stale.", { current: domainOf(NAME, { version: 7, registrar: "OVH" }) }),
    );
    open();
    fireEvent.click(await screen.findByRole("button", { name: /^Pin/ }));
    expect((await screen.findByRole("alert")).textContent).toContain("decide once more");
    expect(screen.getByRole("link", { name: "OVH" })).toBeDefined();
  });

  test("marks a name that passes for another", async () => {
    holds({ ...detail(), name: "xn--pypal-4ve.com", unicode: "pаypal.com" });
    open("xn--pypal-4ve.com");
    expect((await screen.findByText(/mixes Latin and Cyrillic/)).textContent).toContain("pаypal");
  });

  test("tells what happened, and more of it when asked", async () => {
    const change = (id: string, field: string, before: unknown, after: unknown) => ({
      id,
      at: "2026-11-01T10:00:00Z",
      by: `ada-${id}@example.com`,
      action: "edited",
      fields: [{ field, before, after }],
    });
    api.answer = ({ path, query }) => {
      if (!path.endsWith("/history")) return Response.json(detail());
      if (query.has("after")) {
        const renewal = { minor: 1200, currency: "EUR", years: 1 };
        return Response.json({ items: [change("1", "renewal", null, renewal)], next: null });
      }
      const day = { date: "2027-05-05", source: "manual", conflict: false };
      return Response.json({ items: [change("2", "expires", null, day)], next: "2" });
    };
    open();
    expect(await screen.findByText("2027-05-05 (manual)")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Show older changes" }));
    expect(await screen.findByText("€12.00")).toBeDefined();
    expect(screen.getByText("2027-05-05 (manual)")).toBeDefined();
    expect(screen.queryByRole("button", { name: "Show older changes" }) === null).toBe(true);
  });

  test("says that a name is not there", async () => {
    api.answer = () => problem(404, "There is no domain with this id");
    open();
    expect(
      await screen.findByRole("heading", { name: "This name is not in the register" }),
    ).toBeDefined();
  });

  test("says so when the name goes while it is edited", async () => {
    holds(detail());
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Edit" }));
    fireEvent.change(screen.getByLabelText("Owner"), { target: { value: "Grace" } });
    api.answer = () => problem(404, "There is no domain with this id");
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText(/Add it anew, with what you typed/);
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    fireEvent.click(screen.getByRole("button", { name: "Discard it" }));
    expect(
      await screen.findByRole("heading", { name: "This name is not in the register" }),
    ).toBeDefined();
    expect(screen.queryByRole("dialog") === null).toBe(true);
  });

  test("keeps what it shows, and says so, when nothing newer comes", async () => {
    holds(detail());
    open();
    await screen.findByRole("heading", { name: "bücher.example" });
    api.answer = () => problem(503, "Too busy.");
    document.dispatchEvent(new Event("visibilitychange"));
    expect((await screen.findByText(/This may be out of date/)).textContent).toContain("Too busy.");
    expect(screen.getByRole("heading", { name: "bücher.example" })).toBeDefined();
  });

  test("goes on with what was typed before a reload", async () => {
    holds(detail());
    const { unmount } = open();
    fireEvent.click(await screen.findByRole("button", { name: "Edit" }));
    fireEvent.change(screen.getByLabelText("Owner"), { target: { value: "Grace" } });
    unmount();
    open();
    expect((await screen.findByLabelText<HTMLInputElement>("Owner")).value).toBe("Grace");
    sessionStorage.clear();
  });
});
