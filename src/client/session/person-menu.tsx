import { Link } from "wouter";
import { Button } from "../ui/button.tsx";
import { Field, OptionList } from "../ui/field.tsx";
import { focusHeading } from "../ui/page.ts";
import { PREFERENCES, setPreference, usePreferences } from "../ui/preferences.ts";
import { RequireRole } from "./gate.tsx";
import { signOut, useSession } from "./session-store.ts";
import { actInBackground } from "./use-action.ts";

/** What belongs to the person who is signed in, and the way out. */
export default function PersonMenu() {
  const session = useSession();
  const { role } = "role" in session ? session : {};
  const go = (label: string, href: string) => (
    <li>
      <Link href={href}>{label}</Link>
    </li>
  );
  return (
    <div className="menu">
      <p className="note">
        {"email" in session && session.email}
        {role && ` (${role})`}
      </p>
      <ul>
        {go("Account and security", "/settings/security")}
        <RequireRole least="owner">{go("People", "/settings/people")}</RequireRole>
      </ul>
      <ThemeChoice />
      <Button onClick={leave}>Sign out</Button>
    </div>
  );
}

const THEMES = { system: "Follow the system", light: "Light", dark: "Dark" } as const;

/** Light or dark, in this browser; it applies at once. */
export function ThemeChoice() {
  const { theme } = usePreferences();
  return (
    <Field label="Theme">
      {(control) => (
        <select
          {...control}
          value={theme}
          onChange={({ target }) => {
            const chosen = PREFERENCES.theme.find((each) => each === target.value);
            if (chosen) setPreference("theme", chosen);
          }}
        >
          <OptionList options={PREFERENCES.theme.map((each) => [each, THEMES[each]])} />
        </select>
      )}
    </Field>
  );
}

/** Ends the session; a notification says so if it did not work. */
export function leave(): Promise<void> {
  return actInBackground("You are still signed in.", async () => {
    await signOut();
    focusHeading();
  });
}
