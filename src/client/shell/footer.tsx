import { use, useSyncExternalStore } from "react";
import { BrandContext } from "./brand-context.ts";

/** The line at the foot of every screen; the year is that of the user's device. */
export function Footer() {
  const brand = use(BrandContext);
  const year = useSyncExternalStore(subscribe, deviceYear, servedYear);
  return (
    <footer className="layout__footer">
      © <time data-year>{year}</time> {brand} - All rights reserved.
    </footer>
  );
}

/** A clock tells nobody when it turns: a page left open over New Year follows when it is seen again. */
function subscribe(onChange: () => void) {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

function deviceYear(): string {
  return String(new Date().getFullYear());
}

/** The year in the markup that is being taken over, which another device's clock may have written. */
function servedYear(): string {
  const served = typeof document === "undefined" ? null : document.querySelector("[data-year]");
  return served?.textContent || deviceYear();
}
