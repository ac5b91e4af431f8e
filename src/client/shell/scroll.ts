import { tryStorage } from "../ui/preferences.ts";

const KEY = "scroll";
/** History entries whose position is stored. */
const MAX_ENTRIES = 100;
/** Milliseconds to wait until the page is long enough. */
const MAX_WAIT_MS = 5000;
const TAKEOVERS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

let entry = "";
let stop = () => {};

/** The current history entry; without the Navigation API, the address. */
function currentEntry(): string {
  return globalThis.navigation?.currentEntry?.key ?? location.href;
}

/** Without storage, positions are lost: going back starts at the top. */
function readPositions(): Record<string, number> {
  const stored: unknown = tryStorage(() => JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
  const pairs = Object.entries(stored ?? {}).filter(([, y]) => typeof y === "number");
  return Object.fromEntries(pairs);
}

/** Stores the scroll position of the entry that was left. Call it when the address has changed. */
export function saveScroll(): void {
  stop();
  const positions = Object.entries({ ...readPositions(), [entry]: scrollY }).slice(-MAX_ENTRIES);
  tryStorage(() => sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(positions))));
  entry = currentEntry();
}

/** Takes over scroll restoration: the browser scrolls before the screen is there. @returns Ends that. */
export function manageScroll(): () => void {
  history.scrollRestoration = "manual";
  entry = currentEntry();
  restoreScroll();
  addEventListener("pagehide", saveScroll);
  return () => {
    stop();
    removeEventListener("pagehide", saveScroll);
    history.scrollRestoration = "auto";
  };
}

/**
 * Scrolls to where this entry was left, as soon as the page is long enough or until the person
 * scrolls.
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
  const limit = setTimeout(() => stop(), MAX_WAIT_MS);
  stop = () => {
    follow.disconnect();
    clearTimeout(limit);
    for (const takeover of TAKEOVERS) removeEventListener(takeover, stop);
    stop = () => {};
  };
  for (const takeover of TAKEOVERS) addEventListener(takeover, stop, { passive: true });
  follow.observe(document.body);
}
