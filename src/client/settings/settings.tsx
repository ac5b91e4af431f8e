import { Link } from "wouter";
import { Screen } from "../register/screen.tsx";
import { listDestinations } from "../screens.ts";
import { Only } from "../session/gate.tsx";
import { may } from "../session/session-store.ts";
import { Account } from "./account.tsx";
import { DisplaySettings } from "./display-settings.tsx";
import { RegisterSettings } from "./register-settings.tsx";
import "../common.ts";
import "../common-editing.ts";
import "./settings.css";

/** Screen `/settings`: those of the register, of this browser and of the account. */
export default function Settings() {
  return (
    <Screen className="settings" heading="Settings" lines={12}>
      <section>
        <h2>Reminders</h2>
        <p>
          Get <Link href="/settings/reminders">reminded by e-mail, chat, webhook or calendar</Link>{" "}
          before a domain expires.
        </p>
      </section>
      <Only least="owner">
        <RegisterSettings />
      </Only>
      <DisplaySettings />
      <Account />
      <Data />
    </Screen>
  );
}

/** Where to go for everything else about the data. */
function Data() {
  return (
    <section>
      <h2>Data</h2>
      <ul className="field-grid tall-links">
        <li>
          <a href="/api/domains.csv" download>
            Export all domains
          </a>
          <p className="note">A CSV file, which can be imported again</p>
        </li>
        {listDestinations(may, "settings").map(({ href, label, about }) => (
          <li key={href}>
            <Link href={href}>{label}</Link>
            <p className="note">{about}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
