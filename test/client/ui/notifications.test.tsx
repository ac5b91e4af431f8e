import { act, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, mock, spyOn, test } from "bun:test";
import { notify } from "../../../src/client/ui/notifications.ts";
import { refreshSession, signOut } from "../../../src/client/session/session-store.ts";
import { NotificationList } from "../../../src/client/shell/layout.tsx";
import { press, textsOf } from "../../support/elements.ts";
import { fakeApi } from "../../support/fake-api.ts";

const api = fakeApi("/home");

beforeEach(() => void render(<NotificationList />));

describe("notify", () => {
  test("shows a text in a live region until it is dismissed, without a jump to the top", () => {
    render(<h1 tabIndex={-1}>Domains</h1>);
    const focus = spyOn(screen.getByRole("heading"), "focus");
    act(() => void notify({ text: "Saved." }));
    expect(screen.getByText("Saved.").closest("[aria-live]")).not.toBeNull();
    press("Dismiss");
    expect(screen.queryByText("Saved.")).toBeNull();
    expect(focus).toHaveBeenCalledWith({ preventScroll: true });
  });

  test("offers what can be done about it, once", () => {
    const onAction = mock();
    act(() => void notify({ text: "Deleted.", action: { label: "Undo", onAction } }));
    press("Undo");
    expect(onAction).toHaveBeenCalledTimes(1);
    expect(screen.queryByText("Deleted.")).toBeNull();
  });

  test("shows the same text once, and no more than three", () => {
    act(() => {
      for (const text of ["One", "Two", "Two", "Three", "Four"]) notify({ text });
    });
    const shown = screen.getAllByText(/^(One|Two|Three|Four)$/);
    expect(textsOf(shown)).toEqual(["Two", "Three", "Four"]);
  });

  test("keeps an error longer than what can be undone", () => {
    const action = { label: "Undo", onAction: mock() };
    act(() => {
      notify({ text: "Not saved." });
      for (const text of ["One", "Two", "Three"]) notify({ text, action });
    });
    const shown = screen.getAllByText(/^(Not saved.|One|Two|Three)$/);
    expect(textsOf(shown)).toEqual(["Not saved.", "Two", "Three"]);
  });

  test("is for the person who was signed in, and for nobody else", async () => {
    const become = (email?: string) => {
      api.session = email ? { state: "signed-in", email } : { state: "signed-out" };
      return act(() => refreshSession());
    };
    act(() => void notify({ text: "Not saved." }));
    await become();
    await become("ada@example.com");
    screen.getByText("Not saved.");
    await become("grace@example.com");
    expect(screen.queryByText("Not saved.")).toBeNull();
    act(() => void notify({ text: "Not saved." }));
    await act(() => signOut());
    expect(screen.queryByText("Not saved.")).toBeNull();
  });
});
