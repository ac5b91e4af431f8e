import { useRef } from "react";
import { parseFactors } from "../../shared/factors.ts";
import { MAX_NAME_LENGTH } from "../../shared/people.ts";
import { parseSessions, PASSWORD_LENGTH } from "../../shared/session.ts";
import { type FormField, type FormValues, Form } from "../register/form.tsx";
import { Loaded, invalidate, useResource } from "../register/resource.tsx";
import { FormFailure } from "../session/failure.tsx";
import { useSingleSignOnFailure } from "../session/session-form.tsx";
import { callApi, changeEmail, refreshSession, useSession } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
import { FACTORS_PATH, SignInFactors } from "./factors.tsx";
import { Item } from "./item.tsx";

const SESSIONS_PATH = "/api/sessions";

/** Screen `/settings/security`: a person's own account, and how and where they sign in. */
export function Security() {
  const session = useSession();
  const email = "email" in session ? session.email : "";
  const name = ("name" in session && session.name) || email;
  const hasPassword = useResource(FACTORS_PATH, parseFactors).value?.password !== false;
  useSingleSignOnFailure();
  return (
    <>
      <section className="account">
        <h2>You</h2>
        <p>
          {name !== email && `${name}, `}
          {email}
        </p>
        <AccountForm
          title="Change name"
          fields={[
            {
              name: "name",
              label: "Name",
              hint: "What others see beside your changes. Without one, they see your e-mail address.",
              autoComplete: "name",
              maxLength: MAX_NAME_LENGTH,
              defaultValue: name === email ? "" : name,
            },
          ]}
          send={async (body) => {
            await callApi("/api/profile", { method: "PATCH", body });
            await refreshSession();
            notify({ text: "Name changed." });
          }}
        />
        {hasPassword ? (
          <>
            <AccountForm
              title="Change e-mail address"
              fields={[
                {
                  name: "email",
                  label: "New e-mail address",
                  fault: "Enter an address such as ada@example.com.",
                  type: "email",
                  autoComplete: "email",
                  required: true,
                },
                { ...CURRENT_PASSWORD, name: "password" },
              ]}
              send={async ({ email: next = "", password = "" }) => {
                await changeEmail(next, password);
                notify({ text: "E-mail address changed." });
              }}
            />
            <AccountForm
              title="Change password"
              fields={[{ ...CURRENT_PASSWORD, name: "current" }, NEW_PASSWORD]}
              send={async (body) => {
                await callApi("/api/password", { method: "PUT", body });
                notify({ text: "Password changed." });
                invalidate(SESSIONS_PATH);
              }}
            />
          </>
        ) : (
          <p>You sign in without a password. An owner can create a link for you to choose one.</p>
        )}
      </section>
      <SignInFactors />
      <section>
        <h2>Devices</h2>
        <Devices />
      </section>
    </>
  );
}

const CURRENT_PASSWORD = {
  label: "Current password",
  type: "password",
  autoComplete: "current-password",
  required: true,
};

const NEW_PASSWORD: FormField = {
  name: "next",
  label: "New password",
  hint: `At least ${PASSWORD_LENGTH.min} characters. You will be signed out on all other devices.`,
  type: "password",
  autoComplete: "new-password",
  minLength: PASSWORD_LENGTH.min,
  required: true,
};

interface AccountFormProps {
  title: string;
  fields: readonly FormField[];
  send: (values: FormValues) => Promise<void>;
}

/** A form that folds away, and closes once it is saved. */
function AccountForm({ title, fields, send }: AccountFormProps) {
  const details = useRef<HTMLDetailsElement>(null);
  return (
    <details ref={details}>
      <summary>{title}</summary>
      <Form
        label={title}
        action={title}
        fields={fields}
        onSend={async (values) => {
          await send(values);
          details.current?.querySelector("form")?.reset();
          details.current?.querySelector("summary")?.focus();
          details.current?.removeAttribute("open");
        }}
      />
    </details>
  );
}

function Devices() {
  const { run: end, error } = useAction(async (path: string) => {
    await callApi(path, { method: "DELETE" });
    invalidate(SESSIONS_PATH);
  });
  return (
    <Loaded of={useResource(SESSIONS_PATH, parseSessions)} lines={2}>
      {({ items }) => (
        <>
          <ul className="list">
            {items.map(({ id, device, address, lastSeenAt, current }) => (
              <Item
                key={id}
                title={device}
                actions={
                  !current && (
                    <Button
                      look="quiet"
                      aria-label={`Sign out ${device}`}
                      onClick={() => end(`${SESSIONS_PATH}/${id}`)}
                    >
                      Sign out
                    </Button>
                  )
                }
              >
                {current ? "This device" : `${address} · last used ${formatDateTime(lastSeenAt)}`}
              </Item>
            ))}
          </ul>
          <FormFailure error={error} />
          {items.length > 2 && (
            <div className="row">
              <Button onClick={() => end(SESSIONS_PATH)}>Sign out all other devices</Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
