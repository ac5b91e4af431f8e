import { tryStorage } from "../ui/preferences.ts";

const KEY = "scroll";
/** History entries whose position is stored. */
const MAX_ENTRIES = 100;
/** Milliseconds to wait for content that makes the page long enough. */
const MAX_WAIT_MS = 5000;
/** Events by which a person takes over scrolling. */
const TAKEOVERS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

let entry = "";
let stop = () => {};

/** The history entry that is shown; without the Navigation API, the address stands for it. */
function currentEntry(): string {
  return globalThis.navigation?.currentEntry?.key ?? location.href;
}

/** Where the storage is forbidden, full or unreadable, positions are lost: going back starts at the top. */
function readPositions(): Record<string, number> {
  const stored: unknown = tryStorage(() => JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
  const pairs = Object.entries(stored ?? {}).filter(([, y]) => typeof y === "number");
  return Object.fromEntries(pairs);
}

/** Stores how far the entry that is being left was scrolled. Call it when the address has changed. */
export function saveScroll(): void {
  stop();
  const positions = Object.entries({ ...readPositions(), [entry]: scrollY }).slice(-MAX_ENTRIES);
  tryStorage(() => sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(positions))));
  entry = currentEntry();
}

/**
 * Takes scroll restoration over from the browser, which would scroll before the screen is there.
 * After a reload the position is restored too.
 *
 * @returns Gives it back.
 */
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
 * Scrolls to where this history entry was left. Where its content is still coming, waits until the
 * page is long enough or the person scrolls.
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
