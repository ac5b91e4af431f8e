import { type ReactNode, useState } from "react";
import { type FormField, type FormValues, FormDialog } from "../register/form.tsx";
import { invalidate } from "../register/resource.ts";
import { ConfirmDialog } from "../session/confirm-dialog.tsx";
import { FormFailure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { type ShownSecret, SecretDialog } from "./secret-dialog.tsx";

interface ItemProps {
  title: ReactNode;
  /** What can be done with it. */
  actions?: ReactNode;
  /** Why that failed. */
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

interface DeleteDialogProps {
  /** What is asked, and what the button says: `Delete`. */
  heading: string;
  action: string;
  path: string;
  onClose: () => void;
  /** What follows from it. */
  children: string;
}

/** Asks for confirmation, then sends DELETE to a path. */
export function DeleteDialog({ path, onClose, children, ...texts }: DeleteDialogProps) {
  async function remove() {
    await callApi(path, { method: "DELETE" });
    onClose();
    invalidate("/api/");
  }
  return (
    <ConfirmDialog {...texts} busyAction="One moment…" onConfirm={remove} onClose={onClose}>
      <p>{children}</p>
    </ConfirmDialog>
  );
}

interface RemovalProps extends Pick<DeleteDialogProps, "action" | "path" | "children"> {
  /** What it is done to, in the question and for screen readers. */
  name: string;
  look?: "plain" | "quiet";
}

/** A button that opens a `DeleteDialog`. */
export function Removal({ name, look = "quiet", ...dialog }: RemovalProps) {
  const [isAsking, setAsking] = useState(false);
  const heading = `${dialog.action} ${name}`;
  return (
    <>
      <Button look={look} aria-label={heading} onClick={() => setAsking(true)}>
        {dialog.action}
      </Button>
      {isAsking && (
        <DeleteDialog {...dialog} heading={`${heading}?`} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

interface AddButtonProps {
  /** What the button says, and the heading of its form. */
  label: string;
  look?: "plain" | "primary";
  /** What the button of the form says. */
  action: string;
  fields: readonly FormField[];
  /** Adds it. @returns What the server shows only this once, if anything. */
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
