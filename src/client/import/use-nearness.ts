import { type RefObject, useEffect, useEffectEvent, useRef } from "react";

/** How far beyond the window something still counts as near: once its height on either side. */
const NEAR = "100% 0px";

/**
 * Tells whether an element is near to what is seen of the page: whenever that changes, and after
 * each render.
 */
export function useNearness<T extends Element>(
  onChange: (near: boolean, element: T) => void,
): RefObject<T | null> {
  const watched = useRef<T>(null);
  const tell = useEffectEvent(onChange);

  useEffect(() => {
    const element = watched.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => tell(entries.at(-1)?.isIntersecting ?? true, element),
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  });

  return watched;
}
