import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { StrictMode } from "react";
import { Dialog, DialogActions } from "../../../src/client/ui/dialog.tsx";
import { expectAbsent, press } from "../../support/elements.ts";

function show() {
  const seen = { asked: 0 };
  const dialog = (isDirty = false) => (
    <StrictMode>
      <Dialog heading="Edit a name" isDirty={isDirty} onClose={() => (seen.asked += 1)}>
        <input aria-label="Name" />
        <DialogActions />
      </Dialog>
    </StrictMode>
  );
  const { rerender } = render(dialog());
  const element = screen.getByRole<HTMLDialogElement>("dialog");
  return { seen, element, rerender, become: (isDirty: boolean) => rerender(dialog(isDirty)) };
}

describe("Dialog", () => {
  test("opens again, and asks, when the browser closes it by itself", () => {
    const { seen, element } = show();
    element.close();
    fireEvent(element, new Event("close"));
    expect(seen.asked).toBeGreaterThan(0);
    expect(element.open).toBe(true);
  });

  test("asks but once when the browser gives no leave to stay open", () => {
    const { seen, element } = show();
    fireEvent(element, new Event("cancel", { cancelable: false }));
    expect(seen.asked).toBe(0);
    element.close();
    expect(seen.asked).toBe(1);
    expect(element.open).toBe(true);
  });

  test("leaves the cancel event of a picker inside alone", () => {
    const { seen } = show();
    fireEvent(screen.getByLabelText("Name"), new Event("cancel", { bubbles: true }));
    expect(seen.asked).toBe(0);
  });

  test("asks no more once nothing would be lost, and leaves the focus in the box", () => {
    const { become } = show();
    const box = screen.getByLabelText("Name");
    become(true);
    screen.getByRole("button", { name: "Cancel" }).focus();
    press("Cancel");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Keep editing" }));
    box.focus();
    for (const isDirty of [false, true]) {
      become(isDirty);
      expectAbsent(screen.queryByText("Discard your changes?"));
      expect(document.activeElement === box).toBe(true);
    }
    press("Cancel");
    press("Keep editing");
    expect(document.activeElement === box).toBe(true);
  });

  test("is closed before it is removed", () => {
    const { element, rerender } = show();
    rerender(<p>Done</p>);
    expect(element.open).toBe(false);
    expectAbsent(screen.queryByRole("dialog"));
  });
});
