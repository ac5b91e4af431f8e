import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { NotificationList } from "../../../../src/client/shell/layout.tsx";
import { hasUnsavedChanges } from "../../../../src/client/ui/unsaved-changes.ts";
import { refreshSession } from "../../../../src/client/session/session-store.ts";
import { expectAbsent, press, type } from "../../../support/elements.ts";
import { problem } from "../../../support/fake-api.ts";
import {
  choose,
  chosen,
  detailOf,
  DISPUTED,
  fakeDetail,
  said,
} from "../../../support/fake-detail.tsx";

const { api, edits, holds, open } = fakeDetail();

/** Opens a domain of which a change is answered once the test says how. */
function openHeld(start = detailOf()) {
  const held = Promise.withResolvers<Response>();
  holds(start);
  open();
  const { answer } = api;
  api.answer = (call) => (call.method === "PATCH" ? held.promise : answer(call));
  return held;
}

describe("QuickChoices", () => {
  test("shows a decision at once, and takes it back where it is not saved", async () => {
    const { resolve } = openHeld();
    await choose("Decision", "Drop");
    expect(await chosen("Decision")).toBe("Drop");
    resolve(problem(503, "Too busy."));
    expect((await screen.findByRole("alert")).textContent).toContain("Too busy.");
    expect(await chosen("Decision")).toBe("Undecided");
    holds(detailOf(), () => Response.json({ ...detailOf(), version: 2, decision: "drop" }));
    await choose("Decision", "Drop");
    await screen.findByText("bücher.example: Drop.");
    expect(edits()[1]?.body).toEqual({ decision: "drop" });
  });

  test("sends what is chosen meanwhile after it, to the version that came of it", async () => {
    const { resolve } = openHeld();
    const saved = { ...detailOf(), version: 2, decision: "drop" } as const;
    await choose("Decision", "Drop");
    await choose("Auto-renew", "Off");
    expect([await chosen("Decision"), await chosen("Auto-renew")]).toEqual(["Drop", "Off"]);
    holds(saved, () => problem(503, "Too busy."));
    resolve(Response.json(saved));
    expect((await screen.findByRole("alert")).textContent).toContain("the previous value is back");
    expect([await chosen("Decision"), await chosen("Auto-renew")]).toEqual(["Drop", "Unknown"]);
    const sent = edits();
    expect(sent.map(({ body }) => body)).toEqual([{ decision: "drop" }, { autoRenew: false }]);
    expect(sent[1]?.headers.get("If-Match")).toBe('"2"');
  });

  test("names all that was chosen where the first of it is not saved", async () => {
    const { resolve } = openHeld();
    await choose("Decision", "Drop");
    await choose("Auto-renew", "Off");
    resolve(problem(503, "Too busy."));
    const text = "Not saved: the previous values are back: decision, auto-renew. Too busy.";
    expect((await screen.findByRole("alert")).textContent).toContain(text);
    expect(edits()).toHaveLength(1);
  });

  test("says that it is archived, and brings it back at once, but for a viewer", async () => {
    const archived = detailOf({ archivedOn: "2026-11-01" });
    holds(archived, () => Response.json({ ...archived, version: 2, archivedOn: null }));
    open();
    const notice = (await screen.findByText(/^Archived on/)).parentElement;
    expect(notice?.textContent).toBe("Archived on November 1, 2026.Bring back");
    fireEvent.click(within(notice ?? document.body).getByRole("button", { name: "Bring back" }));
    await waitFor(() => expect(edits()[0]?.body).toEqual({ archivedOn: null }));
    cleanup();
    await api.enter({ state: "signed-in", email: "ada@example.com", role: "viewer" });
    holds(archived);
    open();
    await screen.findByText(/^Archived on/);
    expectAbsent(screen.queryByRole("button", { name: "Bring back" }));
  });

  test("lets nobody edit a version that a choice is about to replace", async () => {
    const start = detailOf({ expires: DISPUTED, observations: [said("Gandi", "2027-05-05")] });
    const { resolve } = openHeld(start);
    await choose("Decision", "Drop");
    press("Edit");
    press(/^Use .*2027/);
    expectAbsent(screen.queryByRole("dialog"));
    const saved = { ...start, version: 2, decision: "drop" } as const;
    holds(saved, () => Response.json({ ...saved, version: 3 }));
    resolve(Response.json(saved));
    await screen.findByText("bücher.example: Drop.");
    expect(edits()[1]?.headers.get("If-Match")).toBe('"2"');

    press("Edit");
    type("Owner", "Grace");
    press("Save");
    await waitFor(() => expect(edits()).toHaveLength(3));
    expect(edits()[2]?.headers.get("If-Match")).not.toBe('"1"');
    await waitFor(() => expectAbsent(screen.queryByRole("dialog")));
  });

  test("says after the sign-in that a choice was not saved for want of a session", async () => {
    holds(detailOf(), () => problem(401, "Sign in first."));
    open();
    await screen.findByRole("button", { name: /^More for / });
    await choose("Decision", "Drop");
    await screen.findByRole("heading", { name: "Sign in again" });
    await act(() => refreshSession());
    expect(screen.getByRole("alert").textContent).toContain("your session had ended");
    expect(await chosen("Decision")).toBe("Undecided");
  });

  /** Leaves the screen for the next one with some choices whose answer comes later. */
  async function chooseAndLeave(...more: Parameters<typeof choose>[]) {
    const answer = Promise.withResolvers<Response>();
    holds(detailOf());
    const { unmount } = open();
    await screen.findByRole("button", { name: /^More for / });
    api.answer = () => answer.promise;
    await choose("Decision", "Drop");
    for (const choice of more) await choose(...choice);
    unmount();
    history.replaceState(null, "", "/domains");
    expect(hasUnsavedChanges()).toBe(true);
    return answer;
  }
  const isAnswered = () => waitFor(() => expect(hasUnsavedChanges()).toBe(false));

  test("says on the next screen what became of a choice", async () => {
    render(<NotificationList />);
    const refused = await chooseAndLeave();
    refused.resolve(problem(503, "Too busy."));
    await screen.findByText("Your change to bücher.example was not saved. Too busy.");
    await isAnswered();
    press("Dismiss");
    expect(screen.queryByText(/was not saved/)).toBeNull();

    const answer = await chooseAndLeave();
    holds(detailOf());
    open();
    await screen.findByRole("button", { name: /^More for / });
    const saved = { ...detailOf(), version: 2, decision: "drop" } as const;
    holds(saved);
    answer.resolve(Response.json(saved));
    expect((await screen.findAllByText("bücher.example: Drop."))[0]).toBeDefined();
    await waitFor(async () => expect(await chosen("Decision")).toBe("Drop"));
    expect(screen.queryByText(/was not saved/)).toBeNull();
  });

  test.each([
    ["refused", () => problem(503, "Too busy.")],
    [
      "saved",
      () => Response.json({ ...detailOf(), version: 2, decision: "drop", operation: "op" }),
    ],
  ])("tells no other person that a choice was %s, and sends nothing after it", async (_, reply) => {
    render(<NotificationList />);
    const { resolve } = await chooseAndLeave(["Auto-renew", "Off"]);
    api.session = { state: "signed-in", email: "grace@example.com" };
    await act(() => refreshSession());
    resolve(reply());
    await isAnswered();
    expectAbsent(screen.queryByText(/was not saved|: Drop/));
    expect(edits()).toHaveLength(1);
  });
});
