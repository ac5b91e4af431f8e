import { type ComponentProps, type ReactNode, type SubmitEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, type DialogProps, DialogText } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { notify } from "../ui/notifications.ts";
import { explain } from "./failure.tsx";
import { useAction } from "./use-action.ts";

interface Props extends DialogProps {
  /** The label of the button that does it; undefined: there is nothing to do yet. */
  action: string | undefined;
  busyAction?: string | undefined;
  look?: "main" | "danger";
  /** Shows errors in the form. Returns whether there are none. */
  check?: (form: HTMLFormElement) => boolean;
  /** Does it and closes the dialog, which shows why it failed. */
  onAction: () => unknown;
  /** Stays visible above the buttons. */
  foot?: ReactNode;
  /** Buttons beside that of the action. */
  buttons?: ReactNode;
}

/** A dialog with one action. Enter in a text box takes it too. */
export function ActionDialog(props: Props) {
  const { action, busyAction = "One moment…", look = "main" } = props;
  const { run, isBusy, error } = useAction(async () => {
    await props.onAction();
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (props.check?.(event.currentTarget) ?? true) void run();
  }

  return (
    <Dialog {...props}>
      <form className="stack" onSubmit={submit}>
        {props.children}
        <div className="dialog-foot">
          {props.foot}
          {error !== undefined && <Notice>{explain(error)}</Notice>}
          <DialogActions>
            {props.buttons}
            {action !== undefined && (
              <Button type="submit" look={look} aria-disabled={isBusy}>
                {isBusy ? busyAction : action}
              </Button>
            )}
          </DialogActions>
        </div>
      </form>
    </Dialog>
  );
}

interface Question extends Pick<Props, "heading" | "action" | "busyAction"> {
  onConfirm: () => Promise<void>;
  /** What is said afterwards. */
  done?: string | undefined;
  children: ReactNode;
}

/** Asks before something is deleted or undone. */
export function ConfirmDialog(props: Question & Pick<Props, "onClose">) {
  const { onConfirm, done, children, ...question } = props;
  return (
    <ActionDialog
      {...question}
      look="danger"
      onAction={async () => {
        await onConfirm();
        question.onClose();
        if (done) notify({ text: done });
      }}
    >
      <DialogText>{children}</DialogText>
    </ActionDialog>
  );
}

interface ConfirmProps extends Question, Omit<ComponentProps<typeof Button>, keyof Question> {
  label: string;
}

/** A button that asks before it deletes or undoes something. */
export function ConfirmButton(props: ConfirmProps) {
  const { label, heading, action, busyAction, onConfirm, done, children, ...button } = props;
  const question = { heading, action, busyAction, onConfirm, done, children };
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && <ConfirmDialog {...question} onClose={() => setAsking(false)} />}
    </>
  );
}
