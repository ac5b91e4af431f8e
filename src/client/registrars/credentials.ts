import type { RegistrarApi } from "../../shared/accounts.ts";
import type { FormField, FormValues } from "../register/form.tsx";

const PREFIX = "fields/";

/** The fields of a registrar's credentials. Browsers neither fill in nor keep the secret ones. */
export function credentialFields({ fields }: RegistrarApi): FormField[] {
  return fields.map(({ name, label, secret, optional }) => ({
    name: PREFIX + name,
    label: optional ? `${label} (optional)` : label,
    type: secret ? "password" : "text",
    autoComplete: secret ? "new-password" : "off",
    autoCapitalize: "none",
    spellCheck: false,
  }));
}

export function credentialsIn(values: FormValues): Record<string, string> {
  const typed = Object.entries(values).filter(([name]) => name.startsWith(PREFIX));
  const given = typed.map(([name, value]) => [name.slice(PREFIX.length), value.trim()] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}
