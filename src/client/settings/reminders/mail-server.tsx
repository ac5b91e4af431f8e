import { type MailServerState, parseTested } from "../../../shared/reminders.ts";
import { FormDialog, type FormField, type FormValues } from "../../register/form.tsx";
import { invalidate } from "../../register/resource.tsx";
import { callApi, currentEmail } from "../../session/session-store.ts";
import { notify } from "../../ui/notifications.ts";

export const MAIL_SERVER_PATH = "/api/mail-server";

/** The server gives the other side 7.5 s of it. */
export const TEST_REQUEST_TIMEOUT_MS = 15_000;

const ENCRYPTIONS = [
  ["starttls", "STARTTLS, usually port 587"],
  ["implicit", "TLS, usually port 465"],
  ["off", "None, in a network you trust"],
] as const;

/** Says whether e-mail can be sent, and by which server. */
export function describeMailServer({ server, setBy, problem }: MailServerState): string {
  if (setBy === null) return "E-mail isn’t set up on this server.";
  if (problem !== null || server === null) return problem ?? "";
  const by = `E-mail is sent by ${server.host}:${server.port}, from ${server.sender}.`;
  return setBy === "settings" ? by : `${by} SMTP_URL is set and overrides the settings here.`;
}

interface Props {
  server: MailServerState["server"];
  onSaved: () => void;
  onClose: () => void;
}

/** Saves a mail server once it has accepted a test message. */
export function MailServerDialog({ server, onSaved, onClose }: Props) {
  const { host, port = 587, tls, user, sender } = server ?? {};
  const fields: FormField[] = [
    { name: "host", label: "Server", placeholder: "smtp.example.com", defaultValue: host },
    { name: "port", label: "Port", inputMode: "numeric", defaultValue: port },
    { name: "tls", label: "Encryption", options: ENCRYPTIONS, defaultValue: tls },
    { name: "user", label: "User name", hint: "If it asks for one", defaultValue: user ?? "" },
    {
      name: "password",
      label: "Password",
      type: "password",
      // Browsers would fill in the person's own password.
      autoComplete: "new-password",
      hint: "It is stored encrypted.",
    },
    { name: "sender", label: "Sender", placeholder: "names@example.com", defaultValue: sender },
    { name: "testTo", label: "Send a test to", type: "email", defaultValue: currentEmail() },
  ];

  async function send({ port: typed, ...texts }: FormValues) {
    const body = { ...texts, port: Number(typed) };
    const options = { method: "PUT", body, timeout: TEST_REQUEST_TIMEOUT_MS, parse: parseTested };
    await callApi(MAIL_SERVER_PATH, options);
    notify({ text: `Test message sent to ${texts["testTo"]}. Mail server saved.` });
    invalidate(MAIL_SERVER_PATH);
    onSaved();
  }

  return (
    <FormDialog
      heading={server ? "Edit mail server" : "Set up e-mail"}
      label="Mail server"
      action="Send a test and save"
      fields={fields}
      onSend={send}
      onClose={onClose}
    >
      <p className="note">SMTP_URL and MAIL_FROM, if set on the server, are used instead.</p>
    </FormDialog>
  );
}
