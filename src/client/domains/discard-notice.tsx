import { useEffect, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

interface Props {
  onStay: () => void;
  onDiscard: () => void;
}

/** Asks before typed text is discarded. Takes the focus while it is shown. */
export function DiscardNotice({ onStay, onDiscard }: Props) {
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
      Discard your changes?
      <Button ref={stay} onClick={onStay}>
        Keep editing
      </Button>
      <Button onClick={onDiscard}>Discard</Button>
    </Notice>
  );
}
