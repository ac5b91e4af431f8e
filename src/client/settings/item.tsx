import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { FormDialog, type FormField, type FormValues } from "../register/form.tsx";
import { invalidate } from "../register/resource.tsx";
import { ConfirmButton } from "../session/action-dialog.tsx";
import { FormFailure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { downloadText } from "../ui/page.ts";

interface ItemProps {
  title: ReactNode;
  actions?: ReactNode;
  error?: unknown;
  /** What is known of it. */
  children: ReactNode;
}

/** An item of a list in the settings. */
export function Item({ title, actions, error, children }: ItemProps) {
  return (
    <li className="row">
      <div>
        <b>{title}</b>
        <p className="note">{children}</p>
        <FormFailure error={error} />
      </div>
      {actions && <div className="row">{actions}</div>}
    </li>
  );
}

export async function remove(path: string): Promise<void> {
  await callApi(path, { method: "DELETE" });
  invalidate("/api/");
}

const DONE = { Delete: "Deleted", Remove: "Removed", Revoke: "Revoked", Unlink: "Unlinked" };

interface RemovalProps {
  /** What the button says. */
  action: keyof typeof DONE;
  /** In the question and for screen readers. */
  name: string;
  path: string;
  look?: "plain" | "quiet";
  children: string;
}

/** A button that sends DELETE to a path once that is confirmed. */
export function Removal({ action, name, path, look = "quiet", children }: RemovalProps) {
  return (
    <ConfirmButton
      label={action}
      look={look}
      aria-label={`${action} ${name}`}
      heading={`${action} ${name}?`}
      action={action}
      onConfirm={() => remove(path)}
      done={`${DONE[action]} ${name}.`}
    >
      {children}
    </ConfirmButton>
  );
}

interface AddButtonProps {
  label: string;
  look?: "plain" | "main";
  action: string;
  fields: readonly FormField[];
  /** @returns What the server shows only once, if anything. */
  onAdd: (values: FormValues) => Promise<ShownSecret | undefined>;
  /** Shows another dialog than one of these fields alone. */
  show?: (form: ComponentProps<typeof FormDialog>) => ReactNode;
}

/** A button with a form that adds something to a list. */
export function AddButton(props: AddButtonProps) {
  const { look = "main", onAdd, show = (form) => <FormDialog {...form} />, ...rest } = props;
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
        {rest.label}
      </Button>
      {isOpen && show({ ...rest, onSend: add, onClose: close })}
      {secret && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
    </div>
  );
}

/** What the server shows only once. */
export interface ShownSecret {
  label: string;
  value: string;
  /** Offers the text as a file of this name. */
  fileName?: string;
  note?: ReactNode;
}

export function SecretDialog(props: ShownSecret & { heading?: string; onClose: () => void }) {
  const { heading = "Copy this now: it is shown only once", label, value } = props;
  const { fileName, note, onClose } = props;
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [status, setStatus] = useState("");
  const lines = value.split("\n").length;

  async function copy() {
    box.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setStatus("Copied.");
    } catch {
      // Browsers refuse the clipboard to a page that came by plain HTTP.
      setStatus("Press Ctrl+C or ⌘C to copy it.");
    }
  }

  return (
    <Dialog heading={heading} onClose={onClose}>
      <div className="stack">
        <Field
          label={label}
          hint={
            <>
              Keep this secret: anyone who has it can use it. <output>{status}</output>
            </>
          }
        >
          {(control) =>
            lines > 1 ? (
              <textarea {...control} ref={box} readOnly rows={lines} value={value} />
            ) : (
              <input {...control} ref={box} readOnly value={value} />
            )
          }
        </Field>
        {note}
        <DialogActions cancel="Done">
          {fileName !== undefined && (
            <Button onClick={() => downloadText(`${value}\n`, fileName)}>Download</Button>
          )}
          <Button look="main" onClick={() => void copy()}>
            Copy
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
