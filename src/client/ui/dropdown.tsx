import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import "./dropdown.css";

interface Props {
  label: ReactNode;
  onOpen?: () => void;
  children: ReactNode;
}

/** A button with a menu below it, up to 900 px wide. Escape or a click outside closes the menu. */
export function Dropdown({ label, onOpen, children }: Props) {
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
