import type { AccountRole, Right } from "../shared/session.ts";
import type { areas } from "./areas.ts";

interface Screen {
  title: string;
  area: Exclude<keyof typeof areas, "palette">;
  /** The least role that sees it and the links to it; any, by default. */
  role?: AccountRole;
  redirect?: string;
  /** What links to it are called, by default the title. */
  label?: string;
  about?: string;
  /** Lists of links that lead to it, besides the palette. */
  linkedFrom?: readonly ("home" | "settings")[];
}

/**
 * Every screen by its pattern, as `strictPath` reads it; the first match wins. The palette and the
 * lists of links come from here, in this order.
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

/** Screens without a parameter that the person may see, or those that a list links to. */
export function listDestinations(hasRole: (least: Right) => boolean, list?: "home" | "settings") {
  return Object.entries(screens)
    .filter(([, { role = "viewer" }]) => hasRole(role))
    .filter(([pattern, { redirect }]) => !redirect && !pattern.includes(":"))
    .filter(([, { linkedFrom }]) => list === undefined || linkedFrom?.includes(list))
    .map(([href, { title, label = title, about }]) => ({ href, label, about }));
}

/** The address of the list of domains for a filter. */
export function listPath(
  filter: Record<string, string> | URLSearchParams,
  person?: string | null,
): string {
  const query = new URLSearchParams(filter);
  if (person) query.set("person", person);
  return query.size === 0 ? "/domains" : `/domains?${query}`;
}
