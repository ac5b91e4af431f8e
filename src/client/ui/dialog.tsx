import {
  createContext,
  type ReactNode,
  type SyntheticEvent,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { closeMenu, focusHeading } from "./page.ts";

/** `returnValue` of a dialog that React removed and the browser did not close. */
const UNMOUNTED = "unmounted";

interface Leaving {
  /** Id of what describes the dialog. */
  about: string;
  isAsking: boolean;
  leave: () => void;
  stay: () => void;
  discard: () => void;
}

const LeavingContext = createContext<Leaving | null>(null);

export interface DialogProps {
  heading: string;
  /** Whether closing it would lose something typed: then it asks first. */
  isDirty?: boolean;
  /** Whether a draft of that is stored: Back may leave it, and Forward finds it again. */
  hasDraft?: boolean;
  /** Called on Escape and Cancel. The dialog stays open until it is no longer rendered. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * A modal dialog, open while it is rendered. The browser traps the focus and restores it on close.
 * A click outside does nothing, so that it cannot discard what was typed.
 */
export function Dialog({
  heading,
  isDirty = false,
  hasDraft = false,
  onClose,
  children,
}: DialogProps) {
  const id = useId();
  const [isAsking, setAsking] = useState(false);
  if (isAsking && !isDirty) setAsking(false);
  const leaving = useMemo(
    () => ({
      about: `${id}about`,
      isAsking,
      leave: () => (isDirty ? setAsking(true) : onClose()),
      stay: () => setAsking(false),
      discard: onClose,
    }),
    [id, isAsking, isDirty, onClose],
  );
  const dialog = useRef<HTMLDialogElement>(null);

  // A layout effect closes the dialog, which restores the focus, before React removes it.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    element.returnValue = "";
    // Closes the menu first: the focus can return to its button, but not into the menu.
    closeMenu(document.activeElement);
    element.showModal();
    return () => {
      element.close(UNMOUNTED);
      // What had the focus before is gone: the browser would leave it on nothing visible.
      const { activeElement, body } = document;
      if (activeElement === body || element.contains(activeElement)) {
        focusHeading({ preventScroll: true });
      }
    };
  }, []);

  // Back would leave the screen, and lose what was typed. Older browsers cannot keep it.
  useEffect(() => {
    if (!isDirty || hasDraft) return undefined;
    const onNavigate = (event: NavigateEvent) => {
      if (event.navigationType !== "traverse" || !event.cancelable) return;
      event.preventDefault();
      setAsking(true);
    };
    globalThis.navigation?.addEventListener("navigate", onNavigate);
    return () => globalThis.navigation?.removeEventListener("navigate", onNavigate);
  }, [isDirty, hasDraft]);

  function onCancel(event: SyntheticEvent) {
    // A date picker's own cancel event bubbles up to here. A close event follows a cancel event
    // that cannot be prevented.
    if (event.target !== event.currentTarget || !event.cancelable) return;
    event.preventDefault();
    leaving.leave();
  }

  /** Browsers close a dialog on the second Escape in a row. */
  function reopen({ currentTarget }: SyntheticEvent<HTMLDialogElement>) {
    if (currentTarget.open || currentTarget.returnValue === UNMOUNTED) return;
    currentTarget.showModal();
    leaving.leave();
  }

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      aria-describedby={leaving.about}
      onCancel={onCancel}
      onClose={reopen}
      onSubmit={leaving.stay}
    >
      <h2 className="large" id={id}>
        {heading}
      </h2>
      <LeavingContext value={leaving}>{children}</LeavingContext>
    </dialog>
  );
}

/** What a dialog asks or warns of: read out with its heading when it opens. */
export function DialogText({ children }: { children: ReactNode }) {
  return <p id={use(LeavingContext)?.about}>{children}</p>;
}

interface ActionsProps {
  /** The label of the button that leaves the dialog; null: there is none. */
  cancel?: string | null;
  children?: ReactNode;
}

/**
 * The buttons at the end of a dialog, and the question whether to discard what was typed. Outside of a
 * dialog there is nothing to cancel.
 */
export function DialogActions({ cancel = "Cancel", children }: ActionsProps) {
  const leaving = use(LeavingContext);
  if (!leaving) return <div>{children}</div>;
  return (
    <>
      {leaving.isAsking && <DiscardQuestion {...leaving} />}
      <div className="row dialog-actions">
        {cancel !== null && (
          <Button className="button start" onClick={leaving.leave}>
            {cancel}
          </Button>
        )}
        {children}
      </div>
    </>
  );
}

function DiscardQuestion({ stay, discard }: Leaving) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = keep.current;
    const before = document.activeElement;
    button?.focus();
    return () => {
      const { activeElement, body } = document;
      // The person may have gone on typing.
      const isElsewhere = activeElement !== button && activeElement !== body;
      if (before instanceof HTMLElement && !isElsewhere) before.focus();
    };
  }, []);
  return (
    <Notice tone="warn">
      Discard your changes?
      <Button ref={keep} onClick={stay}>
        Keep editing
      </Button>
      <Button onClick={discard}>Discard</Button>
    </Notice>
  );
}
