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
import { renewCode } from "../lazy-code.ts";
import { BrandContext } from "./brand-context.ts";
import "./location-router.css";
import { isOutdated, takeNewVersion } from "./new-version.ts";
import { preloadLinks } from "./preload-links.ts";
import { keepScroll, leaveEntry, restoreScroll } from "./scroll.ts";
import { strictPath } from "./strict-path.ts";

interface Place {
  path: string;
  search: string;
  /** How the address came to be: the first page, or the event that changed it. */
  by: string;
}

interface Props {
  path: string;
  titleOf: (path: string, brand: string) => string;
  /** Told of the path of every link that a pointer, a finger or the focus comes near. */
  preload: (path: string) => void;
  children: ReactNode;
}

const PlaceContext = createContext<Place>({ path: "/", search: "", by: "load" });

/**
 * wouter's view of the location. It reads one state in one place: with a store per consumer every
 * navigation would be several updates, and React could not keep the old screen until the new is ready.
 */
const usePlace: BaseLocationHook = () => [use(PlaceContext).path, navigate];
usePlace.searchHook = () => use(PlaceContext).search;

/**
 * Leads to another address, in place of this one. wouter's own does it once: whoever asks for this
 * address a second time before the other screen is there would stay at it.
 */
export function Redirect({ to }: { to: string }) {
  const place = use(PlaceContext);
  useLayoutEffect(() => {
    if (place.path !== to) navigate(to, { replace: true });
  }, [place, to]);
  return null;
}

/** What wouter dispatches when it changes the address, and what the browser does on back and forward. */
const CHANGES = ["pushState", "replaceState", "popstate"];

/**
 * Follows the address: each change is a transition, so the screen that is there stays until the
 * next can be shown. On arrival the title is set, the heading focused and the scroll position put
 * right; a first load and a replaced address leave focus and scroll alone.
 */
export function LocationRouter({ path, titleOf, preload, children }: Props) {
  const brand = use(BrandContext);
  const [place, setPlace] = useState<Place>({ path, search: "", by: "load" });
  const [pending, startTransition] = useTransition();
  const shown = useRef(path);

  useEffect(() => {
    const follow = (by: string) => {
      const next = { path: location.pathname, search: location.search, by };
      const moves = (from: Place) => from.path !== next.path || from.search !== next.search;
      startTransition(() => setPlace((from) => (moves(from) ? next : from)));
    };
    const onChange = (event: Event) => {
      leaveEntry();
      renewCode();
      const navigates = event.type !== "replaceState" && location.pathname !== shown.current;
      if (navigates) void takeNewVersion();
      follow(event.type);
    };
    // Catches up with the query, which no server rendered, and with a redirect made meanwhile.
    follow("load");
    for (const change of CHANGES) addEventListener(change, onChange);
    return () => {
      for (const change of CHANGES) removeEventListener(change, onChange);
    };
  }, []);

  useEffect(keepScroll, []);
  useEffect(
    () =>
      preloadLinks((next) => {
        preload(next);
        void isOutdated();
      }),
    [preload],
  );

  useEffect(() => {
    document.title = titleOf(place.path, brand);
    if (place.path === shown.current) return;
    shown.current = place.path;
    if (place.by !== "pushState" && place.by !== "popstate") return;
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    if (place.by === "pushState") scrollTo(0, 0);
    else restoreScroll();
  }, [place, brand, titleOf]);

  return (
    <PlaceContext value={place}>
      <Router hook={usePlace} parser={strictPath}>
        {children}
      </Router>
      <div className="progress-bar" aria-hidden="true" hidden={!pending} />
    </PlaceContext>
  );
}
