import { Link } from "wouter";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { focusHeading } from "../ui/page.ts";
import { PREFERENCES, type Preferences, setPreference, usePreferences } from "../ui/preferences.ts";
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

export function ThemeChoice() {
  return <PreferenceChoice name="theme" label="Theme" inWords={(theme) => THEMES[theme]} />;
}

interface ChoiceProps<N extends keyof Preferences> {
  name: N;
  label: string;
  inWords: (value: Preferences[N]) => string;
}

/** How this browser shows something; a choice applies at once. */
export function PreferenceChoice<N extends keyof Preferences>(props: ChoiceProps<N>) {
  const { name, label, inWords } = props;
  const chosen = usePreferences();
  const values: readonly Preferences[N][] = PREFERENCES[name];
  return (
    <Choice
      label={label}
      value={chosen[name]}
      options={values.map((value) => [value, inWords(value)])}
      onChoose={(typed) => {
        const value = values.find((each) => each === typed);
        if (value !== undefined) setPreference(name, value);
      }}
    />
  );
}

/** Ends the session; a notification says so if it did not work. */
export function leave(): Promise<void> {
  return actInBackground("You are still signed in.", async () => {
    await signOut();
    focusHeading();
  });
}
