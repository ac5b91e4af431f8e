import { type ReactNode, useState } from "react";
import { type FormField, type FormValues, FormDialog } from "../register/form.tsx";
import { invalidate } from "../register/resource.tsx";
import { ConfirmButton } from "../session/action-dialog.tsx";
import { FormFailure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { type ShownSecret, SecretDialog } from "./secret-dialog.tsx";

interface ItemProps {
  title: ReactNode;
  actions?: ReactNode;
  /** Why an action failed. */
  error?: unknown;
  /** What is known of it. */
  children: ReactNode;
}

/** An item of a list in the settings. */
export function Item({ title, actions, error, children }: ItemProps) {
  return (
    <li className="settings-item">
      <b>{title}</b>
      <p>{children}</p>
      {actions && <div className="row">{actions}</div>}
      <FormFailure error={error} />
    </li>
  );
}

/** Sends DELETE to a path. */
export async function remove(path: string): Promise<void> {
  await callApi(path, { method: "DELETE" });
  invalidate("/api/");
}

interface RemovalProps {
  /** What the button says: `Delete`. */
  action: string;
  /** What it is done to, in the question and for screen readers. */
  name: string;
  path: string;
  look?: "plain" | "quiet";
  /** What follows from it. */
  children: string;
}

/** A button that sends DELETE to a path once that is confirmed. */
export function Removal({ action, name, path, look = "quiet", children }: RemovalProps) {
  return (
    <ConfirmButton
      label={action}
      look={look}
      aria-label={`${action} ${name}`}
      question={{ heading: `${action} ${name}?`, action }}
      onConfirm={() => remove(path)}
    >
      {children}
    </ConfirmButton>
  );
}

interface AddButtonProps {
  /** What the button says, and the heading of its form. */
  label: string;
  look?: "plain" | "primary";
  /** What the button of the form says. */
  action: string;
  fields: readonly FormField[];
  /** @returns What the server shows only this once, if anything. */
  onAdd: (values: FormValues) => Promise<ShownSecret | undefined>;
}

/** A button with a form that adds something to a list. */
export function AddButton({ look = "primary", onAdd, ...form }: AddButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<ShownSecret>();
  const close = () => setOpen(false);

  async function add(values: FormValues) {
    setSecret(await onAdd(values));
    close();
  }

  return (
    <div className="row">
      <Button look={look} onClick={() => setOpen(true)}>
        {form.label}
      </Button>
      {isOpen && <FormDialog {...form} heading={form.label} onSend={add} onClose={close} />}
      {secret && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
    </div>
  );
}
