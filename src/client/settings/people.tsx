import { useState } from "react";
import {
  parseInvitations,
  parseNewLink,
  parsePasswordLink,
  parsePeople,
  type Person,
} from "../../shared/people.ts";
import { ACCOUNT_ROLES } from "../../shared/session.ts";
import { FormDialog, type FormField, type FormValues } from "../register/form.tsx";
import { Loaded, invalidate, useResource } from "../register/resource.tsx";
import { ActionDialog } from "../session/action-dialog.tsx";
import { callApi, currentEmail } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Dropdown } from "../ui/dropdown.tsx";
import { formatDate, formatDateTime } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
import { closeMenu } from "../ui/page.ts";
import { AddButton, Item, Removal, remove, SecretDialog, type ShownSecret } from "./item.tsx";

const PEOPLE = "/api/people";
const INVITATIONS = "/api/invitations";

const ROLES = { viewer: "Viewer", editor: "Editor", owner: "Owner" } as const;
const ROLE: FormField = {
  name: "role",
  label: "Role",
  hint: "Viewers see everything and change nothing. Editors also add, change and delete domains. Owners also manage people, reminders and settings.",
  options: ACCOUNT_ROLES.map((role) => [role, ROLES[role]]),
};

/** Screen `/settings/people`: who has an account, and who is invited. */
export function People() {
  return (
    <>
      <section>
        <Loaded of={useResource(PEOPLE, parsePeople)} lines={4}>
          {({ items }) => (
            <ul className="list">
              {items.map((person) => (
                <PersonItem key={person.id} person={person} />
              ))}
            </ul>
          )}
        </Loaded>
        <AddButton
          label="Invite someone"
          action="Create invitation link"
          fields={[
            {
              name: "email",
              label: "E-mail address (optional)",
              hint: "Only this address can then accept. Without one, anyone with the link can.",
              fault: "Enter an address such as ada@example.com.",
              type: "email",
            },
            { ...ROLE, defaultValue: "editor" },
          ]}
          onAdd={invite}
        />
      </section>
      <Invitations />
    </>
  );
}

async function invite({ email = "", role }: FormValues): Promise<ShownSecret> {
  const body = { role, ...(email.trim() && { email }) };
  const made = await callApi(INVITATIONS, { method: "POST", body, parse: parseNewLink });
  invalidate(INVITATIONS);
  return linkOf("Invitation link", made, made.email);
}

/** A link that is shown once, and whether it was e-mailed. */
function linkOf(
  label: string,
  { url, mailed, expiresAt }: { url: string; mailed: boolean; expiresAt: string },
  email: string | null,
): ShownSecret {
  const sent = mailed ? `It was also sent to ${email}.` : "It was not e-mailed: send it yourself.";
  const note = `It works once, until ${formatDateTime(expiresAt)}. ${sent}`;
  return { label, value: new URL(url, location.href).href, note: <p>{note}</p> };
}

function PersonItem({ person }: { person: Person }) {
  const { id, name, email, role, disabled } = person;
  const [asked, setAsked] = useState<"role" | "factors" | "delete">();
  const [secret, setSecret] = useState<ShownSecret>();
  const { run, error, clear } = useAction((act: () => Promise<void>) => act());
  const path = `${PEOPLE}/${id}`;
  const close = () => setAsked(undefined);

  async function change(body: object) {
    await callApi(path, { method: "PATCH", body });
    invalidate(PEOPLE);
  }

  async function setDisabled(next: boolean) {
    await change({ disabled: next });
    notify({ text: next ? `${name} can no longer sign in.` : `${name} can sign in again.` });
  }

  async function endSessions() {
    await callApi(`${path}/sessions`, { method: "DELETE" });
    // One's own sessions are among them.
    invalidate(PEOPLE);
    notify({ text: `${name} is signed out everywhere.` });
  }

  async function makeLink() {
    const options = { method: "POST", parse: parsePasswordLink };
    const made = await callApi(`${path}/reset`, options);
    setSecret(linkOf(`Link for ${name} to choose a new password`, made, email));
  }

  const item = (label: string, choose: () => void) => (
    <Button
      look="quiet"
      onClick={({ currentTarget }) => {
        closeMenu(currentTarget);
        clear();
        choose();
      }}
    >
      {label}
    </Button>
  );
  return (
    <Item
      title={
        <>
          {name}
          {email === currentEmail() && " (you)"} {disabled && <span className="tag">Disabled</span>}
        </>
      }
      error={error}
      actions={
        <>
          <Dropdown label="⋯" name={`Actions for ${name}`}>
            <div className="menu">
              {item("Change role", () => setAsked("role"))}
              {item("Create password link", () => void run(makeLink))}
              {item("Sign out everywhere", () => void run(endSessions))}
              {item("Reset two-step sign-in", () => setAsked("factors"))}
              <hr />
              {item(disabled ? "Enable" : "Disable", () => void run(() => setDisabled(!disabled)))}
              {item("Delete", () => setAsked("delete"))}
            </div>
          </Dropdown>
          {asked === "role" && (
            <FormDialog
              heading={`Role of ${name}`}
              label="Change role"
              action="Save"
              fields={[{ ...ROLE, defaultValue: role }]}
              onSend={async (values) => {
                await change(values);
                close();
              }}
              onClose={close}
            />
          )}
          {asked === "factors" && (
            <DeleteDialog
              heading={`Reset two-step sign-in of ${name}?`}
              action="Reset"
              path={`${path}/factors`}
              onClose={close}
            >
              For people who have lost their phone or key: the authenticator app, recovery codes and
              passkeys stop working, and the password is enough to sign in.
            </DeleteDialog>
          )}
          {asked === "delete" && (
            <DeleteDialog heading={`Delete ${name}?`} action="Delete" path={path} onClose={close}>
              Sessions and API tokens of this account end at once. Its domains and its name in the
              history stay. You can’t undo this. To lock someone out for a while, disable the
              account.
            </DeleteDialog>
          )}
          {secret && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
        </>
      }
    >
      {name !== email && `${email} · `}
      {ROLES[role]} · since {formatDate(person.createdAt)}
    </Item>
  );
}

interface DeleteProps {
  heading: string;
  action: string;
  path: string;
  onClose: () => void;
  children: string;
}

function DeleteDialog({ path, onClose, children, ...texts }: DeleteProps) {
  return (
    <ActionDialog
      {...texts}
      look="danger"
      onAction={() => remove(path).then(onClose)}
      onClose={onClose}
    >
      <p>{children}</p>
    </ActionDialog>
  );
}

function Invitations() {
  return (
    <Loaded of={useResource(INVITATIONS, parseInvitations)} lines={2}>
      {({ items }) =>
        items.length > 0 && (
          <section>
            <h2>Open invitations</h2>
            <ul className="list">
              {items.map(({ id, email, role, by, expiresAt }) => (
                <Item
                  key={id}
                  title={email ?? "Anyone with the link"}
                  actions={
                    <Removal
                      action="Revoke"
                      name={`the invitation for ${email ?? "anyone with the link"}`}
                      path={`${INVITATIONS}/${id}`}
                    >
                      The link stops working at once.
                    </Removal>
                  }
                >
                  {ROLES[role]} · invited by {by} · until {formatDateTime(expiresAt)}
                </Item>
              ))}
            </ul>
          </section>
        )
      }
    </Loaded>
  );
}
