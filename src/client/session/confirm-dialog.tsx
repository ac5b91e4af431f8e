import { type ReactNode, type SubmitEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { explain, failedResponse } from "./failure.tsx";

interface Props {
  heading: string;
  /** The label of the button that does it, and what it says meanwhile. */
  action: string;
  busyAction: string;
  /** Does it and closes the dialog, which shows why it failed; undefined: not confirmed yet. */
  onConfirm: () => Promise<void> | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something is deleted or undone. Enter in a text box among the children confirms too. */
export function ConfirmDialog(props: Props) {
  const { heading, action, busyAction, onConfirm, onClose, children } = props;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  async function confirm(event: SubmitEvent) {
    event.preventDefault();
    const task = busy ? undefined : onConfirm();
    if (!task) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await task;
    } catch (error) {
      // After a 401 the sign-in form replaces the screen until the session is renewed.
      if (failedResponse(error).status !== 401) setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog heading={heading} onClose={onClose}>
      <form className="dialog-text" noValidate onSubmit={(event) => void confirm(event)}>
        {children}
        {failure !== undefined && <Notice>{explain(failure)}</Notice>}
        <DialogActions>
          <Button type="submit" look="danger" aria-disabled={busy}>
            {busy ? busyAction : action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
