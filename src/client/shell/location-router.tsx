import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useTransition,
} from "react";
import { type BaseLocationHook, Router } from "wouter";
import { navigate } from "wouter/use-browser-location";
import { strictPath } from "../screens.ts";
import { DEFAULT_BRAND } from "../../shared/brand.ts";
import { pathOf, urlOf } from "../base-path.ts";
import { checkVersion, renewCode } from "../ui/lazy-code.ts";
import { notify } from "../ui/notifications.ts";
import { hasUnsavedChanges } from "../ui/unsaved-changes.ts";
import { tryStorage } from "../ui/preferences.ts";

export const BrandContext = createContext(DEFAULT_BRAND);

interface Place {
  path: string;
  search: string;
  /** What set the address: `load` for the first page, else the type of the event. */
  by: string;
}

interface Props {
  path: string;
  search: string;
  titleOf: (path: string, brand: string) => string;
  preload: (path: string) => void;
  children: ReactNode;
}

const PlaceContext = createContext<Place>({ path: "/", search: "", by: "load" });

const go: typeof navigate = (path, options) => navigate(urlOf(String(path)), options);

/** wouter's view of the location, from one state. */
const usePlace: BaseLocationHook = () => [use(PlaceContext).path, go];
usePlace.searchHook = () => use(PlaceContext).search;

/**
 * Replaces the address. wouter's own component does so only once, and would not on the way back
 * here before the other screen is shown.
 */
export function Redirect({ to }: { to: string }) {
  const place = use(PlaceContext);
  useLayoutEffect(() => {
    if (place.path !== to) go(to, { replace: true });
  }, [place, to]);
  return null;
}

/** Events of a new address, from wouter and on back and forward. */
const CHANGES = ["pushState", "replaceState", "popstate"];

const APPROACHES = ["pointerover", "focusin", "touchstart"] as const;

/**
 * Follows the address. Each change is a transition: the old screen stays until the next is ready.
 * On arrival the title is set, the heading focused and the scroll position restored; a first load
 * and a replaced address leave focus and scroll alone.
 */
export function LocationRouter({ path, search, titleOf, preload, children }: Props) {
  const brand = use(BrandContext);
  const [place, setPlace] = useState<Place>({ path, search, by: "load" });
  const [pending, startTransition] = useTransition();
  const shown = useRef("");

  useEffect(() => {
    const follow = (by: string) => {
      const next = { path: pathOf(location.pathname), search: location.search, by };
      const moves = (from: Place) => from.path !== next.path || from.search !== next.search;
      startTransition(() => setPlace((from) => (moves(from) ? next : from)));
    };
    const onChange = (event: Event) => {
      saveScroll();
      renewCode();
      const navigates =
        event.type !== "replaceState" && pathOf(location.pathname) !== shown.current;
      if (navigates) void loadNewVersion();
      follow(event.type);
    };
    // The address may have changed before hydration.
    follow("load");
    for (const change of CHANGES) addEventListener(change, onChange);
    return () => {
      for (const change of CHANGES) removeEventListener(change, onChange);
    };
  }, []);

  useEffect(manageScroll, []);
  useEffect(() => {
    const onApproach = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest("a") : null;
      if (link?.href && link.origin === location.origin) preload(pathOf(link.pathname));
    };
    for (const type of APPROACHES) document.addEventListener(type, onApproach, { passive: true });
    return () => {
      for (const type of APPROACHES) document.removeEventListener(type, onApproach);
    };
  }, [preload]);

  useEffect(() => {
    if (place.by === "popstate") restoreScroll();
    // Another view of the same screen leaves title and focus alone.
    if (place.path === shown.current) return;
    shown.current = place.path;
    document.title = titleOf(place.path, brand);
    if (place.by !== "pushState" && place.by !== "popstate") return;
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    if (place.by === "pushState") scrollTo(0, 0);
  }, [place, brand, titleOf]);

  return (
    <PlaceContext value={place}>
      <Router hook={usePlace} parser={strictPath} hrefs={urlOf}>
        {children}
      </Router>
      <div className="progress-bar" aria-hidden="true" hidden={!pending} />
    </PlaceContext>
  );
}

/** Reloads the page if the server has a newer version; with unsaved changes, offers to. */
async function loadNewVersion() {
  if ((await checkVersion()) !== "outdated") return;
  if (!hasUnsavedChanges()) location.reload();
  else {
    const action = { label: "Reload", onAction: () => location.reload() };
    notify({ text: "A new version is available.", action });
  }
}

const KEY = "scroll";
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
function saveScroll(): void {
  stop();
  const positions = Object.entries({ ...readPositions(), [entry]: scrollY }).slice(-MAX_ENTRIES);
  tryStorage(() => sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(positions))));
  entry = currentEntry();
}

/** Takes over scroll restoration: the browser scrolls before the screen is there. @returns Ends that. */
function manageScroll(): () => void {
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
function restoreScroll(): void {
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
