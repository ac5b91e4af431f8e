import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from "react";
import "./dialog.css";

/** What a dialog that is no longer shown returns: that is no wish of the person's. */
const HIDDEN = "hidden";

/**
 * A modal dialog, open as long as it is rendered. The browser keeps the focus inside and gives it
 * back on closing. A click beside it does nothing: what was typed must not be lost to a slip.
 *
 * @param onClose Asked to close, by Escape. The dialog stays until it is no longer rendered.
 */
export function Dialog({
  heading,
  onClose,
  children,
}: {
  heading: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // A layout effect, so that the dialog is closed, and the focus given back, before it is removed.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    element.returnValue = "";
    element.showModal();
    return () => element.close(HIDDEN);
  }, []);

  function cancel(event: SyntheticEvent) {
    // A date picker in the dialog has a cancel event of its own, and it bubbles. One that cannot be
    // prevented is followed by a close event, and answered there.
    if (event.target !== event.currentTarget || !event.cancelable) return;
    event.preventDefault();
    onClose();
  }

  /** A browser may close a dialog without leave: it is opened again, for the answer. */
  function closed({ currentTarget }: SyntheticEvent<HTMLDialogElement>) {
    if (currentTarget.open || currentTarget.returnValue === HIDDEN) return;
    currentTarget.showModal();
    onClose();
  }

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onCancel={cancel} onClose={closed}>
      <h2 id={id}>{heading}</h2>
      {children}
    </dialog>
  );
}
