import { useEffect } from "react";

/** What the focus can go to. */
const TARGETS =
  "a[href], button, input, select, textarea, summary, h1[tabindex], h2[tabindex], h3[tabindex]";

/**
 * Keeps the focus on the screen: where what has it goes away, by a press that takes itself away or
 * an answer that comes, the focus goes to the next best thing that is still there. Rows of a window
 * come and go with scrolling: those are left to their list.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** What has the focus, and everything around it from the inside out. */
    let path: Element[] = [];
    const note = ({ target }: FocusEvent) => {
      path = target instanceof Element ? [target, ...ancestorsOf(target)] : [];
    };
    const look = () => {
      const lost = document.activeElement === document.body && path[0]?.isConnected === false;
      if (!lost) return;
      const windowed = path.some((each) => each.hasAttribute("data-windowed"));
      const gone = path.findIndex((each) => each.isConnected);
      const around = path.slice(gone);
      path = [];
      if (!windowed && gone > 0) findTarget(around)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", note);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", note);
    };
  }, []);
}

function* ancestorsOf(element: Element): Generator<Element> {
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) yield at;
}

/** The first thing inside the nearest of these that can have the focus, or the heading of its section. */
function findTarget(around: readonly Element[]): HTMLElement | undefined {
  for (const each of around) {
    const found = [...each.querySelectorAll<HTMLElement>(TARGETS)].find(
      (target) => target.checkVisibility() && !target.matches(":disabled"),
    );
    if (found) return found;
    const heading = each.querySelector<HTMLElement>("h2, h3");
    if (heading) {
      heading.tabIndex = -1;
      return heading;
    }
  }
  return undefined;
}
