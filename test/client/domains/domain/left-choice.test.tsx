import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "bun:test";
import { Route } from "wouter";
import type { DomainDetail, Session } from "../../../../src/shared/contract.ts";
import Domain from "../../../../src/client/domains/domain/domain.tsx";
import { isHeld, putAway } from "../../../../src/client/hold-page.ts";
import { refreshSession, signOut } from "../../../../src/client/session/session-store.ts";
import { domainOf, fakeApi, problem } from "../../../support/fake-api.ts";

const api = fakeApi();
const one: DomainDetail = {
  ...domainOf("one.example"),
  observations: [],
  createdAt: "2026-11-01T10:00:00Z",
  updatedAt: "2026-11-01T10:00:00Z",
};
const ada = { state: "signed-in", email: "ada@example.com" } as const;
const grace = { state: "signed-in", email: "grace@example.com" } as const;
const NOT_SAVED = "What you chose for one.example was not saved. Too busy.";

const refusal = () => problem(503, "Too busy.");
const isSaid = () => screen.queryByRole("alert") !== null;

async function open() {
  history.replaceState(null, "", "/domains/one.example");
  api.answer = ({ path }) =>
    Response.json(path.endsWith("/history") ? { items: [], next: null } : one);
  const { unmount } = render(<Route path="/domains/:domain" component={Domain} />);
  return { unmount, choice: await screen.findByLabelText("Decision") };
}

/** Chooses on the screen of a name, and leaves it before the answer. */
async function chooseAndLeave(answer: Promise<Response>) {
  const { unmount, choice } = await open();
  api.answer = () => answer;
  fireEvent.change(choice, { target: { value: "drop" } });
  unmount();
  history.replaceState(null, "", "/domains");
}

function become(session: Session) {
  api.session = session;
  return act(() => refreshSession());
}

beforeEach(() => api.enter(ada));

describe("a choice whose screen was left before it was refused", () => {
  test("is told of on the same screen too, to who is back there", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    await chooseAndLeave(promise);
    await open();
    resolve(refusal());
    const notice = await screen.findByRole("alert");
    expect(notice.textContent).toContain(NOT_SAVED);
    fireEvent.click(within(notice).getByRole("button", { name: "Close" }));
    expect(isSaid()).toBe(false);
  });

  test("is told of while its person is there, and not after they have left", async () => {
    await chooseAndLeave(Promise.resolve(refusal()));
    await screen.findByRole("alert");
    await become({ state: "signed-out" });
    expect(isSaid()).toBe(false);
    await become(ada);
    expect(isSaid()).toBe(true);
    await act(() => signOut());
    expect(isSaid()).toBe(false);
    await become(ada);
    expect(isSaid()).toBe(false);
  });

  test("is never told of to another person", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    await chooseAndLeave(promise);
    await become(grace);
    resolve(refusal());
    await waitFor(() => expect(isHeld()).toBe(false));
    expect(isSaid()).toBe(false);
  });

  test("is waited for, and told of, before the page is loaded anew for want of code", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    await chooseAndLeave(promise);
    const lost = putAway();
    resolve(refusal());
    expect(await lost).toBe(NOT_SAVED);
    await become(grace);
  });
});
