import type { AccountRole, Role } from "../shared/session.ts";
import type { areas } from "./areas.ts";

/** What the application shows at a path. */
interface Screen {
  title: string;
  area: Exclude<keyof typeof areas, "palette">;
  /** The least that sees it, and what leads to it; any account, where it is not said. */
  role?: AccountRole;
  /** The address that replaces this one. Its screen is shown at once. */
  redirect?: string;
  /** What links to it are called, where that is not the title. */
  label?: string;
  /** What it is for, in a few words. */
  about?: string;
  /** The lists of links that lead to it, besides the palette, which leads to each. */
  linkedFrom?: readonly ("home" | "settings")[];
}

/**
 * Every screen by its pattern, as `strictPath` reads it; the first that matches wins. Any other path
 * shows the not-found screen. The palette and the lists of links on home and in the settings come
 * from here, in this order.
 */
export const screens: Readonly<Record<string, Screen>> = {
  "/": { title: "Home", area: "home", redirect: "/home" },
  "/domains": { title: "Domains", area: "domains/list", label: "All domains" },
  "/domains/import": { title: "Import", area: "import", role: "editor" },
  "/home": { title: "Home", area: "home" },
  "/registrars": {
    title: "Registrars",
    area: "registrars",
    about: "Accounts, login links and price lists",
    linkedFrom: ["home", "settings"],
  },
  "/registrars/connect": { title: "Connect a registrar", area: "registrars", role: "owner" },
  "/registrars/accounts/:account": { title: "Account", area: "registrars" },
  "/costs": {
    title: "Costs",
    area: "costs",
    about: "By month or year, registrar, owner, tag or TLD",
    linkedFrom: ["home", "settings"],
  },
  "/checks": {
    title: "Live checks",
    area: "checks",
    about: "What registries, DNS and your websites report",
    linkedFrom: ["home", "settings"],
  },
  "/settings": { title: "Settings", area: "settings" },
  "/settings/reminders": {
    title: "Reminders",
    area: "settings/reminders",
    linkedFrom: ["home"],
  },
  "/domains/bin": {
    title: "Bin",
    area: "domains/bin",
    about: "Deleted domains can be restored for 30 days",
    linkedFrom: ["home", "settings"],
  },
  "/settings/people": { title: "People", area: "settings", role: "owner" },
  "/settings/security": { title: "Security", area: "settings" },
  "/settings/tokens": { title: "API tokens", area: "settings" },
  "/settings/audit": { title: "Audit log", area: "settings", role: "owner" },
  "/domains/:domain": { title: "Domain", area: "domains/domain" },
};

/**
 * Where a link can lead to that a person may follow: every screen without a parameter, or those that a
 * list links to.
 */
export function listDestinations(may: (least: Role) => boolean, list?: "home" | "settings") {
  return Object.entries(screens)
    .filter(([, { role = "viewer" }]) => may(role))
    .filter(([pattern, { redirect }]) => !redirect && !pattern.includes(":"))
    .filter(([, { linkedFrom }]) => list === undefined || linkedFrom?.includes(list))
    .map(([href, { title, label = title, about }]) => ({ href, label, about }));
}
