import { ThemeChoice } from "../session/person-menu.tsx";
import { Choice } from "../ui/choice.tsx";
import { PREFERENCES, type Preferences, setPreference } from "../ui/preferences.ts";
import { usePreferences } from "../ui/store.ts";

const LABELS = {
  dates: "Dates",
  numbers: "Numbers and prices",
  rows: "Row height",
} as const satisfies Record<Exclude<keyof Preferences, "theme">, string>;

const SAMPLE_DAY = new Date("2027-01-31");
const SAMPLE_NUMBER = 1234.56;

const WORDS: Readonly<Record<string, string>> = {
  comfortable: "Comfortable",
  compact: "Compact",
};

/** How this browser shows things. Choices apply at once. */
export function DisplaySettings() {
  const preferences = usePreferences();

  function choice<N extends keyof typeof LABELS>(name: N) {
    const choices: readonly Preferences[N][] = PREFERENCES[name];
    return (
      <Choice
        label={LABELS[name]}
        value={preferences[name]}
        options={choices.map((value) => [value, describe(name, value)])}
        onChoose={(chosen) => {
          const value = choices.find((each) => each === chosen);
          if (value !== undefined) setPreference(name, value);
        }}
      />
    );
  }

  return (
    <section>
      <h2>Display</h2>
      <p>Saved automatically, for this browser only.</p>
      <div className="field-grid">
        <ThemeChoice />
        {choice("rows")}
        {choice("dates")}
        {choice("numbers")}
      </div>
    </section>
  );
}

/** A choice in words, or as an example: `31 January 2027`. */
function describe(name: keyof typeof LABELS, value: string): string {
  if (value === "iso") return "2027-01-31";
  const locale = value === "browser" ? undefined : value;
  if (name !== "dates" && name !== "numbers") return WORDS[value] ?? value;
  const sample =
    name === "numbers"
      ? SAMPLE_NUMBER.toLocaleString(locale)
      : SAMPLE_DAY.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
  return locale === undefined ? `Browser default (${sample})` : sample;
}
