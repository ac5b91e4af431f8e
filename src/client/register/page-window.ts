import { type RefObject, useEffect, useState } from "react";

/**
 * Whether a page of a long list is within one window height of the visible part, or has the focus, and how
 * high it was then: pages that are not are gaps, to bound memory and document.
 */
export function useNear(place: RefObject<Element | null>, isFirst: boolean) {
  const [near, setNear] = useState(isFirst);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const latest = entries.at(-1);
        if (!latest) return;
        const stays = latest.isIntersecting || element.contains(document.activeElement);
        setNear(stays);
        if (!stays) setHeight(latest.boundingClientRect.height);
      },
      { rootMargin: "100% 0px" },
    );
    observer.observe(element);
    // Observing again reports the page once the focus has moved.
    const onFocusOut = () => {
      observer.unobserve(element);
      observer.observe(element);
    };
    element.addEventListener("focusout", onFocusOut);
    return () => {
      element.removeEventListener("focusout", onFocusOut);
      observer.disconnect();
    };
  }, [place]);
  return { near, height };
}
