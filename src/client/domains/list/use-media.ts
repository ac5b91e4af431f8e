import { useSyncExternalStore } from "react";

/** Narrower than this, the list has one row of tools, and floats its button to add a domain. */
export const PHONE = "(max-width: 40rem)";

/** From this width on, a domain's panel has room beside the list. */
export const ROOM_FOR_PANEL = "(min-width: 72rem)";

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}
