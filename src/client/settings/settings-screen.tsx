import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Screen } from "../register/screen.tsx";
import { screens, sectionOf } from "../screens.ts";
import { ProofDialog } from "../register/proof-dialog.tsx";
import { hasRole } from "../session/session-store.ts";
import "./settings.css";

/** A screen of the settings. All but the reminders link to each other. */
export function SettingsScreen({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  return (
    <Screen className="settings" lines={12}>
      <ProofDialog />
      {screens[path]?.section !== "Reminders" && <SettingsNav path={path} />}
      {children}
    </Screen>
  );
}

function SettingsNav({ path }: { path: string }) {
  const shown = Object.entries(screens).filter(
    ([href, { role = "limited" }]) => sectionOf(href)?.[0] === "/settings" && hasRole(role),
  );
  return (
    <nav aria-label="Settings">
      <ul className="row">
        {shown.map(([href, { title }]) => (
          <li key={href}>
            <Link href={href} className="chip" aria-current={href === path ? "page" : undefined}>
              {href === "/settings" ? "General" : title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
