import type { ComponentType } from "react";
import { Link, useLocation } from "wouter";
import { urlOf } from "../base-path.ts";
import { listDestinations } from "../screens.ts";
import { RequireRole, SignOut } from "../session/gate.tsx";
import { hasRole, useSession } from "../session/session-store.ts";
import { Audit } from "./audit.tsx";
import { DisplaySettings } from "./display-settings.tsx";
import { People } from "./people.tsx";
import { RegisterSettings } from "./register-settings.tsx";
import { Security } from "./security.tsx";
import { SettingsScreen } from "./settings-screen.tsx";
import { Tokens } from "./tokens.tsx";
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
  const [location] = useLocation();
  const path = location in SCREENS ? location : "/settings";
  const Content = SCREENS[path] ?? General;
  return (
    <SettingsScreen path={path}>
      <Content />
    </SettingsScreen>
  );
}

function General() {
  const session = useSession();
  return (
    <>
      <section>
        <h2>Account</h2>
        <p>
          Signed in as <b>{"email" in session && session.email}</b>{" "}
          {"role" in session && session.role && `(${session.role})`} <SignOut />
        </p>
        <p>
          Your password, two-step sign-in and devices are under{" "}
          <Link href="/settings/security">Security</Link>.
        </p>
      </section>
      <RequireRole least="owner">
        <RegisterSettings />
      </RequireRole>
      <DisplaySettings />
      <Data />
    </>
  );
}

function Data() {
  return (
    <section>
      <h2>Data</h2>
      <ul className="field-grid tall-links">
        <li>
          <a href={urlOf("/api/domains.csv")} download>
            Export all domains
          </a>
          <p className="note">A CSV file, which can be imported again</p>
        </li>
        {listDestinations(hasRole, "settings").map(({ href, label, about }) => (
          <li key={href}>
            <Link href={href}>{label}</Link>
            <p className="note">{about}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
