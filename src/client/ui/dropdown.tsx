import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import "./dropdown.css";

/** A button with a menu below it, up to 900 px wide. Escape or a click outside closes the menu. */
export function Dropdown({
  label,
  onOpen,
  children,
}: {
  label: ReactNode;
  /** Called each time the menu opens. */
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
