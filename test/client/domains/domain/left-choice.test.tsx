import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "bun:test";
import { Route } from "wouter";
import Domain from "../../../../src/client/domains/domain/domain.tsx";
import { clearNotifications } from "../../../../src/client/ui/notifications.ts";
import { refreshSession } from "../../../../src/client/session/session-store.ts";
import { NotificationList } from "../../../../src/client/shell/layout.tsx";
import { hasUnsavedChanges } from "../../../../src/client/ui/unsaved-changes.ts";
import { domainOf, fakeApi, problem } from "../../../support/fake-api.ts";
import { choose, detailOf } from "../../../support/fake-detail.tsx";

const api = fakeApi();
const one = detailOf(domainOf("one.example"));
const ada = { state: "signed-in", email: "ada@example.com" } as const;
const grace = { state: "signed-in", email: "grace@example.com" } as const;
const NOT_SAVED = "Your change to one.example was not saved. Too busy.";

const refusal = () => problem(503, "Too busy.");

/** Opens the screen; a change of the domain is answered with `changed`. */
async function open(changed: Promise<Response> | null = null) {
  history.replaceState(null, "", "/domains/one.example");
  api.answer = ({ method, path }) => {
    if (method === "PATCH" && changed !== null) return changed;
    return Response.json(path.endsWith("/history") ? { items: [], next: null } : one);
  };
  const { unmount } = render(<Route path="/domains/:domain" component={Domain} />);
  await screen.findByRole("button", { name: /^More for / });
  return { unmount };
}

/** Chooses on the screen of a name, and leaves it before the answer. */
async function chooseAndLeave(answer: Promise<Response>) {
  const { unmount } = await open(answer);
  await choose("Decision", "Drop");
  unmount();
  history.replaceState(null, "", "/domains");
}

beforeEach(async () => {
  await api.enter(ada);
  act(clearNotifications);
  render(<NotificationList />);
});

describe("a choice whose screen was left before it was refused", () => {
  test("is told of on the next screen, until that is dismissed", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    await chooseAndLeave(promise);
    await open();
    resolve(refusal());
    await screen.findByText(NOT_SAVED);
    fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByText(NOT_SAVED)).toBeNull();
  });

  test("is never told of to another person", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    await chooseAndLeave(promise);
    api.session = grace;
    await act(() => refreshSession());
    resolve(refusal());
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
    expect(screen.queryByText(NOT_SAVED)).toBeNull();
  });

  test("is not followed by what was chosen after it, once another person is there", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const { unmount } = await open(promise);
    await choose("Decision", "Drop");
    await choose("Auto-renew", "Off");
    unmount();
    api.session = grace;
    await act(() => refreshSession());
    resolve(Response.json({ ...one, version: 2, decision: "drop", operation: "op" }));
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
    expect(api.sent("PATCH /api/domains/id-one.example")).toHaveLength(1);
  });
});
