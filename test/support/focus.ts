import { waitFor } from "@testing-library/react";

/**
 * Waits until an element has the focus: an effect moves it there after the rest is on the page. Says
 * in a line what has it instead; to print a whole node would take a minute.
 */
export async function expectFocus(wanted: () => Element | null | undefined): Promise<void> {
  await waitFor(() => {
    const focused = document.activeElement;
    if (focused === wanted()) return;
    const seen = focused?.outerHTML.slice(0, 200) ?? "nothing";
    throw new Error(`Expected another element to have the focus than ${seen}`);
  });
}
