import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import "./dropdown.css";

interface Props {
  label: ReactNode;
  /** What screen readers call the button, where the label alone does not say it. */
  name?: string;
  onToggle?: (open: boolean) => void;
  children: ReactNode;
}

/** A button with a menu below it, up to 900 px wide. Escape or a click outside closes the menu. */
export function Dropdown({ label, name, onToggle, children }: Props) {
  const id = useId();
  return (
    <div className="dropdown">
      <Button className="button dropdown-button" popoverTarget={id} aria-label={name}>
        {label}
      </Button>
      <div
        id={id}
        popover="auto"
        className="dropdown-menu"
        onToggle={({ newState }) => onToggle?.(newState === "open")}
      >
        {children}
      </div>
    </div>
  );
}
