import { useState } from "react";
import { Link, useLocation } from "wouter";
import { refusalInWords } from "../../shared/account-words.ts";
import {
  ACCOUNT_LIMITS,
  OUTCOMES,
  parseAccount,
  parseRegistrarApis,
  type RegistrarApi,
} from "../../shared/accounts.ts";
import { accountPath } from "../register/account-words.ts";
import { Form, type FormField, type FormValues } from "../register/form.tsx";
import { Loaded, useResource } from "../register/resource.tsx";
import { registerChanged } from "../register/undo.ts";
import { ActionError, failedResponse } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { Check, Choice } from "../ui/choice.tsx";
import { Notice } from "../ui/notice.tsx";
import { readBrand } from "../ui/page.ts";
import { ACCOUNTS_API, APIS_URL } from "./account-state.tsx";

/** Screen `/registrars/connect`: adds an account once its credentials have been tried. */
export function ConnectAccount() {
  const apis = useResource(APIS_URL, parseRegistrarApis);
  const [chosen, setChosen] = useState("");
  return (
    <Loaded of={apis} lines={8}>
      {({ items }) => {
        const api = items.find(({ registrar }) => registrar === chosen);
        const options = items.map(({ registrar, label }) => [registrar, label] as const);
        return (
          <section className="connect">
            <p>
              {readBrand()} reads the account once a day: names, expiry dates, auto-renew, locks,
              privacy, name servers, statuses and prices. It never changes anything there, and
              stores no contacts, transfer codes or notes. You decide which new names to add.
            </p>
            <Choice
              label="Registrar"
              hint={
                <>
                  Not in the list? <Link href="/domains/import">Import its export</Link> each month.
                </>
              }
              value={chosen}
              options={[
                ["", "Choose…"],
                ...options.toSorted(([, one], [, other]) => one.localeCompare(other)),
              ]}
              onChoose={setChosen}
            />
            {api && (
              <>
                <Rights api={api} />
                <Credentials key={chosen} api={api} />
              </>
            )}
          </section>
        );
      }}
    </Loaded>
  );
}

/** Which permissions to give, and how to protect a key that could do more. */
export function Rights({ api }: { api: RegistrarApi }) {
  return (
    <>
      <p>{api.rights}</p>
      <p className="note">
        {readBrand()} sends no request that changes anything, whatever the key allows. If a key
        cannot be limited to reading, allow only the address of this server to use it. It is stored
        encrypted and never shown again.
      </p>
      {!api.recorded && (
        <Notice tone="calm">New and not yet tried with a real account at {api.label}.</Notice>
      )}
    </>
  );
}

function Credentials({ api }: { api: RegistrarApi }) {
  const [isUntested, setUntested] = useState(false);
  const [, navigate] = useLocation();

  async function send(values: FormValues) {
    const { label = "" } = values;
    const body = {
      registrar: api.registrar,
      ...(label.trim() && { label }),
      fields: credentialsIn(values),
      ...(isUntested && { test: false }),
    };
    const options = { method: "POST", body, parse: parseAccount };
    const added = await callApi(ACCOUNTS_API, options).catch(explainRefusal);
    registerChanged();
    navigate(accountPath(added.id));
  }

  return (
    <Form
      label="Account"
      action={isUntested ? "Save without testing" : "Test and save"}
      fields={[
        ...credentialFields(api),
        {
          name: "label",
          label: "Label (optional)",
          hint: `What to call it here, if you have more than one account at ${api.label}`,
          maxLength: ACCOUNT_LIMITS.label,
        },
      ]}
      onSend={send}
    >
      <Check checked={isUntested} onCheck={setUntested}>
        Save without testing
      </Check>
    </Form>
  );
}

/** Words the registrar's refusal of the credentials. @throws */
function explainRefusal(error: unknown): never {
  const { status, problem } = failedResponse(error);
  const outcome = OUTCOMES.find((each) => each === problem?.["outcome"]);
  if (status !== 422 || outcome === undefined) throw error;
  throw new ActionError(`${refusalInWords(outcome, problem?.detail ?? null)} Nothing was saved.`);
}

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
