import { useState } from "react";
import {
  type Factors,
  MAX_PASSKEY_NAME_LENGTH,
  parseFactors,
  parseOidcLink,
  parsePasskeys,
  parseRecoveryCodes,
  parseTotpSetUp,
  RECOVERY_CODES,
} from "../../shared/factors.ts";
import { Form, type FormValues } from "../register/form.tsx";
import { Loaded, invalidate, useResource } from "../register/resource.tsx";
import { ConfirmButton } from "../session/action-dialog.tsx";
import { FormFailure } from "../session/failure.tsx";
import { addPasskey } from "../session/passkey.ts";
import { callApi, hasRole } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatDate, formatDateTime } from "../ui/format.ts";
import { lazyCode } from "../ui/lazy-code.ts";
import { notify } from "../ui/notifications.ts";
import { AddButton, Item, Removal, SecretDialog } from "./item.tsx";

/** The person’s ways to sign in. */
export const FACTORS_PATH = "/api/factors";
const TOTP = `${FACTORS_PATH}/totp`;
const PASSKEYS = "/api/passkeys";

/** Fewer recovery codes than this should be replaced. */
const MIN_RECOVERY_CODES = 4;

const QrCode = lazyCode(() => import("./qr-code.tsx"), <div className="qr-code" />);

/** How a person signs in besides a password: codes, passkeys, single sign-on. */
export function SignInFactors() {
  return (
    <Loaded of={useResource(FACTORS_PATH, parseFactors)} lines={6}>
      {(factors) => (
        <>
          <AuthenticatorApp {...factors} />
          <Passkeys mayAdd={factors.passkeys} />
          {factors.offered.includes("oidc") && <SingleSignOn {...factors} />}
        </>
      )}
    </Loaded>
  );
}

function AuthenticatorApp({ totp, recoveryCodesLeft }: Factors) {
  const [uri, setUri] = useState<string>();
  const [codes, setCodes] = useState<string>();
  const { run: begin, error } = useAction(async () => {
    const options = { method: "POST", body: {}, parse: parseTotpSetUp };
    setUri((await callApi(TOTP, options)).uri);
  });

  async function confirm(body: FormValues) {
    const options = { method: "POST", body, parse: parseRecoveryCodes };
    const { recoveryCodes } = await callApi(`${TOTP}/confirm`, options);
    setUri(undefined);
    setCodes(recoveryCodes.join("\n"));
    invalidate(FACTORS_PATH);
  }

  return (
    <section>
      <h2>Authenticator app</h2>
      {totp ? (
        <p>
          On. {recoveryCodesLeft} of {RECOVERY_CODES} recovery codes left.
          {recoveryCodesLeft < MIN_RECOVERY_CODES &&
            " Remove the app and set it up again for more."}
        </p>
      ) : (
        <p>Off. When it is on, your password is not enough: an app on your phone shows a code.</p>
      )}
      <FormFailure error={error} />
      <div className="row">
        {totp ? (
          <Removal action="Remove" name="the authenticator app" path={TOTP} look="plain">
            Your password is then enough to sign in. Your recovery codes stop working.
          </Removal>
        ) : (
          <Button onClick={() => void begin()}>Set up authenticator app</Button>
        )}
      </div>
      {uri !== undefined && (
        <Dialog heading="Set up an authenticator app" onClose={() => setUri(undefined)}>
          <div className="stack">
            <p>
              Scan this with an app such as Aegis, 2FAS or Google Authenticator, or{" "}
              <a href={uri}>open the app on this device</a>.
            </p>
            <QrCode text={uri} label="QR code for the authenticator app" />
            <p>
              Or type this secret into it: <code>{secretOf(uri)}</code>
            </p>
            <Form
              label="Authenticator app"
              action="Turn on"
              fields={[
                {
                  name: "code",
                  label: "Code that the app shows",
                  inputMode: "numeric",
                  autoComplete: "one-time-code",
                },
              ]}
              onSend={confirm}
            />
          </div>
        </Dialog>
      )}
      {codes !== undefined && (
        <SecretDialog
          heading="Save your recovery codes"
          label="Recovery codes"
          value={codes}
          fileName="recovery-codes.txt"
          note={<p>Without your phone, each code signs you in once. They are shown only now.</p>}
          onClose={() => setCodes(undefined)}
        />
      )}
    </section>
  );
}

/** The secret of an `otpauth:` URI, in groups of four. */
function secretOf(uri: string): string | undefined {
  const secret = URL.parse(uri)?.searchParams.get("secret") ?? "";
  return secret.match(/.{1,4}/g)?.join(" ");
}

function Passkeys({ mayAdd }: { mayAdd: boolean }) {
  return (
    <section>
      <h2>Passkeys</h2>
      <p>
        {mayAdd
          ? "Sign in with your fingerprint, your face or a security key instead of your password."
          : "Passkeys need PUBLIC_URL to be set on the server."}
      </p>
      <Loaded of={useResource(PASSKEYS, parsePasskeys)} lines={1}>
        {({ items }) => (
          <ul className="list">
            {items.map((passkey) => (
              <Item
                key={passkey.id}
                title={passkey.name}
                actions={
                  <Removal action="Remove" name={passkey.name} path={`${PASSKEYS}/${passkey.id}`}>
                    It no longer signs you in here. Delete it on your device, too.
                  </Removal>
                }
              >
                Added {formatDate(passkey.createdAt)}
                {passkey.lastUsedAt !== null &&
                  ` · last used ${formatDateTime(passkey.lastUsedAt)}`}
              </Item>
            ))}
          </ul>
        )}
      </Loaded>
      {mayAdd && (
        <AddButton
          label="Add a passkey"
          look="plain"
          action="Add"
          fields={[
            {
              name: "name",
              label: "Name",
              hint: "Such as “Laptop”.",
              fault: "Enter a name.",
              maxLength: MAX_PASSKEY_NAME_LENGTH,
            },
          ]}
          onAdd={async ({ name = "" }) => {
            await addPasskey(name);
            invalidate("/api/");
            notify({ text: `Passkey ${name} added.` });
            return undefined;
          }}
        />
      )}
    </section>
  );
}

async function setPasswords(passwords: boolean): Promise<void> {
  await callApi("/api/sign-in", { method: "PUT", body: { passwords } });
  invalidate(FACTORS_PATH);
  notify({ text: `Passwords are switched ${passwords ? "on" : "off"}.` });
}

function SingleSignOn({ linked, offered }: Factors) {
  const isOwner = hasRole("owner");
  const passwords = offered.includes("password");
  const { run, error } = useAction((act: () => Promise<string | void>) => act());

  async function link() {
    const options = { method: "POST", body: {}, parse: parseOidcLink };
    const url = await run(async () => (await callApi("/api/oidc/link", options)).url);
    // While an action runs, the browser asks whether to leave.
    if (url) location.assign(url);
  }

  return (
    <section>
      <h2>Single sign-on</h2>
      <p>
        {linked
          ? "Your account at your sign-in service is linked."
          : "Link your account at your sign-in service, and sign in with it."}
        {!passwords && " Passwords are switched off on this server."}
      </p>
      <FormFailure error={error} />
      <div className="row">
        {linked ? (
          <Removal action="Unlink" name="your account" path="/api/oidc/link" look="plain">
            You can then no longer sign in with it.
          </Removal>
        ) : (
          <Button onClick={() => void link()}>Link account</Button>
        )}
        {isOwner && !passwords && (
          <Button onClick={() => void run(() => setPasswords(true))}>Switch passwords on</Button>
        )}
        {isOwner && passwords && (
          <ConfirmButton
            label="Switch passwords off"
            heading="Switch passwords off for everyone?"
            action="Switch off"
            busyAction="Switching off…"
            onConfirm={() => setPasswords(false)}
          >
            People then sign in with single sign-on or a passkey. Someone who has neither cannot
            sign in until you switch passwords on again.
          </ConfirmButton>
        )}
      </div>
    </section>
  );
}
