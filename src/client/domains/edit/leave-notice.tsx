import { useEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Asks before typed text is thrown away. It takes the focus, and gives it back. */
export function LeaveNotice({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const stay = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    const before = document.activeElement;
    stay.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  return (
    <Notice tone="warn">
      What you typed is not saved.
      <Button ref={stay} onClick={onStay}>
        Go on typing
      </Button>
      <Button onClick={onDiscard}>Discard it</Button>
    </Notice>
  );
}
