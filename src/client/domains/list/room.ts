import { useSyncExternalStore } from "react";

/** Up to this width the head has no room for Import. */
export const PHONE = "(max-width: 40rem)";

/** Up to this width the actions for selected domains are one menu. */
export const NARROW = "(max-width: 56rem)";

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
