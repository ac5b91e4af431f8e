import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from "react";
import "./dialog.css";

/** `returnValue` of a dialog that React removed, as opposed to one that the browser closed. */
const UNMOUNTED = "unmounted";

interface Props {
  heading: string;
  /** Called on Escape. The dialog stays open until it is no longer rendered. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * A modal dialog, open while it is rendered. The browser traps the focus and restores it on close.
 * A click outside does nothing, so that a slip cannot discard what was typed.
 */
export function Dialog({ heading, onClose, children }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // A layout effect closes the dialog, which restores the focus, before React removes it.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    element.returnValue = "";
    element.showModal();
    return () => element.close(UNMOUNTED);
  }, []);

  function onCancel(event: SyntheticEvent) {
    // A date picker's own cancel event bubbles up to here. A cancel event that cannot be prevented
    // is followed by a close event, which `reopen` handles.
    if (event.target !== event.currentTarget || !event.cancelable) return;
    event.preventDefault();
    onClose();
  }

  /** Browsers close a dialog on the second Escape in a row: it reopens, so that `onClose` decides. */
  function reopen({ currentTarget }: SyntheticEvent<HTMLDialogElement>) {
    if (currentTarget.open || currentTarget.returnValue === UNMOUNTED) return;
    currentTarget.showModal();
    onClose();
  }

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={onCancel}
      onClose={reopen}
    >
      <h2 id={id}>{heading}</h2>
      {children}
    </dialog>
  );
}
