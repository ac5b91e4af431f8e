import type { Role } from "../shared/session.ts";
import type { Parser } from "wouter";
import type { areas } from "./areas.ts";

interface Screen {
  title: string;
  area: Exclude<keyof typeof areas, "palette">;
  /** The least role that sees it and the links to it; any, by default. */
  role?: Role;
  redirect?: string;
  /** What links to it are called, by default the title. */
  label?: string;
  /** What the line of sections calls it, if it begins one. */
  section?: string;
}

/**
 * Every screen by its pattern, as `strictPath` reads it; the first match wins. The palette and the
 * line of sections come from here, in this order.
 */
export const screens: Readonly<Record<string, Screen>> = {
  "/": { title: "Home", area: "home", redirect: "/home" },
  "/home": { title: "Home", area: "home", section: "Home" },
  "/domains": { title: "Domains", area: "domains/list", label: "All domains", section: "Domains" },
  "/domains/import": { title: "Import", area: "import", role: "editor" },
  "/domains/bin": { title: "Bin", area: "domains/bin", role: "viewer" },
  "/changes": { title: "All changes", area: "changes" },
  "/domains/:domain": { title: "Domain", area: "domains/domain" },
  "/costs": { title: "Costs", area: "costs", section: "Costs" },
  "/costs/statement": { title: "Statement", area: "costs" },
  "/registrars": { title: "Registrars", area: "registrars", role: "viewer", section: "Registrars" },
  "/registrars/connect": { title: "Connect a registrar", area: "registrars", role: "owner" },
  "/registrars/accounts/:account": { title: "Account", area: "registrars", role: "viewer" },
  "/checks": { title: "Live checks", area: "checks", role: "viewer", section: "Checks" },
  "/settings/reminders": { title: "Reminders", area: "settings/reminders", section: "Reminders" },
  "/settings": { title: "Settings", area: "settings", section: "Settings" },
  "/settings/people": { title: "People", area: "settings", role: "owner" },
  "/settings/security": { title: "Security", area: "settings" },
  "/settings/tokens": { title: "API tokens", area: "settings" },
  "/settings/audit": { title: "Audit log", area: "settings", role: "owner" },
};

/** Matches paths exactly, as the server does. `:name` stands for one segment, `*` for all. */
export const strictPath: Parser = (route) => {
  const keys: string[] = [];
  const source = route.replaceAll(/\*|:(\w+)/g, (_, key?: string) => {
    if (!key) return ".*";
    keys.push(key);
    return "([^/]+)";
  });
  return { pattern: new RegExp(`^${source}$`), keys };
};

const patterns = Object.keys(screens).map(
  (pattern) => [pattern, strictPath(pattern).pattern] as const,
);

export function screenAt(path: string): string | undefined {
  return patterns.find(([, expression]) => expression.exec(path))?.[0];
}

export const sections = Object.entries(screens).flatMap(([href, { section }]) =>
  section === undefined ? [] : [[href, section] as const],
);

/** The section that a screen is a part of: reminders come before the settings, which they are below. */
export function sectionOf(path: string) {
  return sections.find(([href]) => `${path}/`.startsWith(`${href}/`));
}

export function listPath(
  filter: Record<string, string> | URLSearchParams,
  person?: string | null,
): string {
  const query = new URLSearchParams(filter);
  if (person) query.set("person", person);
  return query.size === 0 ? "/domains" : `/domains?${query}`;
}
