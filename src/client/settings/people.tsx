import { type ComponentProps, useState } from "react";
import {
  type Limit,
  parseInvitations,
  parseNewLink,
  parsePasswordLink,
  parsePeople,
  type Person,
} from "../../shared/people.ts";
import { MAX_FACETS } from "../../shared/facets.ts";
import { foldLabel } from "../../shared/text.ts";
import { parseSavedViews, type SavedView } from "../../shared/register.ts";
import { type AccountRole, ACCOUNT_ROLES } from "../../shared/session.ts";
import { FormDialog, type FormField, type FormValues } from "../register/form.tsx";
import { Loaded, invalidate, useResource } from "../register/resource.tsx";
import { useFacets } from "../register/suggestions.ts";
import { ConfirmDialog } from "../session/action-dialog.tsx";
import { callApi, currentEmail } from "../session/session-store.ts";
import { useAction } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Dropdown } from "../ui/dropdown.tsx";
import { formatDate, formatDateTime } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
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

/** The role that a `RoleDialog` asks for; a limit of null is lifted. */
function roleOf({ role, sees, limit = "" }: FormValues) {
  if (role !== "viewer" || !sees) return { role, limit: null };
  const owners = limit.split("\n").filter((owner) => owner.trim() !== "");
  return { role, limit: sees === "owners" ? { owners } : { view: sees } };
}

type Views = readonly SavedView[];

/** A role with its limit, in words that tell which owners have no domain. */
function useRoleWords(views: Views) {
  const { owners } = useFacets().value ?? {};
  const isKnown = owners !== undefined && owners.length < MAX_FACETS;
  const used = new Set(owners?.map(({ value }) => foldLabel(value)));
  const ownerInWords = (owner: string) =>
    isKnown && !used.has(foldLabel(owner)) ? `${owner} (no domains)` : owner;
  return (role: AccountRole, limit: Limit | undefined): string => {
    if (limit === undefined) return ROLES[role];
    if ("owners" in limit) return `${ROLES[role]} of ${limit.owners.map(ownerInWords).join(", ")}`;
    const view = views.find(({ id }) => id === limit.view);
    return `${ROLES[role]} of ${view ? `the view “${view.name}”` : "a view that is gone"}`;
  };
}

/** Screen `/settings/people`: who has an account, and who is invited. */
export function People() {
  const views = useResource("/api/views", parseSavedViews).value?.items ?? [];
  const inWords = useRoleWords(views);
  return (
    <>
      <section>
        <Loaded of={useResource(PEOPLE, parsePeople)} lines={4}>
          {({ items }) => (
            <ul className="list">
              {items.map((person) => (
                <PersonItem
                  key={person.id}
                  person={person}
                  views={views}
                  role={inWords(person.role, person.limit)}
                />
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
          ]}
          onAdd={invite}
          show={(form) => <RoleDialog {...form} given={{ role: "editor" }} views={views} />}
        />
      </section>
      <Loaded of={useResource(INVITATIONS, parseInvitations)} lines={2}>
        {({ items }) =>
          items.length > 0 && (
            <section>
              <h2>Open invitations</h2>
              <ul className="list">
                {items.map(({ id, email, role, limit, by, expiresAt }) => (
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
                    {inWords(role, limit)} · invited by {by} · until {formatDateTime(expiresAt)}
                  </Item>
                ))}
              </ul>
            </section>
          )
        }
      </Loaded>
    </>
  );
}

async function invite({ email = "", ...values }: FormValues): Promise<ShownSecret> {
  const { role, limit } = roleOf(values);
  const body = { role, ...(limit && { limit }), ...(email.trim() && { email }) };
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

/** @param role In words, with its limit. */
function PersonItem({ person, views, role }: { person: Person; views: Views; role: string }) {
  const { id, name, email, limit, disabled } = person;
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
      onClick={() => {
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
            <RoleDialog
              heading={`Role of ${name}`}
              label="Change role"
              action="Save"
              fields={[]}
              given={person}
              views={views}
              onSend={async (values) => {
                const next = roleOf(values);
                await change({
                  role: next.role,
                  ...((limit ?? next.limit) && { limit: next.limit }),
                });
                close();
                notify({ text: `Role of ${name} changed.` });
              }}
              onClose={close}
            />
          )}
          {asked === "factors" && (
            <ConfirmDialog
              heading={`Reset two-step sign-in of ${name}?`}
              action="Reset"
              onConfirm={() => remove(`${path}/factors`)}
              done={`Two-step sign-in of ${name} is reset.`}
              onClose={close}
            >
              For people who have lost their phone or key: the authenticator app, recovery codes and
              passkeys stop working, and the password is enough to sign in.
            </ConfirmDialog>
          )}
          {asked === "delete" && (
            <ConfirmDialog
              heading={`Delete ${name}?`}
              action="Delete"
              onConfirm={() => remove(path)}
              done={`Deleted ${name}.`}
              onClose={close}
            >
              Sessions and API tokens of this account end at once. Its domains and its name in the
              history stay. You can’t undo this. To lock someone out for a while, disable the
              account.
            </ConfirmDialog>
          )}
          {secret && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
        </>
      }
    >
      {name !== email && `${email} · `}
      {role} · since {formatDate(person.createdAt)}
    </Item>
  );
}

interface RoleProps extends ComponentProps<typeof FormDialog> {
  given: { role: AccountRole; limit?: Limit | undefined };
  views: Views;
}

/** A form that also asks for a role, and what a viewer is limited to: see `roleOf`. */
function RoleDialog({ given, views, fields, action, ...form }: RoleProps) {
  const { owners = [], view = "" }: { owners?: readonly string[]; view?: string } =
    given.limit ?? {};
  const [role, setRole] = useState<string>(given.role);
  const [sees, setSees] = useState(owners.length > 0 ? "owners" : view);
  const isViewer = role === "viewer";
  const isGone = view !== "" && views.every(({ id }) => id !== view);
  const asked: FormField[] = [...fields, { ...ROLE, defaultValue: role, onType: setRole }];
  if (isViewer) {
    asked.push({
      name: "sees",
      label: "Sees",
      hint: "With a limit, a viewer sees only these domains, without accounts, purchase prices and notes.",
      defaultValue: sees,
      onType: setSees,
      options: [
        ["", "Everything"],
        ["owners", "Domains of some owners"],
        ...views.map(({ id, name }) => [id, `The view “${name}”`] as const),
        ...(isGone ? [[view, "A view that is gone"] as const] : []),
      ],
    });
  }
  if (isViewer && sees === "owners") {
    const label = "Owners, one per line";
    asked.push({ name: "limit", label, lines: 3, defaultValue: owners.join("\n") });
  }
  const lifts = given.limit !== undefined && !isViewer;
  return (
    <FormDialog {...form} fields={asked} action={lifts ? "Lift the limit and save" : action} />
  );
}
