import { fireEvent, type Screen, screen, waitFor } from "@testing-library/react";

/** Where to look: the whole page, unless a test says `within`. */
type Scope = Pick<Screen, "getByRole" | "findByRole" | "getByLabelText">;

/** Presses a button that is there. */
export function press(name: string | RegExp, where: Scope = screen): void {
  fireEvent.click(where.getByRole("button", { name }));
}

/** Presses a button once it is there. */
export async function pressLater(name: string | RegExp, where: Scope = screen): Promise<void> {
  fireEvent.click(await where.findByRole("button", { name }));
}

/** Puts text into the field with this label. */
export function type(label: string | RegExp, value: string, where: Scope = screen): void {
  fireEvent.change(where.getByLabelText(label), { target: { value } });
}

/** What some elements say. */
export const textsOf = (elements: readonly Element[]) =>
  elements.map(({ textContent }) => textContent);

/** Where a link that is there leads. */
export function hrefOf(name: string | RegExp, where: Scope = screen): string | null {
  return where.getByRole("link", { name }).getAttribute("href");
}

/** Where a link leads, once it is there. */
export async function hrefLater(name: string | RegExp): Promise<string | null> {
  return (await screen.findByRole("link", { name })).getAttribute("href");
}

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
