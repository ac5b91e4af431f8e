import type { ComponentType } from "react";
import { useLocation } from "wouter";
import changelog from "../../../.github/CHANGELOG.md" with { type: "text" };
import { VERSION } from "../../shared/version.ts";
import { urlOf } from "../base-path.ts";
import { RequireRole } from "../session/gate.tsx";
import { PreferenceChoice, ThemeChoice } from "../session/person-menu.tsx";
import { Audit } from "./audit.tsx";
import { People } from "./people.tsx";
import { RegisterSettings } from "./register-settings.tsx";
import { Security } from "./security.tsx";
import { SettingsScreen } from "./settings-screen.tsx";
import { Tokens } from "./tokens.tsx";
import { readBrand } from "../ui/page.ts";
import "../common.ts";
import "../common-editing.ts";

const SCREENS: Readonly<Record<string, ComponentType>> = {
  "/settings": General,
  "/settings/people": People,
  "/settings/security": Security,
  "/settings/tokens": Tokens,
  "/settings/audit": Audit,
};

/** Screen `/settings` and those below it that are one script with it. */
export default function Settings() {
  const [path] = useLocation();
  const Content = SCREENS[path] ?? General;
  return (
    <SettingsScreen>
      <Content />
    </SettingsScreen>
  );
}

function General() {
  return (
    <>
      <RequireRole least="owner">
        <RegisterSettings />
      </RequireRole>
      <DisplaySettings />
      <section>
        <h2>Data</h2>
        <p>
          <a href={urlOf("/api/domains.csv")} download>
            Export all domains
          </a>{" "}
          as a CSV file, which can be imported again.
        </p>
      </section>
      <About />
    </>
  );
}

const ROWS = { comfortable: "Comfortable", compact: "Compact" } as const;
const sampleDay = (locale?: string) =>
  new Date("2027-01-31").toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
const sampleNumber = (locale?: string) => (1234.56).toLocaleString(locale);

function DisplaySettings() {
  return (
    <section>
      <h2>Display</h2>
      <p>Saved automatically, for this browser only.</p>
      <div className="field-grid">
        <ThemeChoice />
        <PreferenceChoice name="rows" label="Row height" inWords={(rows) => ROWS[rows]} />
        <PreferenceChoice
          name="dates"
          label="Dates"
          inWords={(dates) => (dates === "iso" ? "2027-01-31" : exampleIn(dates, sampleDay))}
        />
        <PreferenceChoice
          name="numbers"
          label="Numbers and prices"
          inWords={(numbers) => exampleIn(numbers, sampleNumber)}
        />
      </div>
    </section>
  );
}

/** An example in the locale of a choice: `31 January 2027`. */
function exampleIn(choice: string, show: (locale?: string) => string): string {
  return choice === "browser" ? `Browser default (${show()})` : show(choice);
}

/** Everything that leaves this server, and what turns it on. */
const SENT = [
  [
    "Live checks",
    "Registries, name servers and the websites of your domains are asked about them.",
  ],
  ["Registrars’ accounts", "Each registrar is asked for your list, with the key that you entered."],
  [
    "Reminders",
    "Your mail server and the services of your channels get messages with names and dates.",
  ],
  ["Exchange rates", "The European Central Bank is asked for the day’s rates, and told nothing."],
  ["OpenID Connect, HEARTBEAT_URL", "The servers set in these variables are contacted."],
] as const;

function About() {
  const [, ...lines] = (changelog.split(/^## /m)[1] ?? "").split("\n");
  return (
    <section>
      <h2>About</h2>
      <p>
        {readBrand()} {VERSION}, under the MIT license.
      </p>
      <details>
        <summary>What is sent, and to whom</summary>
        <p>Nothing about you or your domains leaves this server, except for what you turn on:</p>
        <ul className="settings-list">
          {SENT.map(([what, to]) => (
            <li key={what}>
              <b>{what}</b>
              {to}
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>What is new in this version</summary>
        <ul className="settings-list">
          {lines.filter(Boolean).map((line) => (
            <li key={line}>{line.replace(/^[-#]+ /, "").replaceAll(/[`*]/g, "")}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}
