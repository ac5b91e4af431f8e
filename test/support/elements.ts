import { waitFor } from "@testing-library/react";

/**
 * Expects that a query found no element. `expect(element).toBeNull()` would print the whole node with
 * React's own fields, which takes a minute.
 */
export function expectAbsent(element: Element | null): void {
  if (element === null) return;
  throw new Error(`Expected no element, found ${element.outerHTML.slice(0, 200)}`);
}

/**
 * Waits until an element has the focus: an effect moves it there after the rest is on the page. Names
 * in one line what has it instead.
 */
export async function expectFocus(wanted: () => Element | null | undefined): Promise<void> {
  await waitFor(() => {
    const focused = document.activeElement;
    if (focused === wanted()) return;
    const seen = focused?.outerHTML.slice(0, 200) ?? "nothing";
    throw new Error(`Expected another element to have the focus than ${seen}`);
  });
}
