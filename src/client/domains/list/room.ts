import { useSyncExternalStore } from "react";

/** Up to this width the list has one row of tools, and a floating button to add a domain. */
export const PHONE = "(max-width: 40rem)";

/** From this width on, the panel has room beside the list. */
export const ROOM_FOR_PANEL = "(min-width: 1000px)";

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
