/** Moves the focus to the heading of the screen. */
export function focusHeading(options?: FocusOptions): void {
  document.querySelector("h1")?.focus(options);
}

/** Closes the menu around an element, if any. Older browsers have no popovers. */
export function closeMenu(element: Element | null): void {
  element?.closest<HTMLElement>("[popover]")?.hidePopover?.();
}

/** Saves what a URL answers as a file; without a name, the server names it. */
export function download(href: string, fileName = ""): void {
  Object.assign(document.createElement("a"), { href, download: fileName }).click();
}

/** Saves a text as a file. */
export function downloadText(text: string, fileName: string, type = "text/plain"): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  download(href, fileName);
  URL.revokeObjectURL(href);
}
