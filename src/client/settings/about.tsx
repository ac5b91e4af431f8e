import { readBrand } from "../../shared/brand.ts";
import { VERSION } from "../../shared/version.ts";
import changelog from "../../../.github/CHANGELOG.md" with { type: "text" };

/** Everything that leaves this server, and what turns it on. */
const SENT = [
  [
    "Live checks",
    "Registries, name servers and the websites of your domains are asked about them.",
  ],
  ["Registrars’ accounts", "Each registrar is asked for your list with the key that you gave."],
  [
    "Reminders",
    "Your mail server and the services of your channels get messages with names and dates.",
  ],
  [
    "Exchange rates",
    "The European Central Bank is asked for the rates of the day, and told nothing.",
  ],
  ["OpenID Connect, HEARTBEAT_URL", "The servers that these variables name are called."],
] as const;

export function About() {
  const [, ...lines] = (changelog.split(/^## /m)[1] ?? "").split("\n");
  return (
    <section>
      <h2>About</h2>
      <p>
        {readBrand()} {VERSION}, under the MIT license.
      </p>
      <details>
        <summary>What is sent, and to whom</summary>
        <p>Nothing about you or your domains leaves this server, but for what you turn on:</p>
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
