import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import "./dropdown.css";

/** A button, and beneath it a menu 900 px wide where there is room; Escape or a click beside closes. */
export function Dropdown({
  label,
  onOpen,
  children,
}: {
  label: ReactNode;
  /** Told each time the menu opens. */
  onOpen?: () => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="dropdown">
      <Button className="button dropdown-button" popoverTarget={id}>
        {label}
      </Button>
      <div
        id={id}
        popover="auto"
        className="dropdown-menu"
        onToggle={({ newState }) => newState === "open" && onOpen?.()}
      >
        {children}
      </div>
    </div>
  );
}
