import { useState } from "react";
import {
  type Invitation,
  parseInvitations,
  parseNewLink,
  parsePasswordLink,
  parsePeople,
  type Person,
} from "../../shared/people.ts";
import { ACCOUNT_ROLES } from "../../shared/session.ts";
import { FormDialog, type FormValues } from "../register/form.tsx";
import { Loaded } from "../register/loaded.tsx";
import { invalidate, useResource } from "../register/resource.ts";
import { ConfirmDialog } from "../session/confirm-dialog.tsx";
import { FormFailure } from "../session/failure.tsx";
import { callApi, currentPerson } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Dropdown } from "../ui/dropdown.tsx";
import type { Options } from "../ui/field.tsx";
import { formatDate, formatDateTime } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
import { Item } from "./item.tsx";
import { type Once, OnceDialog } from "./once-dialog.tsx";
import { Removal } from "./removal.tsx";

const PEOPLE = "/api/people";
const INVITATIONS = "/api/invitations";

/** What a role is called, and what it may do. */
const ROLES = {
  viewer: ["Viewer", "sees everything, changes nothing"],
  editor: ["Editor", "adds, changes and deletes domains"],
  owner: ["Owner", "also manages people, reminders and settings"],
} as const;
const ROLE_OPTIONS: Options = ACCOUNT_ROLES.map((role) => [role, ROLES[role].join(": ")]);

/** What is asked before it is done, by what is deleted below a person. */
const QUESTIONS = {
  "": {
    action: "Delete",
    of: "",
    text: "Their sessions and tokens end at once. The history keeps their name; what they added stays. You can’t undo this: to lock them out for a while, disable the account.",
  },
  "/factors": {
    action: "Remove",
    of: "the second steps of ",
    text: "For somebody who has lost their phone or key: their authenticator app, recovery codes and passkeys stop working, and their password is enough to sign in.",
  },
} as const;

type Asked =
  | { what: "invite" }
  | { what: "role"; person: Person }
  | { what: keyof typeof QUESTIONS; person: Person };

/** Screen `/settings/people`: who has an account, and who is invited. */
export function People() {
  const people = useResource(PEOPLE, parsePeople);
  const invitations = useResource(INVITATIONS, parseInvitations);
  const [asked, setAsked] = useState<Asked>();
  const [once, setOnce] = useState<Once>();
  const close = () => setAsked(undefined);
  const { run, error } = useAction(async (act: () => Promise<void>) => act());

  async function invite(values: FormValues) {
    const { email = "", role } = values;
    const body = { role, ...(email.trim() && { email }) };
    const made = await callApi(INVITATIONS, { method: "POST", body, parse: parseNewLink });
    close();
    invalidate(INVITATIONS);
    setOnce(linkOf("Invitation link", made, made.email));
  }

  return (
    <>
      <section>
        <FormFailure error={error} />
        <Loaded of={people} lines={4}>
          {({ items }) => (
            <ul className="list settings-list">
              {items.map((person) => (
                <PersonItem
                  key={person.id}
                  person={person}
                  onAsk={setAsked}
                  onAct={(act) => void run(act)}
                  onLink={setOnce}
                />
              ))}
            </ul>
          )}
        </Loaded>
        <div className="row">
          <Button look="primary" onClick={() => setAsked({ what: "invite" })}>
            Invite somebody
          </Button>
        </div>
      </section>
      <Loaded of={invitations} lines={2}>
        {({ items }) => items.length > 0 && <Invitations items={items} />}
      </Loaded>
      {asked?.what === "invite" && (
        <FormDialog
          heading="Invite somebody"
          label="Invitation"
          action="Make invitation link"
          fields={[
            { name: "role", label: "Role", options: ROLE_OPTIONS, defaultValue: "editor" },
            {
              name: "email",
              label: "E-mail address (optional)",
              hint: "Only this address can then accept. Without one, whoever has the link can.",
              type: "email",
            },
          ]}
          onSend={invite}
          onClose={close}
        />
      )}
      {asked?.what === "role" && (
        <FormDialog
          heading={`Role of ${asked.person.name}`}
          label="Change role"
          action="Save"
          fields={[
            {
              name: "role",
              label: "Role",
              options: ROLE_OPTIONS,
              defaultValue: asked.person.role,
            },
          ]}
          onSend={async ({ role }) => {
            await changePerson(asked.person, "PATCH", "", { role });
            close();
          }}
          onClose={close}
        />
      )}
      {(asked?.what === "" || asked?.what === "/factors") && (
        <Question {...asked} onClose={close} />
      )}
      {once && <OnceDialog {...once} onClose={() => setOnce(undefined)} />}
    </>
  );
}

interface QuestionProps {
  what: keyof typeof QUESTIONS;
  person: Person;
  onClose: () => void;
}

function Question({ what, person, onClose }: QuestionProps) {
  const { action, of, text } = QUESTIONS[what];
  return (
    <ConfirmDialog
      heading={`${action} ${of}${person.name}?`}
      action={action}
      busyAction="One moment…"
      onConfirm={async () => {
        await changePerson(person, "DELETE", what);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}

/** @param below What of the person: a path. */
async function changePerson({ id }: Person, method: string, below = "", body?: object) {
  await callApi(`${PEOPLE}/${id}${below}`, { method, body });
  invalidate(PEOPLE);
}

/** A link that is shown once, and what became of it. */
function linkOf(
  label: string,
  { url, mailed, expiresAt }: { url: string; mailed: boolean; expiresAt: string },
  email: string | null,
): Once {
  const sent = mailed
    ? `It was also sent to ${email}.`
    : "It was not sent by e-mail: pass it on yourself.";
  const note = `It works once, until ${formatDateTime(expiresAt)}. ${sent}`;
  return { label, value: new URL(url, location.href).href, note: <p>{note}</p> };
}

interface PersonProps {
  person: Person;
  onAsk: (asked: Asked) => void;
  onAct: (act: () => Promise<void>) => void;
  onLink: (once: Once) => void;
}

function PersonItem({ person, onAsk, onAct, onLink }: PersonProps) {
  const { id, name, email, role, disabled } = person;
  const isSelf = email === currentPerson();

  async function setDisabled(next: boolean) {
    await changePerson(person, "PATCH", "", { disabled: next });
    notify({ text: next ? `${name} can’t sign in any more.` : `${name} can sign in again.` });
  }

  async function endSessions() {
    await changePerson(person, "DELETE", "/sessions");
    notify({ text: `${name} is signed out everywhere.` });
  }

  async function makeLink() {
    const made = await callApi(`${PEOPLE}/${id}/reset`, {
      method: "POST",
      parse: parsePasswordLink,
    });
    onLink(linkOf(`Link for ${name} to choose a new password`, made, email));
  }

  const item = (label: string, choose: () => void) => (
    <Button
      look="quiet"
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>("[popover]")?.hidePopover?.();
        choose();
      }}
    >
      {label}
    </Button>
  );
  const act = (label: string, run: () => Promise<void>) => item(label, () => onAct(run));
  return (
    <Item
      title={
        <>
          {name}
          {isSelf && " (you)"} {disabled && <span className="tag">Disabled</span>}
        </>
      }
      actions={
        <Dropdown label="⋯" name={`Actions for ${name}`}>
          <div className="row-menu">
            {item("Change role", () => onAsk({ what: "role", person }))}
            {act("Make a password link", makeLink)}
            {act("Sign out everywhere", endSessions)}
            {item("Remove second steps", () => onAsk({ what: "/factors", person }))}
            <hr />
            {act(disabled ? "Enable" : "Disable", () => setDisabled(!disabled))}
            {item("Delete", () => onAsk({ what: "", person }))}
          </div>
        </Dropdown>
      }
    >
      {name !== email && `${email} · `}
      {ROLES[role][0]} · since {formatDate(person.createdAt)}
    </Item>
  );
}

function Invitations({ items }: { items: readonly Invitation[] }) {
  return (
    <section>
      <h2>Open invitations</h2>
      <ul className="list settings-list">
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
                Its link stops working at once.
              </Removal>
            }
          >
            {ROLES[role][0]} · invited by {by} · until {formatDateTime(expiresAt)}
          </Item>
        ))}
      </ul>
    </section>
  );
}
