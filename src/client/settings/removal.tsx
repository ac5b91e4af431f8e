import { useState } from "react";
import { invalidate } from "../register/resource.ts";
import { ConfirmDialog } from "../session/confirm-dialog.tsx";
import { callApi } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";

interface Props {
  /** What the buttons say: `Revoke`. */
  action: string;
  /** What it is done to, in the question and for screen readers. */
  name: string;
  path: string;
  look?: "plain" | "quiet";
  /** What follows from it. */
  children: string;
}

/** A button that asks, and then deletes what is at a path. */
export function Removal({ action, name, path, look = "quiet", children }: Props) {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);

  async function remove() {
    await callApi(path, { method: "DELETE" });
    close();
    invalidate("/api/");
  }

  return (
    <>
      <Button look={look} aria-label={`${action} ${name}`} onClick={() => setAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <ConfirmDialog
          heading={`${action} ${name}?`}
          action={action}
          busyAction="One moment…"
          onConfirm={remove}
          onClose={close}
        >
          <p>{children}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
