import { keepTab, readTabJson } from "../tab-store.ts";

const STORE = "scroll";
/** What a person does who has taken over scrolling. */
const TAKEOVERS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

let entry = "";
let stop = () => {};

/** The history entry that is shown; without the Navigation API, the address stands for it. */
function currentEntry(): string {
  return globalThis.navigation?.currentEntry?.key ?? location.href;
}

function readPositions(): Record<string, number> {
  return readTabJson(STORE, parsePositions) ?? {};
}

function parsePositions(json: unknown): Record<string, number> {
  return Object.fromEntries(Object.entries(json ?? {}).filter(([, y]) => typeof y === "number"));
}

/** Notes how far the entry that is being left was scrolled. Call it when the address has changed. */
export function leaveEntry(): void {
  stop();
  const positions = Object.entries({ ...readPositions(), [entry]: scrollY });
  // Where the storage is full or forbidden, going back starts at the top.
  keepTab(STORE, JSON.stringify(Object.fromEntries(positions.slice(-100))));
  entry = currentEntry();
}

/**
 * Takes scroll restoration over from the browser, which would scroll before the screen is there.
 * After a reload the position is restored too.
 *
 * @returns Gives it back.
 */
export function keepScroll(): () => void {
  history.scrollRestoration = "manual";
  entry = currentEntry();
  restoreScroll();
  addEventListener("pagehide", leaveEntry);
  return () => {
    stop();
    removeEventListener("pagehide", leaveEntry);
    history.scrollRestoration = "auto";
  };
}

/**
 * Scrolls to where this history entry was left. Where its content is still coming, waits up to five
 * seconds for the page to be long enough, or until the person scrolls.
 */
export function restoreScroll(): void {
  stop();
  const y = readPositions()[entry] ?? 0;
  scrollTo(0, y);
  if (scrollY >= y - 1) return;
  const follow = new ResizeObserver(() => {
    scrollTo(0, y);
    if (scrollY >= y - 1) stop();
  });
  const limit = setTimeout(() => stop(), 5000);
  stop = () => {
    follow.disconnect();
    clearTimeout(limit);
    for (const takeover of TAKEOVERS) removeEventListener(takeover, stop);
    stop = () => {};
  };
  for (const takeover of TAKEOVERS) addEventListener(takeover, stop, { passive: true });
  follow.observe(document.body);
}
