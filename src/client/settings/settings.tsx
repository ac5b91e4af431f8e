import type { ComponentType } from "react";
import { useLocation } from "wouter";
import { urlOf } from "../base-path.ts";
import { RequireRole } from "../session/gate.tsx";
import { About } from "./about.tsx";
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
