import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { StrictMode } from "react";
import { Dialog } from "../../../src/client/ui/dialog.tsx";
import { expectAbsent } from "../../support/elements.ts";

function show(onClose = () => {}) {
  const dialog = (
    <StrictMode>
      <Dialog heading="Edit a name" onClose={onClose}>
        <input aria-label="Name" />
      </Dialog>
    </StrictMode>
  );
  const { rerender } = render(dialog);
  return { rerender, element: screen.getByRole<HTMLDialogElement>("dialog") };
}

describe("Dialog", () => {
  test("opens again, and asks, when the browser closes it by itself", () => {
    let asked = 0;
    const { element } = show(() => (asked += 1));
    element.close();
    fireEvent(element, new Event("close"));
    expect(asked).toBeGreaterThan(0);
    expect(element.open).toBe(true);
  });

  test("asks but once when the browser gives no leave to stay open", () => {
    let asked = 0;
    const { element } = show(() => (asked += 1));
    fireEvent(element, new Event("cancel", { cancelable: false }));
    expect(asked).toBe(0);
    element.close();
    expect(asked).toBe(1);
    expect(element.open).toBe(true);
  });

  test("leaves the cancel event of a picker inside alone", () => {
    let asked = 0;
    show(() => (asked += 1));
    fireEvent(screen.getByLabelText("Name"), new Event("cancel", { bubbles: true }));
    expect(asked).toBe(0);
  });

  test("is closed before it is removed", () => {
    const { element, rerender } = show();
    rerender(<p>Done</p>);
    expect(element.open).toBe(false);
    expectAbsent(screen.queryByRole("dialog"));
  });
});
