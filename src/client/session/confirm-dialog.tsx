import type { ReactNode, SubmitEvent } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { explain } from "./failure.tsx";
import { useAction } from "./use-action.ts";

interface Props {
  heading: string;
  /** The label of the button that does it, and what it says meanwhile. */
  action: string;
  busyAction: string;
  look?: "primary" | "danger";
  /** Does it and closes the dialog, which shows why it failed; undefined: not confirmed yet. */
  onConfirm: () => Promise<void> | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something is deleted, undone or done to many. Enter in a text box among the children confirms too. */
export function ConfirmDialog(props: Props) {
  const { heading, action, busyAction, look = "danger", onConfirm, onClose, children } = props;
  const { run, isBusy, error } = useAction(async () => {
    await onConfirm();
  });

  function confirm(event: SubmitEvent) {
    event.preventDefault();
    void run();
  }

  return (
    <Dialog heading={heading} onClose={onClose}>
      <form className="stack dialog-text" noValidate onSubmit={confirm}>
        {children}
        {error !== undefined && <Notice>{explain(error)}</Notice>}
        <DialogActions>
          <Button type="submit" look={look} aria-disabled={isBusy}>
            {isBusy ? busyAction : action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
