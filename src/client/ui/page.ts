import { useEffect } from "react";
import { DEFAULT_BRAND } from "../../shared/brand.ts";

/** The product's name on this page, into which the server writes its `BRAND`. */
export function readBrand(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');
  return meta?.content || DEFAULT_BRAND;
}

export function focusHeading(options?: FocusOptions): void {
  document.querySelector("h1")?.focus(options);
}

/** The key of a shortcut: a letter in lower case, and of another script the Latin one of its place. */
export function shortcutOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  const letter = key > "~" ? code.replace("Key", "") : key;
  return key.length === 1 ? letter.toLowerCase() : key;
}

/** Closes the menu around an element, if any. Older browsers have no popovers. */
export function closeMenu(element: Element | null): void {
  element?.closest<HTMLElement>("[popover]")?.hidePopover?.();
}

/** Saves what a URL answers as a file; without a name, the server names it. */
export function download(href: string, fileName = ""): void {
  Object.assign(document.createElement("a"), { href, download: fileName }).click();
}

export function downloadText(text: string, fileName: string, type = "text/plain"): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  download(href, fileName);
  URL.revokeObjectURL(href);
}

const FOCUSABLE = "a[href], button, input, select, textarea, summary, :is(h1, h2, h3)[tabindex]";

/**
 * Moves the focus when its element is removed: to the row of a table that had it last, or to that
 * which has come into its place; else from a windowed list to the heading, and from elsewhere to the
 * first focusable element in the nearest surviving ancestor.
 */
export function useFocusFallback(): void {
  useEffect(() => {
    /** The focused element and its ancestors, from the inside out. */
    let path: Element[] = [];
    /** The row that had the focus last, so that what is done to it does not lose the place. */
    let inHand: Element | null = null;
    const onFocus = ({ target }: FocusEvent) => {
      path = [];
      const row = target instanceof Element && target.closest("tbody > tr");
      if (row) inHand = row;
      let element = target instanceof Element ? target : null;
      for (; element && element !== document.body; element = element.parentElement) {
        path.push(element);
      }
    };
    const onMutation = () => {
      const lost = document.activeElement === document.body && path[0]?.isConnected === false;
      if (!lost) return;
      const windowed = path.some((each) => each.hasAttribute("data-windowed"));
      const connected = path.findIndex((each) => each.isConnected);
      const ancestors = path.slice(connected);
      path = [];
      if (connected <= 0) return;
      const row = inHand?.isConnected ? inHand : document.getElementById(inHand?.id ?? "");
      const next = windowed ? document.querySelector("h1") : findTarget(ancestors);
      (row?.querySelector("a") ?? next)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(onMutation);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", onFocus);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", onFocus);
    };
  }, []);
}

/**
 * The first visible focusable element of the nearest ancestor that has one, or else its heading.
 * Never a link back or a breadcrumb, which lead away from the screen.
 */
function findTarget(ancestors: readonly Element[]): HTMLElement | undefined {
  for (const ancestor of ancestors) {
    const found = [...ancestor.querySelectorAll<HTMLElement>(FOCUSABLE)].find(
      (target) => target.checkVisibility() && !target.matches(":disabled, nav *, .back"),
    );
    if (found) return found;
    const heading = ancestor.querySelector<HTMLElement>("h2, h3");
    if (heading) {
      heading.tabIndex = -1;
      return heading;
    }
  }
  return undefined;
}
