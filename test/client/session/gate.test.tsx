import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import { callApi, refreshSession } from "../../../src/client/session/session-store.ts";
import { Gate } from "../../../src/client/session/gate.tsx";
import { leave } from "../../../src/client/session/person-menu.tsx";
import { expectAbsent, expectFocus, press, type } from "../../support/elements.ts";
import { fakeApi, problem } from "../../support/fake-api.ts";
import { renderScreen } from "../../support/render-screen.tsx";

const api = fakeApi();
const ada = { state: "signed-in", email: "ada@example.com" } as const;

const screenOf = (
  <Gate waiting={<p>One moment</p>}>
    <label>
      Note <input />
    </label>
    <button onClick={leave}>Sign out</button>
  </Gate>
);

/** What the hidden children look like is CSS; what counts is that the same element is still there. */
const note = () => screen.getByLabelText<HTMLInputElement>("Note");

describe("Gate", () => {
  test("waits in the markup of the server", () => {
    expect(renderToString(screenOf)).toContain("One moment");
  });

  test("lets in who is signed in, and asks who that is but once", async () => {
    await api.enter(ada);
    render(
      <>
        {screenOf}
        <Gate waiting="">Second</Gate>
      </>,
    );
    expect(note()).toBeDefined();
    screen.getByText("Second");
    expect(api.sent("GET /api/token")).toHaveLength(0);
  });

  test("asks for a new password where a link for that is opened, signed in or not", async () => {
    await api.enter(ada);
    for (const state of [ada, { state: "signed-out" } as const]) {
      api.session = state;
      history.replaceState(null, "", "/home?x#reset=ABCD-1234&email=ada%40example.com");
      const { unmount } = render(screenOf);
      await screen.findByRole("heading", { name: "Choose a new password" });
      expect(location.pathname + location.search + location.hash).toBe("/home?x");
      api.answer = () => Response.json(ada);
      const box = screen.getByLabelText("New password");
      fireEvent.change(box, { target: { value: "a long secret" } });
      press("Save and sign in");
      await waitFor(() => expect(note().checkVisibility()).toBe(true));
      const body = { code: "ABCD-1234", email: ada.email, password: "a long secret" };
      expect(api.sent("POST /api/invitations/accept").at(-1)?.body).toEqual(body);
      expectAbsent(screen.queryByLabelText("New password"));
      unmount();
      await act(() => refreshSession());
    }
  });

  test("brings the sign-in form on a 401, in place, and everything back after it", async () => {
    await api.enter(ada);
    render(screenOf);
    fireEvent.change(note(), { target: { value: "half a sentence" } });
    const before = note();

    api.answer = () => problem(401, "Sign in first.");
    await act(() => callApi("/api/domains", {}).catch(() => undefined));
    await screen.findByRole("heading", { name: "Sign in again" });
    expect(screen.getByLabelText<HTMLInputElement>("E-mail address").value).toBe(ada.email);
    await expectFocus(() => screen.getByLabelText("Password"));

    api.answer = () => Response.json(ada);
    type("Password", "a long secret");
    press("Sign in");
    await waitFor(() => expectAbsent(screen.queryByText("Sign in again")));
    expect(note()).toBe(before);
    expect(note().value).toBe("half a sentence");
  });

  test("forgets what one person typed before another sees the screen", async () => {
    const Draft = () => <p>Draft: {sessionStorage.getItem("domain-draft") ?? "none"}</p>;
    const draft = (
      <Gate waiting="">
        <Draft />
      </Gate>
    );
    await api.enter(ada);
    await refreshSession();
    sessionStorage.setItem("domain-draft", "ada's");
    await act(() => refreshSession());
    render(draft);
    screen.getByText("Draft: ada's");
    api.session = { state: "signed-out" };
    await act(() => refreshSession());
    api.session = { state: "signed-in", email: "grace@example.com" };
    await act(() => refreshSession());
    screen.getByText("Draft: none");
  });

  test.each([
    ["nothing for another person", "2", ""],
    ["what was typed when the person changes their e-mail address", "1", "half a sentence"],
  ])("keeps %s", async (_, id, kept) => {
    await api.enter({ ...ada, id: "1" });
    render(screenOf);
    fireEvent.change(note(), { target: { value: "half a sentence" } });
    api.session = { ...ada, id, email: "lovelace@example.com" };
    await act(() => refreshSession());
    expect(note().value).toBe(kept);
  });

  test("asks once how a sign-in begins, and again where the session has ended by itself", async () => {
    await api.enter({ state: "signed-out" });
    const { unmount } = render(screenOf);
    await screen.findByRole("heading", { name: "Sign in" });
    expect(api.sent("GET /api/token")).toHaveLength(0);
    unmount();
    await api.enter(ada);
    render(screenOf);
    api.session = { state: "signed-out", signIn: ["oidc"] };
    api.answer = () => problem(401, "Sign in first.");
    await act(() => callApi("/api/domains", {}).catch(() => undefined));
    await screen.findByText("Sign in with single sign-on");
  });

  test("notices what another tab did", async () => {
    await api.enter(ada);
    render(screenOf);
    api.session = { state: "signed-out" };
    await act(async () => {
      window.dispatchEvent(new StorageEvent("storage", { key: "session-changed" }));
    });
    await screen.findByRole("heading", { name: "Sign in again" });
  });

  test("stays open when asking again fails", async () => {
    await api.enter(ada);
    render(screenOf);
    globalThis.fetch = Object.assign(() => Promise.reject(new TypeError("offline")), fetch);
    await act(() => refreshSession());
    expect(note()).toBeDefined();
  });
});

describe("leave", () => {
  test("forgets who was there and what was typed", async () => {
    await api.enter(ada);
    sessionStorage.setItem("domain-draft", "{}");
    render(screenOf);
    press("Sign out");
    await screen.findByRole("heading", { name: "Sign in" });
    expect(screen.getByLabelText<HTMLInputElement>("E-mail address").value).toBe("");
    expectAbsent(screen.queryByLabelText("Note"));
    expect(sessionStorage.getItem("domain-draft")).toBeNull();
  });

  test("says when it did not work", async () => {
    await api.enter(ada);
    renderScreen(screenOf);
    globalThis.fetch = Object.assign(() => Promise.reject(new TypeError("offline")), fetch);
    press("Sign out");
    const said = /^You are still signed in\. Can’t reach the server/;
    await screen.findByText(said);
    expect(note()).toBeDefined();
  });
});
